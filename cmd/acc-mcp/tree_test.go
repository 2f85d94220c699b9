package main_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repository makes a Git repository with one commit and returns its canonical
// root.
func repository(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(settled(t.TempDir()), "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	put(t, filepath.Join(dir, "src", "app.go"), "package app\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// git runs git with nothing of the user's own configuration.
func git(t testing.TB, dir string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "protocol.file.allow=always"}, arguments...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=alice", "GIT_COMMITTER_EMAIL=alice@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tree is every file below dir with its content; what is no file is named by
// its kind.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		if !e.Type().IsRegular() {
			files[name] = fmt.Sprint(e.Type())
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unchanged compares a directory with what tree said of it before.
func unchanged(t testing.TB, dir string, before map[string]string) {
	t.Helper()
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("%s changed (-before +after):\n%s", filepath.Base(dir), diff)
	}
}

func sortedKeys(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// names are the sorted slash-separated names below dir that match a pattern.
func names(t testing.TB, dir, pattern string) (found []string) {
	t.Helper()
	for _, name := range sortedKeys(tree(t, dir)) {
		if ok, err := filepath.Match(pattern, name); err != nil {
			t.Fatal(err)
		} else if ok {
			found = append(found, name)
		}
	}
	return found
}

// one is the one name that matches.
func one(t testing.TB, dir, pattern string) string {
	t.Helper()
	found := names(t, dir, pattern)
	if len(found) != 1 {
		t.Fatalf("want one %s, found %v", pattern, found)
	}
	return found[0]
}
