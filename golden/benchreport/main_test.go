package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/golden"
)

func sample(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// docsWith is a directory with a page.
func docsWith(t *testing.T, page string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "measurements.md"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const page = "# Page\n\n" + beginMark + "old\n" + endMark + "\nthe end\n"

// TestGoldenReport holds everything that is made of one run.
func TestGoldenReport(t *testing.T) {
	docs := docsWith(t, page)
	var out bytes.Buffer
	if err := report(strings.NewReader(sample(t)), &out, docs); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		"measurements.md": "bench/measurements.md", "bench-cost.svg": "bench/cost.svg", "bench-writers.svg": "bench/writers.svg",
	}
	var used []string
	for name, goldenName := range names {
		data, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, goldenName, data)
		used = append(used, goldenName)
		if name == "measurements.md" && !bytes.Contains(data, out.Bytes()) {
			t.Error("the page does not hold what was printed")
		}
		if strings.HasSuffix(name, ".svg") {
			wellFormed(t, name, data)
		}
	}
	golden.NoOrphans(t, "bench", used...)
}

func wellFormed(t *testing.T, name string, data []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		switch _, err := d.Token(); err {
		case nil:
		case io.EOF:
			return
		default:
			t.Fatalf("%s is no XML: %v", name, err)
		}
	}
}

// TestDocsStay: what is not a whole run changes no page.
func TestDocsStay(t *testing.T) {
	whole := sample(t)
	for label, in := range map[string]string{
		"a failure":           whole + "--- FAIL: BenchmarkRoom\n",
		"a package that fell": whole + "FAIL\tacc/tools [build failed]\n",
		"a part is missing":   strings.ReplaceAll(whole, "BenchmarkWatch", "BenchmarkOther"),
		"nothing":             "PASS\n",
		"no number":           "BenchmarkA-2 \t 1 \t x ns/op\n",
	} {
		docs := docsWith(t, page)
		if err := report(strings.NewReader(in), io.Discard, docs); err == nil {
			t.Errorf("%s: no error", label)
		}
		left, err := filepath.Glob(filepath.Join(docs, "*"))
		if err != nil || len(left) != 1 {
			t.Errorf("%s: the directory holds %v, %v", label, left, err)
		}
	}
	if err := report(strings.NewReader(whole), io.Discard, docsWith(t, "no marks\n")); err == nil {
		t.Error("a page without marks: no error")
	}
}

func TestUnits(t *testing.T) {
	for us, want := range map[float64]string{0.14: "140 ns", 12.4: "12 µs", 1234: "1.23 ms", 20400: "20.4 ms", 993000: "993 ms", 2.5e6: "2.5 s"} {
		if got := duration(us); got != want {
			t.Errorf("%v µs are %q, want %q", us, got, want)
		}
	}
	for n, want := range map[int]string{0: "", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := number(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// A logarithmic axis covers whole decades, at least one, also of nothing.
func TestSpans(t *testing.T) {
	x, y := panel{Lines: []line{{Points: []point{{100, 250}, {100_000, 1100}}}}}.spans()
	if x != (span{2, 5}) || y != (span{2, 4}) {
		t.Errorf("%v, %v", x, y)
	}
	if x, _ = (panel{Lines: []line{{Points: []point{{1, 1}}}}}).spans(); x != (span{0, 1}) {
		t.Errorf("one point: %v", x)
	}
	if x, _ = (panel{}).spans(); x != (span{0, 1}) {
		t.Errorf("nothing: %v", x)
	}
}
