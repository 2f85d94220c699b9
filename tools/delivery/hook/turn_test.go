package hook

import (
	"strings"
	"testing"

	"acc/schema"
	"acc/tools/delivery/client"
)

func TestNothingNewIsNoByte(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	for _, e := range client.Events() {
		if out := c.run(e); out != "" {
			t.Errorf("%s in a solo room: %q", e, out)
		}
	}
	bob := h.peer("bob")
	c.run(client.SessionStart)
	bob.send("claude", "note", "s", "b")
	if c.run(client.BeforeTurn) == "" {
		t.Fatal("the note was not shown")
	}
	for _, e := range []client.Event{client.BeforeTurn, client.AfterTool, client.BeforeTool, client.Stop, client.SessionEnd} {
		if out := c.run(e); out != "" {
			t.Errorf("%s with nothing new: %q", e, out)
		}
	}
}

func TestTurnShowsMailOnceMostUrgentFirst(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	note := bob.send("claude", "note", "first note", "body of the note")
	question := bob.send("claude", "question", "which port", "80?\n443?")
	second := bob.send("claude", "question", "which host", "x")
	text := c.context(client.BeforeTurn)
	inOrder(t, text, "for participant claude.", "untrusted", turnHead,
		"question "+question+" from bob to you: you owe a reply. Answer with acc_reply {\"messageId\":\""+question+"\"",
		"Subject: \"which port\"\n> 80?\n> 443?\n", "question "+second, "note "+note+" from bob to you: nothing is owed", "> body of the note")
	for _, id := range []string{note, question, second} {
		if s := bob.state("claude", id); s != "offered claude" {
			t.Errorf("%s is %s", id, s)
		}
	}
	if again := c.run(client.BeforeTurn); again != "" {
		t.Errorf("shown again: %s", again)
	}
}

func TestPolicy(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	note, question := bob.send("claude", "note", "n", "note body"), bob.send("claude", "question", "q", "question body")
	c.policy = schema.DeliverNothing
	for _, e := range []client.Event{client.SessionStart, client.BeforeTurn, client.Stop} {
		if out := c.run(e); out != "" {
			t.Errorf("%s with delivery off: %s", e, out)
		}
	}
	if n := len(h.bindings()); n != 0 {
		t.Errorf("%d routes with delivery off", n)
	}
	c.policy = schema.DeliverActionable
	if text := c.context(client.BeforeTurn); strings.Contains(text, note) || !strings.Contains(text, question) {
		t.Errorf("actionable shows:\n%s", text)
	}
	c.policy = schema.DeliverAll
	if text := c.context(client.BeforeTurn); !strings.Contains(text, note) || strings.Contains(text, question) {
		t.Errorf("all shows:\n%s", text)
	}
}

func TestUnsupportedVersionIsShownNothing(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.version = "1.0.3"
	bob := h.peer("bob")
	c.run(client.BeforeTurn)
	question := bob.send("claude", "question", "q", "b")
	for _, e := range []client.Event{client.SessionStart, client.BeforeTurn, client.AfterTool, client.Stop} {
		if out := c.run(e); out != "" {
			t.Errorf("%s: %s", e, out)
		}
	}
	if s := bob.state("claude", question); s != "queued" {
		t.Errorf("the question is %s", s)
	}
	b := h.bindings()
	if len(b) != 1 || len(b[0].Modes) != 0 || b[0].ClientVersion != "1.0.3" || b[0].Capabilities != (schema.Capabilities{}) {
		t.Errorf("%+v", b)
	}
	if sent := bob.call("acc_message", `{"to":["claude"],"subject":"s","body":"b"}`); !strings.Contains(sent, "unsupported_client_version") {
		t.Errorf("the sender learns %s", sent)
	}
}

func TestEveryCallRenewsTheRoute(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Codex, "x1")
	c.version = "0.171.0"
	for _, e := range []client.Event{client.SessionStart, client.BeforeTurn, client.BeforeTool, client.AfterTool, client.Stop} {
		c.run(e)
		b := h.bindings()
		if len(b) != 1 || b[0].AdapterID != client.Codex || !b[0].Has(schema.NextTurn) || b[0].LeaseUntil.Sub(h.now).Seconds() != 120 || b[0].PID != 0 {
			t.Fatalf("after %s: %+v", e, b)
		}
	}
	c.run(client.SessionEnd)
	if b := h.bindings(); len(b) != 0 {
		t.Errorf("after the end: %+v", b)
	}
}

func TestStopHoldsOnce(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Gemini, "g1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	bob.send("gemini", "note", "n", "a note holds nothing")
	if out := c.run(client.Stop); out != "" {
		t.Errorf("held for a note: %s", out)
	}
	question := bob.send("gemini", "question", "q", "question body")
	if out := c.run(client.Stop, held); out != "" {
		t.Errorf("a turn that was held is held again: %s", out)
	}
	text := c.context(client.Stop)
	inOrder(t, text, stopHead, "question "+question, "> question body")
	if strings.Contains(text, "a note holds nothing") {
		t.Errorf("the hold shows what asks for nothing:\n%s", text)
	}
	if s := bob.state("gemini", question); s != "offered gemini" {
		t.Errorf("the question is %s", s)
	}
	if out := c.run(client.Stop); out != "" {
		t.Errorf("held twice: %s", out)
	}
}

// A hold is counted before it is asked for: even where nothing else can be
// recorded, no turn is held for ever.
func TestStopHoldsOnceWhateverFails(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	question := bob.send("claude", "question", "q", "question body")
	c.out = broken{err: errBroken}
	if _, err := c.try(client.Input{Event: client.Stop}); err == nil {
		t.Fatal("a write into nothing succeeded")
	}
	c.out = nil
	if s := bob.state("claude", question); s != "queued transport_error" {
		t.Errorf("the question is %s", s)
	}
	if out := c.run(client.Stop); out != "" {
		t.Errorf("held twice: %s", out)
	}
	if text := c.context(client.BeforeTurn); !strings.Contains(text, "> question body") {
		t.Errorf("the question is lost:\n%s", text)
	}
	if s := bob.state("claude", question); s != "offered claude" {
		t.Errorf("the question is %s", s)
	}
}

// Half of an answer was not shown.
func TestPartOfAnAnswerIsNone(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	question := bob.send("claude", "question", "q", "b")
	for _, out := range []broken{{accept: 100, err: errBroken}, {accept: 100}} {
		c.out = out
		if _, err := c.try(client.Input{Event: client.BeforeTurn}); err == nil {
			t.Errorf("%+v: half an answer succeeded", out)
		}
		if s := bob.state("claude", question); s != "queued transport_error" {
			t.Errorf("%+v: the question is %s", out, s)
		}
	}
}

// dies is a process that ends after its bytes were written.
type dies struct{ strings.Builder }

func (d *dies) Write(p []byte) (int, error) {
	d.Builder.Write(p)
	panic("killed")
}

func TestCrashAfterTheWriteShowsItAgain(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	question := bob.send("claude", "question", "q", "question body")
	first := &dies{}
	c.out = first
	func() {
		defer func() { _ = recover() }()
		_, _ = c.try(client.Input{Event: client.BeforeTurn})
	}()
	if !strings.Contains(first.String(), question) || bob.state("claude", question) != "queued" {
		t.Fatalf("wrote %q, the question is %s", first.String(), bob.state("claude", question))
	}
	c.out = nil
	if text := c.context(client.BeforeTurn); !strings.Contains(text, "> question body") {
		t.Errorf("not shown again:\n%s", text)
	}
	if s := bob.state("claude", question); s != "offered claude" {
		t.Errorf("the question is %s", s)
	}
}
