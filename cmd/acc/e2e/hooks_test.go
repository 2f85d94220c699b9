package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"acc/tools/delivery/client"
)

// hookCall is one hook that a client ran, as the recorder kept it.
type hookCall struct {
	Args   []string
	In     json.RawMessage
	Out    string
	Err    string
	Status int
}

func (h hookCall) event() client.Event {
	if len(h.Args) < 3 || h.Args[0] != "hook" {
		return ""
	}
	return client.Event(h.Args[2])
}

// input is what every client tells alike.
func (h hookCall) input() (in struct {
	Session string `json:"session_id"`
	Source  string `json:"source"`
}) {
	_ = json.Unmarshal(h.In, &in) // what is no object says nothing
	return in
}

// answer is what acc said to the client, in whichever of the forms.
type answer struct{ context, deny, hold string }

func (h hookCall) answer() answer {
	var o struct {
		Decision, Reason, Context, Deny, Hold string

		HookSpecificOutput struct{ AdditionalContext, PermissionDecision, PermissionDecisionReason string }
	}
	_ = json.Unmarshal([]byte(h.Out), &o) // no output says nothing
	a := answer{context: o.Context + o.HookSpecificOutput.AdditionalContext, deny: o.Deny, hold: o.Hold}
	switch {
	case o.HookSpecificOutput.PermissionDecision == "deny":
		a.deny = o.HookSpecificOutput.PermissionDecisionReason
	case o.Decision == "deny":
		a.deny = o.Reason
	case o.Decision == "block":
		a.hold = o.Reason
	}
	return a
}

// record puts the recorder in the place of acc, after acc install wrote where
// that lies.
func (r *room) record() {
	r.t.Helper()
	acc := filepath.Join(r.bin, program("acc"))
	if err := os.Rename(acc, filepath.Join(r.bin, program("acc-real"))); err != nil {
		r.t.Fatal(err)
	}
	copyFile(r.t, filepath.Join(build(r.t), program("recorder")), acc)
}

// after has acc run with args once the client has run the hook of an event.
func (r *room) after(e client.Event, args ...string) {
	r.t.Helper()
	b, err := json.Marshal(args)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.bin, "after-"+string(e)+".json"), b, 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// hooks are the calls since the last time that somebody asked.
func (r *room) hooks() []hookCall {
	r.t.Helper()
	path := filepath.Join(r.bin, "hooks.jsonl")
	kept, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	var calls []hookCall
	for line := range bytes.Lines(kept) {
		var c hookCall
		if err := json.Unmarshal(line, &c); err != nil {
			r.t.Fatalf("the recorder wrote %q: %v", line, err)
		}
		calls = append(calls, c)
		r.t.Logf("%s ended with %d: %.300q %.300q", c.Args, c.Status, c.Out, c.Err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return calls
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
