package hook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

// house is a directory with a room, on a clock that the test turns.
type house struct {
	t   *testing.T
	dir string
	now time.Time
}

func newHouse(t *testing.T) *house {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, dir: dir, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	s, err := fsstore.Init(dir, h.env())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !h.workspace().Initialised {
		t.Fatal("there is no room")
	}
	return h
}

func (h *house) pass(d time.Duration) { h.now = h.now.Add(d) }

func (h *house) env() fsstore.Env {
	return fsstore.Env{Rand: rand.Reader, Now: func() time.Time { return h.now }, Process: fsstore.Process{Host: "box"}, Alive: func(fsstore.Process) bool { return true }}
}

func (h *house) workspace() fsstore.Workspace {
	h.t.Helper()
	w, err := fsstore.Locate(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	return w
}

// hooked is one client that runs hooks.
type hooked struct {
	*house
	id      string
	session string
	policy  schema.DeliveryPolicy
	version string
	out     io.Writer // nil for a fresh buffer
}

func (h *house) client(id, session string) *hooked {
	return &hooked{house: h, id: id, session: session, policy: schema.DeliverAll}
}

// try runs one hook as a process of its own would.
func (c *hooked) try(in client.Input) (string, error) {
	c.t.Helper()
	c.pass(time.Second)
	w := c.workspace()
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: c.id, Env: c.env()})
	defer room.Close()
	in.ClientSession, in.Version = c.session, c.version
	if in.Dir == "" {
		in.Dir = c.dir
	}
	var buffer bytes.Buffer
	out := c.out
	if out == nil {
		out = &buffer
	}
	err := Run(context.Background(), Request{
		Workspace: w, Room: room, Participant: c.id, Client: c.id, Policy: c.policy, Input: in, Now: c.now,
	}, out)
	return buffer.String(), err
}

func (c *hooked) run(e client.Event, fill ...func(*client.Input)) string {
	c.t.Helper()
	in := client.Input{Event: e}
	for _, f := range fill {
		f(&in)
	}
	out, err := c.try(in)
	if err != nil {
		c.t.Fatalf("%s %s: %v", c.id, e, err)
	}
	return out
}

// context runs a hook and gives the text that it puts in front of the model.
func (c *hooked) context(e client.Event, fill ...func(*client.Input)) string {
	c.t.Helper()
	out := c.run(e, fill...)
	if out == "" {
		return ""
	}
	var answer struct {
		Specific struct {
			Context string `json:"additionalContext"`
			Deny    string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
		Decision, Reason string
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		c.t.Fatalf("%s: %v", out, err)
	}
	return answer.Specific.Context + answer.Specific.Deny + answer.Reason
}

func source(s string) func(*client.Input) { return func(in *client.Input) { in.Source = s } }
func reason(s string) func(*client.Input) { return func(in *client.Input) { in.Reason = s } }
func held(in *client.Input)               { in.Held = true }
func edits(paths ...string) func(*client.Input) {
	return func(in *client.Input) { in.Tool, in.Paths = "Write", paths }
}

// sessions lists the open sessions of a participant with what they are.
func (h *house) sessions(name string) []schema.Session {
	h.t.Helper()
	s, err := fsstore.Open(h.dir, h.env())
	if err != nil {
		h.t.Fatal(err)
	}
	defer s.Close()
	var found []schema.Session
	err = s.View(context.Background(), func(v *fsstore.View) error {
		all, err := v.Sessions()
		found = slices.DeleteFunc(all, func(s schema.Session) bool { return s.ParticipantID != name || s.State != schema.SessionOpen })
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

// bindings lists the routes into clients.
func (h *house) bindings() []schema.Binding {
	h.t.Helper()
	s, err := fsstore.Open(h.dir, h.env())
	if err != nil {
		h.t.Fatal(err)
	}
	defer s.Close()
	var found []schema.Binding
	if err := s.View(context.Background(), func(v *fsstore.View) (err error) {
		found, err = v.Bindings()
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
	return found
}

// broken is a stdout that takes a part of what is written.
type broken struct {
	accept int
	err    error
}

var errBroken = errors.New("nobody reads")

func (b broken) Write(p []byte) (int, error) { return min(b.accept, len(p)), b.err }

func wantAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// inOrder wants the parts to appear one after the other, each once.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	last := -1
	for _, part := range parts {
		at := strings.Index(text, part)
		if at < 0 || at < last || strings.Count(text, part) != 1 {
			t.Errorf("%q is at %d, %d times, after %d, in:\n%s", part, at, strings.Count(text, part), last, text)
		}
		last = at
	}
}

func file(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func numbered(format string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}
