package scale

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// million adds the largest room, which takes minutes to make. A package
// variable because a flag must exist before flags are parsed.
var million = flag.Bool("acc.million", false, "measure in a room of a million messages, too")

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		if err := writer(dir, os.Getenv(writerName)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(runAll(m))
}

// runAll keeps all rooms until the end: some file systems are slow for minutes
// where thousands of files were removed.
func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acc-scale-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("TMPDIR", dir)
	return m.Run()
}
