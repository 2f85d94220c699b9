package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// sources are the files of the scratch repository. It is a module of its own,
// so that ./... of the one it may lie in leaves it alone.
var sources = map[string]string{
	"go.mod":        "module calc\n\ngo 1.26\n",
	"src/lexer.go":  "package calc\n\n// Tokens splits a line into numbers and signs.\nfunc Tokens(line string) []string { return nil }\n",
	"src/parser.go": "package calc\n\n// Parse turns tokens into a tree.\nfunc Parse(tokens []string) any { return nil }\n",
	"docs/guide.md": "# calc\n\nAdds and multiplies.\n",
}

// makeRepository makes a Git repository with one commit below in.
func makeRepository(ctx context.Context, in string) (string, error) {
	if err := os.MkdirAll(in, 0o755); err != nil {
		return "", err
	}
	root, err := os.MkdirTemp(in, "calc-")
	if err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	for name, content := range sources {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "calc: a first sketch"}} {
		if _, err := git(ctx, root, args...); err != nil {
			return "", err
		}
	}
	return root, nil
}

// git runs git with an author of its own: the user's identity, signing and
// hooks have nothing to do with a scratch repository.
func git(ctx context.Context, root string, args ...string) (string, error) {
	own := []string{"-C", root, "-c", "user.name=alice", "-c", "user.email=alice@example.com",
		"-c", "commit.gpgsign=false", "-c", "core.hooksPath=" + os.DevNull}
	out, err := exec.CommandContext(ctx, "git", append(own, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", args[0], err, out)
	}
	return string(out), nil
}
