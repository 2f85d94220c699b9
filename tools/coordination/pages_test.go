package coordination

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"acc/schema"
)

// sendMany sends notes from one to the other and gives their ids, newest
// first, as pages show them.
func sendMany(from *client, to string, n int, subject string) []string {
	from.t.Helper()
	ids := make([]string, n)
	for i := range n {
		ids[n-1-i] = from.send(to, fmt.Sprintf("%s %d", subject, i))
	}
	return ids
}

// walk collects the ids of all pages from a first call on.
func walk(c *client, tool, args, member string, between func(page int)) (ids []string, sizes []int) {
	c.t.Helper()
	cursor := ""
	for page := 0; ; page++ {
		more := ""
		if cursor != "" {
			more = `,"cursor":` + quoted(cursor)
		}
		a := c.ok(tool, strings.TrimSuffix(args, "}")+more+`}`)
		if len(a.text) > 12000 {
			c.t.Errorf("page %d has %d bytes", page, len(a.text))
		}
		found := a.column("items", member)
		ids, sizes = append(ids, found...), append(sizes, len(found))
		if a.at("nextCursor") == nil {
			return ids, sizes
		}
		cursor = a.str("nextCursor")
		equal(c.t, "the cursor is the last id", cursor, found[len(found)-1])
		between(page)
	}
}

func nothing(int) {}

func TestInboxPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	sent := sendMany(alice, "bob", 41, "note")
	ids, sizes := walk(bob, "acc_sync", `{"scope":"history"}`, "messageId", nothing)
	equal(t, "ids", ids, sent)
	equal(t, "sizes", sizes, []int{20, 20, 1})
	ids, _ = walk(bob, "acc_inbox", `{"limit":null}`, "message.messageId", nothing) // bytes end these pages
	equal(t, "ids", ids, sent)
	ids, sizes = walk(bob, "acc_inbox", `{"limit":7}`, "message.messageId", nothing)
	equal(t, "ids", ids, sent)
	equal(t, "sizes", sizes, []int{7, 7, 7, 7, 7, 6})

	exact := bob.ok("acc_inbox", `{"limit":1,"cursor":`+quoted(sent[39])+`}`)
	exact.want("items.0.message.messageId", quoted(sent[40]))
	exact.want("nextCursor", `null`)
	bob.ok("acc_inbox", `{"cursor":`+quoted(sent[40])+`}`).want("items", `[]`)
}

// TestPageBytes fills pages to the ceiling whatever the limit says.
func TestPageBytes(t *testing.T) {
	t.Parallel()
	for label, subject := range map[string]string{
		"long": strings.Repeat("a", 490), "three bytes": strings.Repeat("\u20ac", 490), "four bytes": strings.Repeat("\U0001f600", 490),
		"quotes": strings.Repeat(`"`, 490), "angles": strings.Repeat("<&>", 160), "short": "s",
	} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		sent := sendMany(alice, "bob", 30, subject)
		ids, sizes := walk(bob, "acc_inbox", `{"limit":500}`, "message.messageId", nothing)
		equal(t, label, ids, sent)
		if sizes[0] >= 25 || sizes[0] < 9 {
			t.Errorf("%s: the first page has %d items", label, sizes[0])
		}
		first := bob.ok("acc_inbox", `{"limit":500}`)
		for _, s := range first.column("items", "message.subject") {
			if len(s) > 160 {
				t.Errorf("%s: a subject of %d bytes", label, len(s))
			}
		}
		// One more item would not have fitted.
		item := answerOf(t, first.list("items")[0]).text
		if room := 12000 - len(first.text); room > len(item)+6*strings.Count(item, "\n")+8 {
			t.Errorf("%s: %d bytes of the page are unused", label, room)
		}
		ids, _ = walk(bob, "acc_sync", `{"scope":"history","limit":500}`, "messageId", nothing)
		equal(t, label, ids, sent)
	}
}

func TestSubjectIsCutInsideItsLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	for subject, want := range map[string]string{
		strings.Repeat("a", 160):           strings.Repeat("a", 160),
		strings.Repeat("a", 161):           strings.Repeat("a", 157) + "\u2026",
		strings.Repeat("\U0001f600", 41):   strings.Repeat("\U0001f600", 39) + "\u2026",
		"a" + strings.Repeat("\u20ac", 53): "a" + strings.Repeat("\u20ac", 53),
		"a" + strings.Repeat("\u20ac", 54): "a" + strings.Repeat("\u20ac", 52) + "\u2026",
	} {
		alice.send("bob", subject)
		bob.ok("acc_inbox", `{"limit":1}`).want("items.0.message.subject", quoted(want))
	}
}

func TestAnchorMayBeReadBetweenPages(t *testing.T) {
	t.Parallel()
	for label, settle := range map[string]func(c *client, id string){
		"read":  func(c *client, id string) { c.ok("acc_inbox", `{"messageId":`+quoted(id)+`}`) },
		"acked": func(c *client, id string) { c.ok("acc_ack", `{"messageId":`+quoted(id)+`}`) },
	} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		sent := sendMany(alice, "bob", 12, "note")
		var late []string
		ids, _ := walk(bob, "acc_inbox", `{"limit":5}`, "message.messageId", func(page int) {
			settle(bob, sent[page*5+4]) // the anchor
			late = append(late, alice.send("bob", "late"))
		})
		equal(t, label, ids, sent)
		// Arrivals show on a poll without cursor only.
		slices.Reverse(late)
		equal(t, label, bob.ok("acc_inbox", `{}`).column("items", "message.messageId")[:2], late)
	}
}

func TestCursorsThatBelongElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	toAlice := bob.send("alice", "s")
	toBob := alice.send("bob", "s")
	e := bob.refused("acc_inbox", `{"cursor":`+quoted(toAlice)+`}`, schema.ReasonCursorUnknown)
	if !strings.Contains(e.Message, "without a cursor") {
		t.Errorf("no advice in %q", e.Message)
	}
	bob.refused("acc_inbox", `{"cursor":"`+someMessage+`"}`, schema.ReasonCursorUnknown)
	bob.ok("acc_inbox", `{"cursor":`+quoted(toBob)+`}`)

	bob.refused("acc_sync", `{"scope":"history","cursor":"`+someMessage+`"}`, schema.ReasonCursorUnknown)
	bob.refused("acc_sync", `{"scope":"history","kind":"handoff","cursor":`+quoted(toBob)+`}`, schema.ReasonCursorUnknown)
	bob.ok("acc_sync", `{"scope":"history","kind":"note","cursor":`+quoted(toAlice)+`}`)
	bob.refused("acc_sync", `{"cursor":"0000000000000999"}`, schema.ReasonCursorUnknown)
}

func TestHistoryFiltersBeforePaging(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	var questions []string
	for i := range 25 {
		questions = append(questions, alice.ask("bob", strconv.Itoa(i)))
		alice.send("bob", "noise")
		w.pass(2 * time.Hour) // over several days
	}
	slices.Reverse(questions)
	ids, sizes := walk(bob, "acc_sync", `{"scope":"history","kind":"question","limit":10}`, "messageId", nothing)
	equal(t, "ids", ids, questions)
	equal(t, "sizes", sizes, []int{10, 10, 5})
	for _, kind := range bob.ok("acc_sync", `{"scope":"history","kind":"question"}`).column("items", "kind") {
		equal(t, "kind", kind, "question")
	}
}

// TestClockThatIsSetBack: order stays the order of sending.
func TestClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	sent := sendMany(alice, "bob", 6, "before")
	w.pass(-time.Hour)
	sent = append(sendMany(alice, "bob", 6, "after"), sent...)
	if !slices.IsSortedFunc(sent, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("ids do not increase: %v", sent)
	}
	ids, _ := walk(bob, "acc_inbox", `{"limit":5}`, "message.messageId", nothing)
	equal(t, "inbox", ids, sent)
	ids, _ = walk(bob, "acc_sync", `{"scope":"history","limit":5}`, "messageId", nothing)
	equal(t, "history", ids, sent)
	times := bob.ok("acc_inbox", `{}`).column("items", "message.sentAt")
	if !slices.IsSortedFunc(times, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("times go backwards: %v", times)
	}
}

func TestEventPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	sendMany(alice, "bob", 110, "n")
	first := bob.ok("acc_sync", `{}`)
	equal(t, "default", len(first.list("events")), 100)
	equal(t, "cursor", first.str("cursor"), "0000000000000100")
	rest := bob.ok("acc_sync", `{"cursor":"0000000000000100","limit":500}`)
	equal(t, "rest", len(rest.list("events")), 14)
	equal(t, "first of the rest", rest.str("events.0.cursor"), "0000000000000101")
	none := bob.ok("acc_sync", `{"cursor":"0000000000000114"}`)
	none.want("events", `[]`)
	none.want("cursor", `"0000000000000114"`)
}
