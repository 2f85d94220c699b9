package coordination

import (
	"errors"
	"os"
	"strconv"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// courier is an adapter process of the world.
type courier struct {
	*Courier
	t   *testing.T
	w   *world
	pid int
}

// courierOf starts an adapter: for a participant, or with a pair.
func (w *world) courierOf(participant string, pair *Attached) *courier {
	w.t.Helper()
	w.pids++
	cfg := Config{
		ParticipantID: participant, Env: w.env(fsstore.Process{Host: "box", PID: w.pids, Start: strconv.Itoa(w.pids)}),
		Workspace: fsstore.Workspace{Root: w.dir, Checkout: w.dir, Initialised: true},
	}
	if pair != nil {
		cfg.Credentials = &Credentials{SessionID: pair.SessionID, Generation: pair.Generation}
	}
	w.alive[w.pids] = true
	c := &courier{NewCourier(cfg, Adapter{ID: "exec", Modes: []schema.DeliveryMode{schema.LivePush}}), w.t, w, w.pids}
	w.t.Cleanup(func() { _ = c.Close() })
	return c
}

// stands holds the courier to a post, and to the session that it serves.
func (c *courier) stands(label string, post Post, sessions ...string) Standing {
	c.t.Helper()
	s, err := c.Look(c.t.Context())
	if err != nil {
		c.t.Fatalf("%s: %v", label, err)
	}
	got := s.Sessions
	if s.SessionID != "" && got == nil {
		got = []string{s.SessionID}
	}
	if s.Post != post {
		c.t.Errorf("%s: it %s, want %s", label, s.Post, post)
	}
	equal(c.t, label, got, sessions)
	return s
}

// bound are the sessions that routes are recorded for.
func (w *world) bound() []string {
	w.t.Helper()
	var found []string
	for _, b := range w.bindings() {
		found = append(found, b.SessionID)
	}
	return found
}

func (w *world) bindings() (all []schema.Binding) {
	w.t.Helper()
	c := w.command(Config{})
	if err := c.room.view(w.t.Context(), func(v *fsstore.View) (err error) {
		all, err = v.Bindings()
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
	return all
}

func TestCourierFollowsItsParticipant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("alice")
	c := w.courierOf("bob", nil)
	c.stands("nobody yet", Waits)
	first, cli := w.attach("bob")
	equal(t, "unbound", len(w.bound()), 0)
	c.stands("there", Serves, first.SessionID)
	equal(t, "bound", w.bound(), []string{first.SessionID})
	w.unchanged("looking again", func() { c.stands("still there", Serves, first.SessionID) })

	// Looking is no sign of life.
	w.pass(time.Hour)
	equal(t, "presence", w.join("alice").presenceOf("bob"), "offline")
	c.stands("the only one, away", Serves, first.SessionID)

	second, _ := w.attach("bob")
	c.stands("the one that is there", Serves, second.SessionID)
	equal(t, "bound", w.bound(), []string{second.SessionID})
	cli.ok("acc_status", `{}`)
	c.stands("both are there", Ambiguous, first.SessionID, second.SessionID)
	equal(t, "unbound", len(w.bound()), 0)

	w.pair(second.SessionID, second.Generation).ok("acc_finish", `{"goal":"g"}`)
	c.stands("one has finished", Serves, first.SessionID)
	w.pass(time.Hour)
	third, _ := w.attach("bob")
	w.pass(time.Hour)
	c.stands("all are away: the newest", Serves, third.SessionID)
	cli.ok("acc_finish", `{"goal":"g"}`)
	w.pair(third.SessionID, third.Generation).ok("acc_finish", `{"goal":"g"}`)
	c.stands("all have finished", Waits)
}

func TestCourierOfAPair(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, cli := w.attach("bob")
	two, _ := w.attach("bob")
	c := w.courierOf("", &one)
	s := c.stands("exactly that one", Serves, one.SessionID)
	if s.ParticipantID != "bob" {
		t.Errorf("it is for %s", s.ParticipantID)
	}
	wrong := one
	wrong.Generation = two.Generation
	if _, err := w.courierOf("", &wrong).Look(t.Context()); !schema.HasReason(err, schema.ReasonCallerUnresolved) {
		t.Errorf("with a wrong pair: %v", err)
	}

	// One more for the other session: then nobody knows.
	other := w.courierOf("", &two)
	other.stands("the other", Ambiguous, one.SessionID, two.SessionID)
	c.stands("and the first", Ambiguous, one.SessionID, two.SessionID)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	c.stands("alone again", Serves, one.SessionID)

	// One that only follows steps back.
	follower := w.courierOf("bob", nil)
	follower.stands("a follower", Taken, one.SessionID)
	c.stands("undisturbed", Serves, one.SessionID)

	cli.ok("acc_finish", `{"goal":"g"}`)
	c.stands("it has finished", Over)
	equal(t, "unbound", len(w.bound()), 0)
	follower.stands("now the other", Serves, two.SessionID)
}

func TestTwoCouriersForOneSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob, _ := w.attach("bob")
	first, second := w.courierOf("bob", nil), w.courierOf("bob", nil)
	first.stands("the first", Serves, bob.SessionID)
	second.stands("the second", Taken, bob.SessionID)
	pid := w.bindings()[0].PID
	if pid != first.pid {
		t.Errorf("the route is that of %d", pid)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second.stands("it takes over", Serves, bob.SessionID)
	equal(t, "the route", w.bindings()[0].PID, second.pid)
}

func TestCourierRenews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.attach("bob")
	c := w.courierOf("bob", nil)
	lease := func() time.Duration { return w.bindings()[0].LeaseUntil.Sub(w.now) }
	c.Look(t.Context())
	equal(t, "at first", lease(), 120*time.Second)
	w.pass(39 * time.Second)
	c.Look(t.Context())
	equal(t, "not yet", lease(), 81*time.Second)
	w.pass(time.Second)
	c.Look(t.Context())
	equal(t, "prolonged", lease(), 120*time.Second)
	if err := os.Remove(w.find("run/bindings/*.json")); err != nil {
		t.Fatal(err)
	}
	c.Look(t.Context())
	equal(t, "recorded anew", lease(), 120*time.Second)
}

func TestCourierCollects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob, cli := w.attach("bob")
	alice := w.join("alice")
	c := w.courierOf("bob", nil)
	question, note := alice.ask("bob", "q"), alice.send("bob", "n")
	c.stands("there", Serves, bob.SessionID)
	collects := func(label string, want ...string) {
		t.Helper()
		p, err := c.Collect(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		var got []string
		for _, l := range p.Letters {
			got = append(got, l.Message.MessageID)
		}
		equal(t, label, got, want)
	}
	collects("the policy is off")
	if err := c.SetPolicy("bob", schema.DeliverAll); err != nil {
		t.Fatal(err)
	}
	collects("the first of two", question)
	cli.ok("acc_inbox", `{"messageId":`+quoted(question)+`}`)
	collects("the other", note)
	cli.ok("acc_finish", `{"goal":"g"}`)
	collects("the session has ended since it looked")
}

func TestCourierTellsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, cli := w.attach("bob")
	w.attach("bob")
	alice := w.join("alice")
	cli.setPolicy(schema.DeliverActionable)
	question, note := alice.ask("bob", "q"), alice.send("bob", "n")
	c := w.courierOf("bob", nil)
	s, err := c.Look(t.Context())
	if err != nil || s.Post != Ambiguous {
		t.Fatal(s, err)
	}
	tell := func() {
		t.Helper()
		if more, err := c.Tell(t.Context(), s); more || err != nil {
			t.Fatal(more, err)
		}
	}
	tell()
	cli.receipt(question).want("attempt.errorCode", `"ambiguous_recipient_sessions"`)
	if a := cli.receipt(note).value.(map[string]any)["attempt"]; a != nil {
		t.Errorf("mail that the policy keeps was tried: %v", a)
	}
	w.unchanged("telling again", tell)
	later := alice.ask("bob", "q2")
	tell()
	cli.receipt(later).want("attempt.errorCode", `"ambiguous_recipient_sessions"`)
}

func TestCourierOutlivesItsRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, _ := w.attach("bob")
	c := w.courierOf("bob", nil)
	c.stands("there", Serves, one.SessionID)
	if err := os.RemoveAll(w.dir + "/.acc"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.Look(t.Context()); !errors.Is(err, fsstore.ErrNoRoom) {
			t.Errorf("without a room: %v", err)
		}
	}
	two, _ := w.attach("bob")
	c.stands("in the next room", Serves, two.SessionID)
	equal(t, "bound", w.bound(), []string{two.SessionID})

	// run/ alone is made anew.
	if err := os.RemoveAll(w.dir + "/.acc/run"); err != nil {
		t.Fatal(err)
	}
	w.join("alice")
	c.stands("after a repair", Serves, two.SessionID)
	equal(t, "bound", w.bound(), []string{two.SessionID})
	w.courierOf("bob", nil).stands("another one", Taken, two.SessionID)
}
