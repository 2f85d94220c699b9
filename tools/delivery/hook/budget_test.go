package hook

import (
	"fmt"
	"strings"
	"testing"

	"acc/tools/delivery/client"
)

func TestBudgetShowsWholeMessagesOldestFirst(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Codex, "x1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	var ids []string
	for i := range 20 {
		ids = append(ids, bob.send("codex", "note", fmt.Sprintf("note %d", i), strings.Repeat("w ", 600)+fmt.Sprintf("end of %d.", i)))
	}
	next, turns := 0, 0
	for turns < 20 {
		text := c.context(client.BeforeTurn)
		if text == "" {
			break
		}
		turns++
		if len(text) > Budget {
			t.Fatalf("turn %d has %d bytes", turns, len(text))
		}
		for next < len(ids) && strings.Contains(text, fmt.Sprintf("end of %d.", next)) {
			wantAll(t, text, "note "+ids[next]+" from bob", fmt.Sprintf(`Subject: "note %d"`, next))
			next++
		}
		if next < len(ids) {
			wantAll(t, text, fmt.Sprintf("%d more wait", len(ids)-next), `acc_inbox {"messageId":"`+ids[next]+`"}`)
		}
	}
	if next != len(ids) || turns < 3 || turns > 7 {
		t.Errorf("%d of %d messages in %d turns", next, len(ids), turns)
	}
}

func TestTooLongIsNamedOnceAndStaysQueued(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	long := bob.send("claude", "question", "long", strings.Repeat("w ", Budget))
	short := bob.send("claude", "note", "short", "short body")
	text := c.context(client.BeforeTurn)
	wantAll(t, text, "A question from bob, which asks for an answer, is too long", `acc_inbox {"messageId":"`+long+`"}`, "> short body")
	if strings.Contains(text, "w w") || strings.Contains(text, "more wait") {
		t.Errorf("cut, or counted twice:\n%s", text)
	}
	if l, s := bob.state("claude", long), bob.state("claude", short); l != "queued" || s != "offered claude" {
		t.Errorf("the long one is %s, the short one %s", l, s)
	}
	if again := c.run(client.BeforeTurn); again != "" {
		t.Errorf("named again: %s", again)
	}
	if text := c.context(client.Stop); !strings.Contains(text, long) {
		t.Errorf("the turn is not held for it: %q", text)
	}
	if again := c.run(client.Stop); again != "" {
		t.Errorf("held twice: %s", again)
	}
	if text := c.context(client.SessionStart, source("startup")); !strings.Contains(text, "is too long") {
		t.Errorf("a model that starts afresh is not told:\n%s", text)
	}
}

func TestPageIsAsLongAsTheBudget(t *testing.T) {
	for n, fits := range map[int]bool{0: true, 1: false} {
		p := newPage("claude", turnHead)
		p.add("first\n", 0)
		if p.add(strings.Repeat("x", p.left-1+n), 0) != fits || fits && len(p.text()) != Budget {
			t.Errorf("%d more: %d bytes", n, len(p.text()))
		}
	}
}

// The longest letter that is shown fits a page exactly; one byte more, and it
// is named.
func TestBudgetIsExact(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	bob := h.peer("bob")
	probe := bob.send("claude", "note", "s", "x")
	room := newPage("claude", turnHead).left - spareWaiting - 1 - len(c.contextOf(probe)) // beside a body of one byte
	for extra, shown := range map[int]bool{0: true, 1: false} {
		id := bob.send("claude", "note", "s", strings.Repeat("x", 1+room+extra))
		text := c.context(client.BeforeTurn)
		if strings.Contains(text, "too long") == shown || !strings.Contains(text, id) || len(text) > Budget {
			t.Errorf("%d more: %d bytes: %.300s", extra, len(text), text)
		}
	}
}

// contextOf shows a message that waits and gives the letter alone.
func (c *hooked) contextOf(id string) string {
	c.t.Helper()
	text := c.context(client.BeforeTurn)
	_, rest, _ := strings.Cut(text, turnHead+"\n")
	letter, _ := strings.CutSuffix(rest, frameEnd)
	if !strings.Contains(letter, id) {
		c.t.Fatalf("%s is not in %q", id, text)
	}
	return letter
}

// However many people, claims and handoffs there are, whatever they say, a
// start stays within the budget and loses no mail.
func TestStartStaysWithinTheBudget(t *testing.T) {
	h := newHouse(t)
	c := h.client(client.Claude, "c1")
	c.run(client.SessionStart)
	nasty := strings.Repeat("<&\u202e", 90)
	for _, name := range numbered(strings.Repeat("p", 60)+"%d", 12) {
		p := h.peer(name)
		p.call("acc_work", `{"summary":"`+nasty+`","mode":"edit"}`)
		p.claim(strings.Repeat("d/", 100)+name, "x")
		p.send("claude", "question", nasty, nasty)
	}
	for i := range 4 {
		h.peer(fmt.Sprint("leaver", i)).call("acc_finish", `{"goal":"`+nasty+`","remaining":["`+strings.Repeat("r ", 500)+`"]}`)
	}
	shown := 0
	e := client.SessionStart
	for range 20 {
		text := c.context(e)
		if text == "" {
			break
		}
		if len(text) > Budget {
			t.Errorf("%s has %d bytes", e, len(text))
		}
		shown += strings.Count(text, "Answer with acc_reply")
		e = client.BeforeTurn
	}
	if shown != 12 {
		t.Errorf("%d of 12 questions were shown", shown)
	}
}
