package coordination

import (
	"os"
	"testing"
	"time"

	"acc/schema"
	"acc/tools"
)

// collect gathers the caller's mail and gives the ids of what is in the parcel.
func (c *client) collect(pick Pick) (*Parcel, []string) {
	c.t.Helper()
	p, err := c.room.Collect(c.t.Context(), tools.Caller{Harness: c.harness}, pick)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(p.Close)
	var ids []string
	for _, l := range p.Letters {
		ids = append(ids, l.Message.MessageID)
	}
	return p, ids
}

// collects holds what is in a parcel to a list, and gives it back.
func (c *client) collects(label string, pick Pick, want ...string) {
	c.t.Helper()
	p, ids := c.collect(pick)
	equal(c.t, label, ids, want)
	p.Close()
}

// receipt is what is recorded of a message in the client's inbox.
func (c *client) receipt(id string) answer {
	c.t.Helper()
	for _, item := range c.ok("acc_inbox", `{}`).list("items") {
		if a := answerOf(c.t, item); a.str("message.messageId") == id {
			return answerOf(c.t, a.at("receipt"))
		}
	}
	c.t.Fatalf("%s has no open receipt of %s", c.name, id)
	return answer{}
}

var everything = Pick{Policy: schema.DeliverAll}

func TestCollectOrderAndPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.collects("an empty inbox", everything)
	note := alice.send("bob", "n")
	decision := alice.decide(`"bob"`, `,"obligation":"acknowledge"`)
	question := alice.ask("bob", "q")
	later := alice.ask("bob", "q2")
	bob.send("bob", "to myself")

	bob.collects("everything but one", Pick{Policy: schema.DeliverAll, Max: 4}, question, later, decision, note)
	bob.collects("what asks for something", Pick{Policy: schema.DeliverActionable}, question, later, decision)
	bob.collects("nothing", Pick{Policy: schema.DeliverNothing})
	bob.collects("the recipient's policy, which is off", Pick{})
	skip := func(id string) bool { return id == question }
	bob.collects("the next one", Pick{Policy: schema.DeliverActionable, Skip: skip, Max: 1}, later)

	// What was read, or replaced, is not offered.
	bob.ok("acc_inbox", `{"messageId":`+quoted(question)+`}`)
	alice.decide(`"bob"`, supersedes(decision))
	bob.collects("open and standing", Pick{Policy: schema.DeliverActionable}, later)
}

func TestLetterIsAnExactRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.decide(`"bob"`, `,"obligation":"acknowledge"`)
	p, _ := bob.collect(everything)
	letter := answerOf(t, p.Letters[0])
	p.Close()
	read := bob.ok("acc_inbox", `{"messageId":`+quoted(id)+`}`)
	letter.want("message", answerOf(t, read.at("0.message")).text)
	letter.want("decisionStatus", answerOf(t, read.at("0.decisionStatus")).text)
	letter.want("trust", `"untrusted peer content"`)
	letter.want("receipt.state", `"queued"`)
}

func TestTakeLeavesTheRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	ids := []string{alice.ask("bob", "1"), alice.ask("bob", "2"), alice.ask("bob", "3"), alice.ask("bob", "4")}
	asked := 0
	p, got := bob.collect(Pick{Policy: schema.DeliverAll, Take: func(l Letter) (take, more bool) {
		asked++
		return l.Message.MessageID != ids[1], l.Message.MessageID != ids[2]
	}})
	equal(t, "taken", got, []string{ids[0], ids[2]})
	equal(t, "asked", asked, 3)
	equal(t, "left", p.Left, 2)
}

// TestOnlyOneOffers has two adapters of one recipient collect at once.
func TestOnlyOneOffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	other := w.start("bob")
	id := alice.ask("bob", "q")
	held, ids := bob.collect(everything)
	equal(t, "the first", ids, []string{id})
	other.collects("the second", everything)
	if err := held.Accepted(t.Context(), "exec"); err != nil {
		t.Fatal(err)
	}
	other.collects("the second, still", everything)
	held.Close()
	other.collects("what was offered", everything)
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.ask("bob", "q")
	before := bob.cursor()
	p, _ := bob.collect(everything)
	w.pass(time.Minute)
	for range 2 { // the second time there is nothing to record
		if err := p.Accepted(t.Context(), "exec"); err != nil {
			t.Fatal(err)
		}
	}
	receipt := bob.receipt(id)
	receipt.want("state", `"offered"`)
	receipt.want("offered", `{"transport":"exec","at":"2026-11-30T12:01:00.000Z"}`)
	types, _ := bob.events(before)
	equal(t, "events", types, []string{"receipt.offered"})
}

func TestAcceptedNeverGoesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.ask("bob", "q")
	p, _ := bob.collect(everything)
	bob.ok("acc_inbox", `{"messageId":`+quoted(id)+`}`) // read in mid-offer
	bob.quiet("recording after all", func() {
		w.unchanged("recording after all", func() {
			if err := p.Accepted(t.Context(), "exec"); err != nil {
				t.Error(err)
			}
			if err := p.Refused(t.Context(), "exec", schema.TransportError); err != nil {
				t.Error(err)
			}
		})
	})
}

func TestRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.ask("bob", "q")
	p, _ := bob.collect(everything)
	refuse := func(why schema.DeliveryError) {
		t.Helper()
		if err := p.Refused(t.Context(), "exec", why); err != nil {
			t.Fatal(err)
		}
	}
	bob.quiet("an attempt", func() { refuse(schema.RecipientBusy) })
	busy := `{"transport":"exec","at":"2026-11-30T12:00:00.000Z","errorCode":"recipient_busy"}`
	bob.receipt(id).want("attempt", busy)
	bob.receipt(id).want("state", `"queued"`)

	// The same again is no news; another trouble is.
	w.pass(time.Minute)
	w.unchanged("busy again", func() { refuse(schema.RecipientBusy) })
	refuse(schema.TransportRejected)
	bob.receipt(id).want("attempt.errorCode", `"transport_rejected"`)
	bob.receipt(id).want("attempt.at", `"2026-11-30T12:01:00.000Z"`)

	// Once it is offered, no attempt is left.
	if err := p.Accepted(t.Context(), "exec"); err != nil {
		t.Fatal(err)
	}
	if r := bob.receipt(id).value.(map[string]any); r["attempt"] != nil {
		t.Errorf("left: %v", r["attempt"])
	}
}

// TestRecipientFinishesInMidOffer wants the record to say what happened.
func TestRecipientFinishesInMidOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.ask("bob", "q")
	p, _ := bob.collect(everything)
	bob.ok("acc_finish", `{"goal":"done"}`)
	if err := p.Accepted(t.Context(), "exec"); err != nil {
		t.Fatal(err)
	}
	p.Close()
	history := alice.ok("acc_sync", `{"scope":"history","messageId":`+quoted(id)+`}`)
	history.want("receipts.0.state", `"offered"`)
}

// TestRoomGoesInMidOffer wants no room to be made for a record.
func TestRoomGoesInMidOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	alice.ask("bob", "q")
	p, _ := bob.collect(everything)
	if err := os.RemoveAll(w.dir + "/.acc"); err != nil {
		t.Fatal(err)
	}
	if err := p.Accepted(t.Context(), "exec"); err == nil {
		t.Error("it was recorded nowhere, and that is no error")
	}
	if _, err := os.Stat(w.dir + "/.acc"); !os.IsNotExist(err) {
		t.Errorf("a room was made: %v", err)
	}
	// In another room there is no such receipt, and nothing to record.
	w.join("carol")
	w.unchanged("recording", func() {
		if err := p.Accepted(t.Context(), "exec"); err != nil {
			t.Error(err)
		}
	})
}
