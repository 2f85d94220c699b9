package coordination

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/schema"
	"acc/tools"

	"github.com/gofrs/flock"
)

// holdRoom takes the lock of the room, as another process has it that does not
// get on.
func (w *world) holdRoom() *flock.Flock {
	w.t.Helper()
	lock := flock.New(filepath.Join(w.dir, ".acc", "run", "lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		w.t.Fatalf("the lock of the room: %v, %v", ok, err)
	}
	w.t.Cleanup(func() { _ = lock.Close() })
	return lock
}

// soonTimedOut calls a tool that is given little time, and wants it to say so.
func (c *client) soonTimedOut(tool, args string) {
	c.t.Helper()
	t, ok := c.registry.Tool(tool)
	if !ok {
		c.t.Fatalf("there is no tool %s", tool)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	value, err := t.Call(ctx, tools.Caller{Harness: c.harness}, json.RawMessage(args))
	if err == nil {
		c.t.Errorf("%s succeeded beside a writer: %v", tool, value)
		return
	}
	e := schema.AsError(err)
	if e.Reason != schema.ReasonLockTimeout || e.Code != schema.CodeTimeout || e.Code.ExitCode() != 3 {
		c.t.Errorf("%s: %s, %s, exit status %d: %v", tool, e.Code, e.Reason, e.Code.ExitCode(), err)
	}
	for _, says := range []string{"another process", "nothing was changed", "try again"} {
		if !strings.Contains(e.Message, says) {
			c.t.Errorf("%s: the message does not say %q: %s", tool, says, e.Message)
		}
	}
}

// TestRoomThatStaysLocked: no tool waits for good, none has done anything, and
// all of them work, with the same keys, as soon as the lock is free.
func TestRoomThatStaysLocked(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	asked, told := bob.ask("alice", "which?"), bob.send("alice", "news")
	alice.acquire("file:held")
	calls := []struct{ tool, args string }{
		{"acc_status", `{}`},
		{"acc_sync", `{}`},
		{"acc_sync", `{"scope":"history"}`},
		{"acc_work", `{"summary":"s","mode":"edit"}`},
		{"acc_claim", `{"action":"acquire","resource":"file:new"}`},
		{"acc_release", `{"resource":"file:held"}`},
		{"acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k1"}`},
		{"acc_request", `{"toParticipantId":"bob","title":"t","clientMessageId":"k2"}`},
		{"acc_inbox", `{}`},
		{"acc_inbox", `{"messageId":"` + told + `"}`},
		{"acc_reply", `{"messageId":"` + asked + `","body":"b","clientMessageId":"k3"}`},
		{"acc_ack", `{"messageId":"` + told + `"}`},
		{"acc_finish", `{"goal":"g","clientMessageId":"k4"}`},
	}
	lock := w.holdRoom()
	w.unchanged("what timed out", func() {
		for _, call := range calls {
			alice.soonTimedOut(call.tool, call.args)
		}
	})
	_ = lock.Close()
	for _, call := range calls {
		alice.ok(call.tool, call.args)
	}
	if got := alice.ok("acc_message", calls[6].args); got.str("message.clientMessageId") != "k1" {
		t.Errorf("the key answers with %s", got.text)
	}
	sent, err := filepath.Glob(filepath.Join(w.dir, ".acc", "messages", "*", "*.json"))
	if err != nil || len(sent) != 6 {
		t.Errorf("%d messages, want those of bob and one for each key: %v", len(sent), err)
	}
}
