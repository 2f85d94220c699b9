package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResourcesAreSeenFromTheDirectory(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, ".acc"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A room makes its directory the top, as a repository would.
	if err := os.WriteFile(filepath.Join(top, ".acc", "workspace.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(top, "src")
	if err := os.Mkdir(src, 0o755); err != nil {
		t.Fatal(err)
	}
	a := &App{cwd: src, Env: func(string) string { return "" }}
	got, err := a.resources([]string{"app.go", "./lib/**", "../go.mod", "lib/", "file:a.go", "issue:42", filepath.Join(top, "x"), "..", "../../y", ""})
	want := []string{
		"file:src/app.go", "file:src/lib/**", "file:go.mod", "file:src/lib/", "file:a.go", "issue:42", "file:x",
		"file:" + filepath.ToSlash(top), "file:" + filepath.ToSlash(filepath.Join(filepath.Dir(top), "y")), "",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("resources (-want +got):\n%s%v", diff, err)
	}
}
