// Package gittest makes repositories and files for tests. It runs the real git,
// and its helpers end the test when something does not work.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Run gives what git prints when it runs in dir, untouched by the configuration
// of who runs the tests. Git leaves nothing running that tidies up.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)...)
	cmd.Env = env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// env drops every GIT_ variable and adds an author.
func env() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
}

// NewRepo makes dir a repository with one commit of README and src/a.go on the
// branch main, or adds that commit to the one that is there.
func NewRepo(t testing.TB, dir string) string {
	t.Helper()
	PutFile(t, filepath.Join(dir, "src", "a.go"), "package a\n")
	PutFile(t, filepath.Join(dir, "README"), "read me\n")
	Run(t, dir, "init", "-q", "-b", "main")
	Run(t, dir, "add", ".")
	Run(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// TempDir is a temporary directory under its real name.
func TempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// PutFile writes a file, and makes the directories above it.
func PutFile(t testing.TB, name, content string) {
	t.Helper()
	MakeDir(t, filepath.Dir(name))
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// MakeDir makes the directory that elem joined name, and those above it.
func MakeDir(t testing.TB, elem ...string) string {
	t.Helper()
	dir := filepath.Join(elem...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Link makes name a symbolic link to target.
func Link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}
