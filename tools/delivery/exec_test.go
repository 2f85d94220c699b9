//go:build unix

package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

const someID = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"

// hostile is a message whose text would do harm in a shell.
func hostile() coordination.Letter {
	return coordination.Letter{Trust: "untrusted peer content", Message: schema.Message{
		MessageID: someID, FromParticipantID: "alice", Kind: schema.Question,
		Subject: "$(touch owned) `touch owned` ; touch owned", Body: "'; touch owned #\n\"\x00\u202e" + strings.Repeat("x", 200_000),
	}}
}

func TestWhatStatusMeans(t *testing.T) {
	for command, want := range map[string]schema.DeliveryError{
		"exit 0":                      "",
		"true":                        "",
		"cat > /dev/null":             "",
		"exit 75":                     schema.RecipientBusy,
		"exit 1":                      schema.TransportRejected,
		"exit 74":                     schema.TransportRejected,
		"exit 255":                    schema.TransportRejected,
		"no-such-program-of-anybody":  schema.TransportRejected, // the shell's 127
		"syntax error (":              schema.TransportRejected,
		"kill -9 $$":                  schema.TransportError,
		"kill -TERM $$":               schema.TransportError,
		"sleep 1000 & exit 0":         "", // what it leaves behind is its own affair
		"exec 0<&-; exit 75":          schema.RecipientBusy,
		"head -c 10 >/dev/null; true": "",
	} {
		if got := (Exec{Command: command}).Offer(t.Context(), hostile()); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestCommandReadsTheMessage(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	l := hostile()
	var out bytes.Buffer
	code := Exec{Command: `cat > got; printf '%s|%s|%s' "$ACC_MESSAGE_ID" "$ACC_FROM" "$ACC_KIND" > env; echo said; echo cried >&2`, Output: &out}.Offer(t.Context(), l)
	if code != "" || out.String() != "said\ncried\n" {
		t.Errorf("%q, said %q", code, out.String())
	}
	got, err := os.ReadFile("got")
	var back coordination.Letter
	if err = errors.Join(err, json.Unmarshal(got, &back)); err != nil || back.Message.Body != l.Message.Body || back.Message.Subject != l.Message.Subject {
		t.Errorf("it read something else: %v", err)
	}
	if bytes.Count(got, []byte("\n")) != 1 || back.Trust != "untrusted peer content" {
		t.Errorf("%d lines, trust %q", bytes.Count(got, []byte("\n")), back.Trust)
	}
	if env, err := os.ReadFile("env"); string(env) != someID+"|alice|question" || err != nil {
		t.Errorf("the environment is %s, %v", env, err)
	}
	if _, err := os.Lstat("owned"); !os.IsNotExist(err) {
		t.Error("the text of a message was run")
	}
}

// TestHangingCommandDies has a command hang that has a child.
func TestHangingCommandDies(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	code := Exec{Command: "sleep 1000 & echo $! $$ > " + pids + "; wait"}.Offer(ctx, hostile())
	if took := time.Since(began); code != schema.TransportError || took > 10*time.Second {
		t.Errorf("%q after %s", code, took)
	}
	data, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		(&world{t: t}).until("a process of the command ends", func() bool { return !alive(pid) })
	}
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

func TestCommandThatCannotStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := (Exec{Command: "true"}).Offer(ctx, hostile()); code != schema.TransportError {
		t.Errorf("it did not start, and that is %q", code)
	}
}

func TestLabelIsVisible(t *testing.T) {
	if got := (Exec{Command: "a\x1b[2Jb\nc"}).Label(); strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("%q", got)
	}
}
