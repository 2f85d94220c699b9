package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder is a testing.TB that keeps failures instead of failing.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// failures runs f with a recorder and returns what it reported.
func failures(t *testing.T, f func(testing.TB)) []string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.failures
}

// place makes a golden file in a directory of its own and removes it again.
func place(t *testing.T, content string) (dir, name string) {
	t.Helper()
	given := *update
	*update = false // these tests compare, whatever the command line says
	t.Cleanup(func() { *update = given })
	full, err := os.MkdirTemp(directory(t), "selftest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(full) })
	if err := os.WriteFile(filepath.Join(full, "file.txt"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Base(full), filepath.Base(full) + "/file.txt"
}

func TestCompare(t *testing.T) {
	dir, name := place(t, "one\ntwo\n")
	tests := []struct {
		label, name, got, want string
	}{
		{"same", name, "one\ntwo\n", ""},
		{"other line", name, "one\n2\n", "differs"},
		{"shorter end", name, "one\ntwo", "differs"},
		{"missing file", dir + "/none.txt", "x", "-update"},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			got := failures(t, func(tb testing.TB) { Compare(tb, test.name, []byte(test.got)) })
			check(t, got, test.want)
		})
	}
}

func TestUpdateWrites(t *testing.T) {
	dir, _ := place(t, "")
	*update = true
	name := dir + "/below/new.json"
	Compare(t, name, []byte("{}\n"))
	*update = false
	Compare(t, name, []byte("{}\n"))
}

func TestNoOrphans(t *testing.T) {
	dir, name := place(t, "x")
	check(t, failures(t, func(tb testing.TB) { NoOrphans(tb, dir, name) }), "")
	check(t, failures(t, func(tb testing.TB) { NoOrphans(tb, dir) }), name)
	check(t, failures(t, func(tb testing.TB) { NoOrphans(tb, dir+"/none") }), "cannot be read")
}

// check wants no failure, or exactly one that holds a text.
func check(t *testing.T, got []string, want string) {
	t.Helper()
	if want == "" && len(got) > 0 {
		t.Errorf("unexpected failures: %q", got)
	}
	if want != "" && (len(got) != 1 || !strings.Contains(got[0], want)) {
		t.Errorf("failures %q, want one with %q", got, want)
	}
}
