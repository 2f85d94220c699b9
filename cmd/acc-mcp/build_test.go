// Package main_test builds the real program once and speaks to it as clients
// do: over its pipes, line by line.
package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// programPath is the program under test. It is a package variable because
// TestMain can hand it over in no other way.
var programPath string

// roleKey in the environment makes this test binary a client that starts a
// server and waits to be killed.
const roleKey = "ACC_TEST_CLIENT_OF"

func TestMain(m *testing.M) {
	if server := os.Getenv(roleKey); server != "" {
		beClient(server)
		return
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acc-mcp-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programPath, err = build(dir, "acc-mcp", ".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build makes a program of a package into dir and returns its path.
func build(dir, name, pkg string) (string, error) {
	path := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	args := []string{"build", "-o", path, pkg}
	if raceEnabled {
		args = slices.Insert(args, 1, "-race")
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}
