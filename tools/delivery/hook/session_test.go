package hook

import (
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

func (h *house) presence(asker *peer, name string) string {
	h.t.Helper()
	status := asker.call("acc_status", "{}")
	_, rest, ok := strings.Cut(status, `"participantId":"`+name+`","sessionId":`)
	if !ok {
		return ""
	}
	_, rest, _ = strings.Cut(rest, `"presence":"`)
	word, _, _ := strings.Cut(rest, `"`)
	return word
}

// The hooks of a client and its MCP server are one agent.
func TestOneAgentOneSession(t *testing.T) {
	h := newHouse(t)
	for _, id := range []string{client.Claude, client.Codex, client.Qwen} {
		c := h.client(id, id+"-1")
		server := h.peer(id) // it could not know the client's session yet
		c.run(client.SessionStart)
		server.caller = tools.Caller{Harness: client.Harness(id), ClientSession: c.session}
		server.call("acc_work", `{"summary":"s","mode":"edit"}`)
		c.run(client.BeforeTurn)
		s := h.sessions(id)
		if len(s) != 1 || len(s[0].ClientSessions) != 1 || s[0].ClientSessions[0] != c.session {
			t.Errorf("%s: %+v", id, s)
		}
		second := h.client(id, id+"-2")
		second.run(client.SessionStart)
		if s := h.sessions(id); len(s) != 2 {
			t.Errorf("two sessions of %s are %d", id, len(s))
		}
	}
}

func TestClearKeepsTheSession(t *testing.T) {
	h := newHouse(t)
	c, other := h.client(client.Claude, "c1"), h.client(client.Claude, "c9")
	c.run(client.SessionStart)
	other.run(client.SessionStart)
	before := h.sessions("claude")[0].SessionID
	c.run(client.SessionEnd, reason(client.ReasonClear))
	old := c.session
	c.session = "c2"
	c.run(client.SessionStart, source(client.SourceClear))
	s := h.sessions("claude")
	if len(s) != 2 || s[0].SessionID != before || strings.Join(s[0].ClientSessions, " ") != old+" c2" {
		t.Errorf("%+v", s)
	}
	// The MCP server still goes by the old name.
	c.session = old
	c.run(client.BeforeTurn)
	if n := len(h.sessions("claude")); n != 2 {
		t.Errorf("%d sessions", n)
	}
}

func TestEndAndResume(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	if p := h.presence(bob, "claude"); p != "online" {
		t.Fatalf("claude is %q", p)
	}
	before := h.sessions("claude")[0].SessionID
	c.run(client.SessionEnd, reason("other"))
	if p := h.presence(bob, "claude"); p != "offline" {
		t.Errorf("after the end claude is %q", p)
	}
	if s := h.sessions("claude"); len(s) != 1 || s[0].SessionID != before {
		t.Errorf("the session did not stay open: %+v", s)
	}
	c.run(client.SessionStart, source(client.SourceResume))
	if s := h.sessions("claude"); len(s) != 1 || s[0].SessionID != before || h.presence(bob, "claude") != "online" {
		t.Errorf("not resumed: %+v", s)
	}
	c.run(client.SessionEnd)
	next := h.client(client.Claude, "c2")
	next.run(client.SessionStart)
	if s := h.sessions("claude"); len(s) != 1 || s[0].SessionID == before {
		t.Errorf("the session that was left is still there: %+v", s)
	}
}

// A hook after acc_finish must not bring the session back: only the person's
// next prompt does.
func TestHooksAfterFinishOpenNothing(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	server := h.peer("claude")
	server.caller = tools.Caller{Harness: client.Harness(client.Claude), ClientSession: "c1"}
	server.call("acc_finish", `{"goal":"g"}`)
	h.peer("bob").send("claude", "question", "q", "b")
	for _, e := range []client.Event{client.AfterTool, client.BeforeTool, client.Stop, client.SessionEnd} {
		if out := c.run(e, edits("a.go")); out != "" {
			t.Errorf("%s: %s", e, out)
		}
		if s := h.sessions("claude"); len(s) != 0 {
			t.Errorf("%s opened %+v", e, s)
		}
	}
	if out := c.run(client.BeforeTurn, func(in *client.Input) { in.Midway = true }); out != "" || len(h.sessions("claude")) != 0 {
		t.Errorf("the turn that goes on: %s", out)
	}
	if text := c.context(client.BeforeTurn); !strings.Contains(text, "question") || len(h.sessions("claude")) != 1 {
		t.Errorf("the next turn: %q", text)
	}
}

// The guard needs no session: a client that has finished is stopped too.
func TestGuardWithoutASession(t *testing.T) {
	h := newHouse(t)
	h.peer("bob").guarded().claim("a.go", "mine")
	c := h.client(client.Claude, "c1")
	if text := c.context(client.BeforeTool, edits("a.go")); !strings.Contains(text, "held by bob") {
		t.Errorf("%q", text)
	}
}

func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	w, err := fsstore.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: "claude", Env: fsstore.Env{Now: time.Now}})
	for _, e := range client.Events() {
		var out strings.Builder
		err := Run(t.Context(), Request{
			Workspace: w, Room: room, Participant: "claude", Client: client.Claude, Policy: schema.DeliverAll,
			Input: client.Input{Event: e, ClientSession: "c1", Dir: dir, Paths: []string{"a.go"}},
		}, &out)
		if err != nil || out.Len() > 0 {
			t.Errorf("%s: %q, %v", e, out.String(), err)
		}
	}
	if files := entries(t, dir); len(files) > 0 {
		t.Errorf("it made %v", files)
	}
}
