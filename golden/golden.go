// Package golden compares what a test got with a file in this directory. A
// golden file is part of the contract with users: it fails a test when it
// differs, when it is missing and when no test names it any more.
//
// go test ./some/package -update writes the files instead.
package golden

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// update is a package variable because a flag must exist before flags are parsed.
var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Compare fails the test unless got is exactly the content of the golden file
// name, a slash-separated path below this directory.
func Compare(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join(directory(t), filepath.FromSlash(name))
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("golden file %s cannot be read; run the test with -update to write it, then review it: %v", name, err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("golden file %s differs (-want +got); if the change is meant, run the test with -update and review it:\n%s",
			name, difference(want, got))
	}
}

// NoOrphans fails the test for every file below dir, a slash-separated path in
// this directory, that is not among used. Names are the ones given to Compare.
func NoOrphans(t testing.TB, dir string, used ...string) {
	t.Helper()
	root := directory(t)
	top := filepath.Join(root, filepath.FromSlash(dir))
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || isOwnSource(root, path) {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name := filepath.ToSlash(relative); !slices.Contains(used, name) {
			t.Errorf("golden file %s belongs to no test; delete it", name)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("golden directory %s cannot be read: %v", dir, err)
	}
}

// directory is where this source file lies, so that every package finds the
// same files whatever directory its tests run in.
func directory(t testing.TB) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		t.Fatalf("golden files cannot be found: the test was built with -trimpath")
	}
	return filepath.Dir(file)
}

func isOwnSource(root, path string) bool {
	return filepath.Dir(path) == root && strings.HasSuffix(path, ".go")
}

func write(t testing.TB, path string, got []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatalf("golden: %v", err)
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Fatalf("golden: %v", err)
	}
}

// difference compares lines; a difference that lines do not show, such as the
// end of the last one, is compared as bytes.
func difference(want, got []byte) string {
	lines := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n"))
	if lines == "" {
		return cmp.Diff(want, got)
	}
	return lines
}
