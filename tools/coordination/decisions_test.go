package coordination

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"acc/schema"
)

// decide records a decision with more fields and gives its id.
func (c *client) decide(to, more string) string {
	c.t.Helper()
	return c.ok("acc_message", `{"to":[`+to+`],"subject":"d","body":"b","kind":"decision"`+more+`}`).str("message.messageId")
}

func supersedes(ids ...string) string { return `,"supersedes":["` + strings.Join(ids, `","`) + `"]` }

func withdraws(ids ...string) string { return `,"withdraws":["` + strings.Join(ids, `","`) + `"]` }

// status is state, head, conflict, number of heads, current and group.
func (c *client) status(id string) string {
	c.t.Helper()
	a := c.ok("acc_sync", `{"scope":"history","messageId":`+quoted(id)+`}`)
	current := "-"
	if a.at("decisionStatus.currentMessageId") != nil {
		current = a.str("decisionStatus.currentMessageId")
	}
	return fmt.Sprintf("%s head=%v conflict=%v heads=%v current=%s group=%s", a.str("decisionStatus.state"), a.at("decisionStatus.isHead"),
		a.at("decisionStatus.conflicted"), a.at("decisionStatus.headCount"), current, a.str("decisionStatus.groupId"))
}

func TestDecisionChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	a := alice.decide("", "")
	equal(t, "alone", alice.status(a), "current head=true conflict=false heads=1 current="+a+" group="+a)
	b := alice.decide("", supersedes(a))
	c := alice.decide("", supersedes(b))
	equal(t, "first", alice.status(a), "superseded head=false conflict=false heads=1 current="+c+" group="+a)
	equal(t, "middle", alice.status(b), "superseded head=false conflict=false heads=1 current="+c+" group="+a)
	equal(t, "last", alice.status(c), "current head=true conflict=false heads=1 current="+c+" group="+a)

	d := alice.decide("", withdraws(c))
	equal(t, "first", alice.status(a), "withdrawn head=false conflict=false heads=1 current="+d+" group="+a)
	equal(t, "withdrawal", alice.status(d), "withdrawn head=true conflict=false heads=1 current="+d+" group="+a)
}

func TestDecisionForkAndMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	root := alice.decide("", "")
	left, right := alice.decide("", supersedes(root)), bob.decide("", withdraws(root))
	equal(t, "root", alice.status(root), "superseded head=false conflict=true heads=2 current=- group="+root)
	equal(t, "left", alice.status(left), "current head=true conflict=true heads=2 current=- group="+root)
	equal(t, "right", alice.status(right), "withdrawn head=true conflict=true heads=2 current=- group="+root)

	other := bob.decide("", "")
	merge := bob.decide("", supersedes(left, right, other))
	equal(t, "merge", alice.status(merge), "current head=true conflict=false heads=1 current="+merge+" group="+root)
	equal(t, "other", alice.status(other), "superseded head=false conflict=false heads=1 current="+merge+" group="+root)
}

func TestDecisionConflictIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	root := alice.decide(`"bob"`, "")
	left, right := alice.decide("", supersedes(root)), bob.decide("", supersedes(root))
	current := alice.ok("acc_sync", `{"scope":"history","kind":"decision","current":true}`)
	equal(t, "heads", current.column("items", "messageId"), []string{right, left})
	current.want("items.0.decisionStatus.conflicted", `true`)
	// Both are mail still.
	equal(t, "bob", bob.ok("acc_inbox", `{}`).column("items", "message.messageId"), []string{left})
	equal(t, "alice", alice.ok("acc_inbox", `{}`).column("items", "message.messageId"), []string{right})
}

func TestCurrentDecisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	a := alice.decide("", "")
	alone := alice.decide("", "")
	b := alice.decide("", supersedes(a))
	gone := alice.decide("", withdraws(alone))
	alice.send("alice", "noise")
	list := alice.ok("acc_sync", `{"scope":"history","kind":"decision","current":true}`)
	equal(t, "current", list.column("items", "messageId"), []string{gone, b})
	ids, _ := walk(alice, "acc_sync", `{"scope":"history","kind":"decision","current":true,"limit":1}`, "messageId", nothing)
	equal(t, "pages", ids, []string{gone, b})
	all := alice.ok("acc_sync", `{"scope":"history","kind":"decision","current":false}`)
	equal(t, "all", len(all.list("items")), 4)
}

func TestDecisionTargets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	note := alice.send("alice", "s")
	w.unchanged("a note as a target", func() {
		alice.refused("acc_message", `{"to":[],"subject":"d","body":"b","kind":"decision"`+supersedes(note)+`}`, schema.ReasonDecisionUnknown)
		alice.refused("acc_message", `{"to":[],"subject":"d","body":"b","kind":"decision"`+withdraws(someMessage)+`}`, schema.ReasonDecisionUnknown)
	})
	var ids []string
	for range 17 {
		ids = append(ids, alice.decide("", ""))
	}
	alice.refused("acc_message", `{"to":[],"subject":"d","body":"b","kind":"decision"`+supersedes(ids...)+`}`, schema.ReasonInvalidField)
	alice.decide("", supersedes(ids[:16]...))
}

// TestInheritance: whoever a decision concerned hears of its change.
func TestInheritance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob, carol, dave := w.join("alice"), w.join("bob"), w.join("carol"), w.join("dave")
	toBob := alice.decide(`"bob"`, "")
	dave.ok("acc_finish", `{"goal":"g"}`)
	toRoom := carol.decide("", "") // alice and bob hold receipts
	bob.kill()
	carol.ok("acc_finish", `{"goal":"g"}`)
	w.join("erin") // arrived later
	w.pass(time.Hour)

	change := alice.ok("acc_message", `{"to":["dave"],"subject":"d","body":"b","kind":"decision","obligation":"acknowledge"`+supersedes(toBob, toRoom)+`}`)
	change.want("message.toParticipantIds", `["dave","bob","carol"]`)
	change.want("message.obligation", `"acknowledge"`)
	equal(t, "delivery", change.column("delivery", "recipientParticipantId"), []string{"dave", "bob", "carol"})

	inherited := bob.decide("", withdraws(toRoom))
	history := bob.ok("acc_sync", `{"scope":"history","messageId":`+quoted(inherited)+`}`)
	history.want("items.0.toParticipantIds", `["carol","alice"]`)
	history.want("items.0.obligation", `"none"`)
}

func TestReplacedDecisionLeavesTheInbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	old := alice.decide(`"bob"`, `,"obligation":"acknowledge"`)
	equal(t, "before", bob.attention(), []string{"acknowledgement_required " + old})
	receipt := bob.ok("acc_inbox", `{}`).at("items.0.receipt")

	fresh := alice.decide("", supersedes(old))
	inbox := bob.ok("acc_inbox", `{}`)
	equal(t, "inbox", inbox.column("items", "message.messageId"), []string{fresh})
	status := bob.ok("acc_status", `{}`)
	status.want("attention", `[]`)
	status.want("counts.unretrieved", `1`)
	status.want("participants.1.unretrieved", `{"queued":1,"offered":0}`)

	// The target and its receipt are as they were; an exact read keeps working.
	history := bob.ok("acc_sync", `{"scope":"history","messageId":`+quoted(old)+`}`)
	history.want("receipts.0.state", `"queued"`)
	equal(t, "receipt", receipt.(map[string]any)["state"], any("queued"))
	read := bob.ok("acc_inbox", `{"messageId":`+quoted(old)+`}`)
	read.want("0.decisionStatus.state", `"superseded"`)
	bob.ok("acc_ack", `{"messageId":`+quoted(old)+`}`)
}

func TestReplacedDecisionTroublesNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	old := alice.decide(`"bob"`, `,"obligation":"acknowledge"`)
	bob.kill()
	equal(t, "before", alice.attention(), []string{"recipient_unavailable " + old})
	alice.decide("", withdraws(old))
	equal(t, "after", alice.attention(), []string{})

	// A replaced decision is no open mail.
	bob = w.join("bob")
	withdrawal := bob.ok("acc_inbox", `{}`).str("items.0.message.messageId")
	bob.ok("acc_inbox", `{"messageId":`+quoted(withdrawal)+`}`)
	alice.ok("acc_finish", `{"goal":"g","toParticipantId":"alice"}`)
	bob.ok("acc_sync", `{}`).want("solo", `true`)
}

func TestLongChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	first := alice.decide("", "")
	last := first
	const length = 300
	for range length {
		last = alice.decide("", supersedes(last))
	}
	equal(t, "first", alice.status(first), "superseded head=false conflict=false heads=1 current="+last+" group="+first)
	alice = alice.restart()
	equal(t, "restarted", alice.status(first), "superseded head=false conflict=false heads=1 current="+last+" group="+first)
}
