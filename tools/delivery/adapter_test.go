package delivery

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

// never is a poll that no test lives to see.
const never = time.Hour

func TestSenderLearnsOfTheOffer(t *testing.T) {
	w := newWorld(t)
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Policy, c.Poll = h, schema.DeliverActionable, never })
	a.note("policy actionable:")
	h.takes <- ""
	sent := w.ask("q")
	w.told(sent, schema.Offered, "")
	if sent.Delivery[0].Transport != "hand" {
		t.Errorf("by %s", sent.Delivery[0].Transport)
	}
	h.next(t, sent.Message.MessageID)
	a.outcome("offered", sent.Message.MessageID, "")

	for _, code := range []schema.DeliveryError{schema.RecipientBusy, schema.TransportRejected, schema.TransportError} {
		h.takes <- code
		sent = w.ask(string(code))
		w.told(sent, schema.Queued, code)
		h.next(t, sent.Message.MessageID)
		a.outcome("refused", sent.Message.MessageID, code)
		h.takes <- ""
		h.next(t, sent.Message.MessageID)
		a.outcome("offered", sent.Message.MessageID, "")
	}
}

// TestOthersGoOnMeanwhile has one message that is never taken.
func TestOthersGoOnMeanwhile(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	stuck := w.ask("1").Message.MessageID
	second, third := w.ask("2").Message.MessageID, w.ask("3").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Poll = h, never })
	h.next(t, stuck)
	h.takes <- schema.RecipientBusy
	if o := a.outcome("refused", stuck, schema.RecipientBusy); o.RetryIn() != firstPause {
		t.Errorf("again in %s", o.RetryIn())
	}
	for _, id := range []string{second, third} {
		h.next(t, id)
		h.takes <- ""
		a.outcome("offered", id, "")
	}
	h.next(t, stuck)
	h.takes <- schema.RecipientBusy
	if o := a.outcome("refused", stuck, schema.RecipientBusy); o.RetryIn() != 2*firstPause {
		t.Errorf("again in %s", o.RetryIn())
	}
	h.next(t, stuck)
	h.takes <- ""
	a.outcome("offered", stuck, "")
}

func TestPolicyIsSwitchedOffInMidOffer(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	first, second := w.ask("1").Message.MessageID, w.ask("2").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Poll = h, never })
	h.next(t, first)
	w.policy(schema.DeliverNothing)
	h.takes <- "" // it was taken all the same, and that is what is recorded
	a.outcome("offered", first, "")
	a.note("policy off:")
	if r := w.receipts(); r[first].State != schema.Offered || r[second].State != schema.Queued || r[second].Attempt != nil {
		t.Errorf("recorded: %+v", r)
	}
	w.told(w.ask("3"), schema.Queued, schema.DeliveryDisabled)
	// An adapter that had offered something would hang in that now.
	w.policy(schema.DeliverActionable)
	a.note("policy actionable:")
	h.next(t, second)
}

func TestRecipientFinishesInMidOffer(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	first, second := w.ask("1").Message.MessageID, w.ask("2").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) {
		c.Transport, c.Poll = h, never
		c.Room.ParticipantID, c.Room.Credentials = "", &coordination.Credentials{SessionID: w.bob.SessionID, Generation: w.bob.Generation}
	})
	h.next(t, first)
	w.call(w.pair(w.bob), "acc_finish", `{"goal":"g"}`, nil)
	h.takes <- ""
	a.outcome("offered", first, "")
	a.note("has ended")
	a.end()
	if r := w.receipts(); r[first].State != schema.Offered || r[second].State != schema.Queued {
		t.Errorf("recorded: %+v", r)
	}
	w.told(w.ask("3"), schema.Queued, schema.RecipientUnavailable)
}

func TestAmbiguousSessions(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	other := w.attach("bob")
	waiting := w.ask("1").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Poll = h, never })
	a.note("has several sessions")
	a.note("Name one with --session")
	w.waitFor(func(r map[string]schema.Receipt) bool {
		return r[waiting].Attempt != nil && r[waiting].Attempt.ErrorCode == schema.AmbiguousSessions
	})
	w.call(w.pair(other), "acc_finish", `{"goal":"g"}`, nil)
	h.next(t, waiting)
	h.takes <- ""
	a.outcome("offered", waiting, "")
}

// waitFor waits until bob's receipts say something.
func (w *world) waitFor(what func(map[string]schema.Receipt) bool) {
	w.t.Helper()
	w.until("receipts", func() bool { return what(w.receipts()) })
}

func TestAdapterOutlivesItsRoom(t *testing.T) {
	w := newWorld(t)
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Policy, c.Poll = h, schema.DeliverAll, 20*time.Millisecond })
	a.note("serving bob (" + w.bob.SessionID)
	if err := w.alice.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, ".acc")); err != nil {
		t.Fatal(err)
	}
	a.note("there is no room here")
	w.bob = w.attach("bob")
	a.note("serving bob (" + w.bob.SessionID)
	a.note("policy all:")
	h.takes <- ""
	w.alice = w.room(coordination.Config{ParticipantID: "alice"})
	id := w.ask("in the next room").Message.MessageID
	h.next(t, id)
	a.outcome("offered", id, "")
}

// TestStopFinishesWhatIsInHand ends an adapter while it hands a message over.
func TestStopFinishesWhatIsInHand(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	first, second := w.ask("1").Message.MessageID, w.ask("2").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport = h })
	h.next(t, first)
	a.stop()
	h.takes <- ""
	a.outcome("offered", first, "")
	a.end()
	if r := w.receipts(); r[first].State != schema.Offered || r[second].State != schema.Queued {
		t.Errorf("recorded: %+v", r)
	}
	if left, _ := filepath.Glob(filepath.Join(w.dir, ".acc", "run", "bindings", "*")); len(left) != 0 {
		t.Errorf("the route is left: %v", left)
	}

	// Told a second time, it does not wait.
	b := w.serve(func(c *Config) { c.Transport = h })
	h.next(t, second)
	b.stop()
	b.kill()
	b.outcome("refused", second, schema.TransportError)
	b.end()
	if r := w.receipts()[second]; r.State != schema.Queued || r.Attempt.ErrorCode != schema.TransportError {
		t.Errorf("recorded: %+v", r)
	}
}

func TestSecondAdapterTakesOver(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	one, two := newHand(), newHand()
	a := w.serve(func(c *Config) { c.Transport, c.Poll = one, never })
	a.note("serving")
	b := w.serve(func(c *Config) { c.Transport, c.Poll = two, never })
	b.note("waiting to take over")
	one.takes <- ""
	id := w.ask("1").Message.MessageID
	one.next(t, id)
	a.outcome("offered", id, "")
	a.stop()
	a.end()
	b.note("serving")
	two.takes <- ""
	id = w.ask("2").Message.MessageID
	two.next(t, id)
	b.outcome("offered", id, "")
	if len(one.given) != 0 {
		t.Error("the first one was given more")
	}
}

func TestAdapterRefusesToBegin(t *testing.T) {
	w := newWorld(t)
	for label, cfg := range map[string]coordination.Config{
		"nobody":       {},
		"a wrong pair": {Credentials: &coordination.Credentials{SessionID: w.bob.SessionID, Generation: "00000000000000000000000000000000"}},
	} {
		err := New(Config{Room: w.config(cfg), Transport: newHand(), Report: &heard{t: t}}).Run(t.Context(), t.Context())
		if !schema.HasReason(err, schema.ReasonCallerUnresolved) {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// TestNobodyOfThatName: a name that is misspelt does not wait without a word.
func TestNobodyOfThatName(t *testing.T) {
	w := newWorld(t)
	var status coordination.Status
	w.call(w.alice, "acc_status", `{}`, &status)
	a := w.serve(func(c *Config) { c.Room.ParticipantID, c.Transport = "bobb", newHand() })
	a.note(`nobody here is named "bobb". Did you mean "bob"? Known: alice, bob. Waiting for bobb to come.`)
	w.attach("bobb")
	a.note("serving bobb")
	w.call(w.pair(w.bob), "acc_finish", `{"goal":"done"}`, &struct{}{})
	b := w.serve(func(c *Config) { c.Transport = newHand() })
	b.note("bob has no open session; waiting for one.")
}

// TestUnrecordedIsNotShownTwice lets the record of an accepted message fail.
func TestUnrecordedIsNotShownTwice(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	id := w.ask("q").Message.MessageID
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport = h; c.Room.Env.Disk = breakable(&failures) })
	h.next(t, id)
	failures.Store(true)
	h.takes <- ""
	a.note("could not")
	if w.receipts()[id].State != schema.Queued {
		t.Error("it was recorded after all")
	}
	failures.Store(false)
	a.outcome("offered", id, "")
	if len(h.given) != 0 {
		t.Error("it was shown twice")
	}
}

var errBroken = errors.New("the disk is broken")
