//go:build unix

package delivery

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"acc/schema"
)

var errNoProgram = errors.New("not found")

func TestNotifierOfEachSystem(t *testing.T) {
	found := func(name string) (string, error) { return "/bin/" + name, nil }
	for system, want := range map[string][]string{
		"linux": {"/bin/notify-send", "--app-name=acc", "--", "acc: note from a", "1 &lt;b&gt; &amp;"},
		"darwin": {"/bin/osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
			"-e", "end run", "acc: note from a", "1 <b> &"},
	} {
		n, err := notifier(system, found)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.command("acc: note from a", "1 <b> &"); !slices.Equal(got, want) {
			t.Errorf("%s: %q", system, got)
		}
	}
	for system, part := range map[string]string{"linux": "needs notify-send", "darwin": "needs osascript", "windows": "not supported on windows"} {
		_, err := notifier(system, func(string) (string, error) { return "", errNoProgram })
		if err == nil || !strings.Contains(err.Error(), part) || schema.AsError(err).Code != schema.CodeUsage {
			t.Errorf("%s without a notifier: %v", system, err)
		}
	}
}

// TestNotifyShowsSenderAndSubject runs a notifier that is a script.
func TestNotifyShowsSenderAndSubject(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "notify-send")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	n, err := notifier("linux", func(string) (string, error) { return script, nil })
	if err != nil {
		t.Fatal(err)
	}
	write(`printf '%s\n' "$@" > ` + dir + "/args\n")
	l := hostile()
	l.Message.Subject = "-x \x1b[2J\u202e" + strings.Repeat("s", 300)
	if code := n.Offer(t.Context(), l); code != "" {
		t.Errorf("%q", code)
	}
	args, err := os.ReadFile(dir + "/args")
	lines := strings.Split(string(args), "\n")
	if err != nil || len(lines) != 5 || lines[2] != "acc: question from alice" || !strings.HasPrefix(lines[3], "-x &lt;U+001B&gt;[2J&lt;U+202E&gt;sss") {
		t.Errorf("it was given %q, %v", args, err)
	}
	if strings.Contains(string(args), "touch owned") || len(args) > 600 {
		t.Errorf("it was given more than the subject: %q", args)
	}
	for _, failing := range []string{"exit 1", "exit 75", "kill -9 $$"} {
		write(failing)
		if code := n.Offer(t.Context(), l); code != schema.TransportError {
			t.Errorf("%s: %q", failing, code)
		}
	}
}
