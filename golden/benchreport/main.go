// Command benchreport turns the output of go test -bench, on stdin, into
// Markdown tables on stdout. With -docs it also puts them between the marks of
// measurements.md in that directory and draws the curves beside it. It is a
// tool of this repository: make bench runs it, nothing installs it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	docs := flag.String("docs", "", "directory of measurements.md")
	flag.Parse()
	if err := report(os.Stdin, os.Stdout, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "benchreport:", err)
		os.Exit(1)
	}
}

func report(in io.Reader, out io.Writer, docs string) error {
	r, err := parse(in)
	if err != nil {
		return err
	}
	tables := []byte(r.markdown())
	if _, err := out.Write(tables); err != nil || docs == "" {
		return err
	}
	if missing := r.missing("Room", "Open", "Day", "Writers", "Watch"); len(missing) > 0 {
		return fmt.Errorf("the docs stay as they are: nothing was measured of %v", missing)
	}
	page := filepath.Join(docs, "measurements.md")
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := between(old, tables)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	for name, data := range map[string][]byte{
		page: text, filepath.Join(docs, "bench-cost.svg"): draw(r.costs()), filepath.Join(docs, "bench-writers.svg"): draw(r.writers()),
	} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Where the tables stand in the page.
const (
	beginMark = "<!-- measured: begin -->\n"
	endMark   = "<!-- measured: end -->\n"
)

// between replaces what stands between the marks.
func between(page, tables []byte) ([]byte, error) {
	before, rest, begun := bytes.Cut(page, []byte(beginMark))
	_, after, ended := bytes.Cut(rest, []byte(endMark))
	if !begun || !ended {
		return nil, fmt.Errorf("the marks %q and %q are missing", beginMark, endMark)
	}
	return bytes.Join([][]byte{before, []byte(beginMark), tables, []byte(endMark), after}, nil), nil
}
