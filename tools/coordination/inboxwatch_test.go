package coordination

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// subscription is a client that has subscribed to its inbox.
type subscription struct {
	t       *testing.T
	signals <-chan struct{}
	cancel  context.CancelFunc
}

func (c *client) subscribe() *subscription {
	c.t.Helper()
	resource, _ := c.registry.Resource("acc://inbox")
	ctx, cancel := context.WithCancel(context.Background())
	signals, err := resource.Watch(ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	s := &subscription{c.t, signals, cancel}
	c.t.Cleanup(s.end)
	return s
}

// end returns when nothing is left of the watch.
func (s *subscription) end() {
	s.cancel()
	for range s.signals {
	}
}

func (s *subscription) signalled(what string) {
	s.t.Helper()
	select {
	case _, open := <-s.signals:
		if !open {
			s.t.Fatalf("%s: the watch has ended", what)
		}
	case <-time.After(20 * time.Second):
		s.t.Fatalf("%s: no signal", what)
	}
}

// looks is a watch of which a test says when it looks. It has looked once.
func (w *world) looks(name string) *inboxWatch {
	w.t.Helper()
	watch := &inboxWatch{room: w.start(name).room}
	watch.look(context.Background())
	return watch
}

// TestInboxListing holds what a signal is about, without the watch.
func TestInboxListing(t *testing.T) {
	w := newWorld(t)
	watch := w.looks("bob")
	expect := func(what string, want bool) {
		t.Helper()
		if got := watch.look(context.Background()); got != want {
			t.Errorf("%s: changed %v, want %v", what, got, want)
		}
		if watch.look(context.Background()) {
			t.Errorf("%s: changed twice", what)
		}
	}
	expect("no room", false)
	alice, bob := w.join("alice"), w.join("bob")
	expect("a room", false)
	note := alice.send("bob", "note")
	expect("a note", true)
	asked := alice.ask("bob", "question")
	expect("a question", true)
	alice.send("alice", "to herself")
	alice.acquire("file:a")
	bob.ok("acc_inbox", `{}`)
	bob.ok("acc_status", `{}`)
	w.pass(time.Hour)
	bob.ok("acc_status", `{}`)
	expect("claims, presence and mail of others", false)
	bob.ok("acc_inbox", `{"messageId":"`+asked+`"}`)
	expect("the question was read", true)
	bob.ok("acc_inbox", `{"messageId":"`+asked+`"}`)
	expect("the question was read again", false)
	bob.ok("acc_ack", `{"messageId":"`+note+`"}`)
	expect("the note was acknowledged", true)
	bob.ok("acc_reply", `{"messageId":"`+asked+`","body":"b"}`)
	expect("the question was answered", true)
	decided := alice.ok("acc_message", `{"to":["bob"],"kind":"decision","subject":"s","body":"b"}`).str("message.messageId")
	expect("a decision", true)
	bob.ok("acc_message", `{"to":[],"kind":"decision","subject":"s","body":"b","supersedes":["`+decided+`"]}`)
	expect("bob's own decision replaces it", true)
	if err := os.RemoveAll(filepath.Join(w.dir, ".acc")); err != nil {
		t.Fatal(err)
	}
	expect("the room was removed with an empty inbox", false)
}

// What lies beyond the page is not on it.
func TestInboxListingIsThePage(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	watch := w.looks("bob")
	var ids []string
	for i := range 22 {
		ids = append(ids, alice.send("bob", fmt.Sprint(i)))
		if !watch.look(context.Background()) {
			t.Errorf("note %d is no change", i)
		}
	}
	items := len(bob.ok("acc_inbox", `{}`).column("items", "message.messageId"))
	bob.ok("acc_ack", `{"messageId":"`+ids[0]+`"}`)
	if watch.look(context.Background()) {
		t.Errorf("the page has %d items, and the oldest of 22 is a change of it", items)
	}
	bob.ok("acc_ack", `{"messageId":"`+ids[21]+`"}`)
	if !watch.look(context.Background()) {
		t.Error("the newest note is no change")
	}
}

// A room that cannot be read is none that has changed; and when it can be read
// again, what happened meanwhile is a change.
func TestInboxListingOfADamagedRoom(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	w.join("bob")
	name := filepath.Join(w.dir, ".acc", "workspace.json")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put([]byte("{"))
	watch := w.looks("bob")
	if watch.last != nil || watch.look(context.Background()) {
		t.Error("a damaged room has changed")
	}
	put(good)
	alice.send("bob", "note")
	if !watch.look(context.Background()) {
		t.Error("the first look that succeeds is no change")
	}
}

// TestInboxWatch goes through the real watch: from no room at all to mail, and
// through a room that was removed and made anew.
func TestInboxWatch(t *testing.T) {
	w := newWorld(t)
	var s *subscription
	w.unchanged("subscribing", func() { s = w.start("bob").subscribe() })
	if len(w.tree()) > 0 {
		t.Errorf("subscribing made %v", w.tree())
	}
	for range 2 {
		alice, bob := w.join("alice"), w.join("bob")
		asked := alice.ask("bob", "question")
		s.signalled("a question")
		bob.ok("acc_inbox", `{"messageId":"`+asked+`"}`)
		s.signalled("the question was read")
		_, _ = alice.room.Close(), bob.room.Close()
		if err := os.RemoveAll(filepath.Join(w.dir, ".acc")); err != nil {
			t.Fatal(err)
		}
		s.signalled("the room is gone")
	}
	s.end()
}

func TestInboxWatchNeedsAParticipant(t *testing.T) {
	w := newWorld(t)
	if _, err := w.reader(nil).watchInbox(context.Background()); err == nil {
		t.Error("nobody's inbox is watched")
	}
}
