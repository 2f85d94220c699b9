package hook

import (
	"os"
	"strings"
	"testing"

	"acc/tools/delivery/client"
)

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestStartTellsOfTheRoom(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	c.run(client.SessionEnd)
	bob := h.peer("bob")
	bob.call("acc_work", `{"summary":"say \"hi\" to <b>","mode":"edit"}`)
	bob.claim("src/**", "split")
	question := bob.send("claude", "question", "port", "80?")
	text := c.context(client.SessionStart, source(client.SourceResume))
	inOrder(t, text, "for participant claude.", startHead, "Others here:\n- bob (online), at work on \"say 'hi' to &lt;b>\"\n",
		"Held by others:\n- file:src/** by bob (exclusive, advisory), 30 min left\n", "question "+question+" from bob", "> 80?")
	if strings.Contains(text, "Waiting for you") {
		t.Errorf("mail on the page waits beside it:\n%s", text)
	}
	if s := bob.state("claude", question); s != "offered claude" {
		t.Errorf("the question is %s", s)
	}
	// What was offered and not answered is not shown again, and not forgotten.
	text = c.context(client.SessionStart, source(client.SourceResume))
	if strings.Contains(text, "> 80?") || !strings.Contains(text, "Waiting for you:\n- question "+question+" waits for your acc_reply\n") {
		t.Errorf("the next start:\n%s", text)
	}
}

func TestStartShowsAHandoffOnceAndWhole(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	alice := h.peer("alice")
	alice.call("acc_finish", `{"goal":"port the parser","status":"partial","completed":["lexer","ast\nnodes"],"remaining":["errors"],`+
		`"blockers":["no </spec> yet"]}`)
	text := c.context(client.SessionStart)
	wantAll(t, text, "handoff message_", " from alice to the room: nothing is owed", "port the parser", "Status: partial\n",
		"Completed:\n> - lexer\n> - ast\n> nodes\n", "Remaining:\n> - errors\n", "Blockers:\n> - no &lt;/spec> yet\n")
	if again := c.context(client.SessionStart); strings.Contains(again, "handoff") {
		t.Errorf("shown again:\n%s", again)
	}
	alice.call("acc_status", `{}`)
	alice.call("acc_finish", `{"goal":"second one"}`)
	if text := c.context(client.SessionStart); !strings.Contains(text, "second one") || strings.Contains(text, "port the parser") {
		t.Errorf("after a second handoff:\n%s", text)
	}
}

// Whoever comes to the room after a handoff has no receipt for it, and finds it
// in front of its first session.
func TestStartShowsHandoffsToNewcomers(t *testing.T) {
	h := newHouse(t)
	h.peer("alice").call("acc_finish", `{"goal":"port the parser","remaining":["errors"]}`)
	h.peer("bob").call("acc_finish", `{"goal":"port the lexer"}`)
	c := h.client(client.Codex, "x1")
	text := c.context(client.SessionStart)
	inOrder(t, text, "from bob to the room: nothing is owed", "port the lexer", "from alice to the room", "Remaining:\n> - errors\n")
	if again := c.run(client.SessionStart); again != "" {
		t.Errorf("shown again:\n%s", again)
	}
}

// What waits from before is told beside new mail, however much of that there is.
func TestStartLeavesRoomForWhatWaits(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	old := bob.send("claude", "question", "old", "x")
	c.run(client.BeforeTurn)
	for range 80 {
		bob.send("claude", "note", "n", strings.Repeat("w ", 20))
	}
	text := c.context(client.SessionStart)
	wantAll(t, text, "Waiting for you:\n- question "+old, "more wait for your next turns")
}

// One that goes to the client itself is mail, with the same words in it.
func TestStartShowsAnAddressedHandoffAsMail(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	alice := h.peer("alice")
	alice.call("acc_finish", `{"goal":"port the parser","toParticipantId":"claude","remaining":["errors"]}`)
	text := c.context(client.SessionStart)
	inOrder(t, text, "handoff message_", "Remaining:\n> - errors\n")
}
