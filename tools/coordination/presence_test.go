package coordination

import (
	"testing"
	"time"

	"acc/fsstore"
)

// presenceOf is what a watcher sees of a participant.
func (c *client) presenceOf(name string) string {
	c.t.Helper()
	status := c.ok("acc_status", `{}`)
	for i, id := range status.column("participants", "participantId") {
		if id == name {
			return status.column("participants", "presence")[i]
		}
	}
	c.t.Fatalf("%s is not known", name)
	return ""
}

func TestPresenceOfProcesses(t *testing.T) {
	t.Parallel()
	known := fsstore.Process{Host: "box", PID: 901, Start: "5"}
	tests := []struct {
		label   string
		process fsstore.Process
		alive   bool
		age     time.Duration
		want    string
	}{
		{"alive, at once", known, true, 0, "online"},
		{"alive, 180 s", known, true, 180 * time.Second, "online"},
		{"alive, later", known, true, 181 * time.Second, "stale"},
		{"alive, a day", known, true, 24 * time.Hour, "stale"},
		{"dead, at once", known, false, 0, "offline"},
		{"no start time, 180 s", fsstore.Process{Host: "box", PID: 901}, false, 180 * time.Second, "online"},
		{"no start time, later", fsstore.Process{Host: "box", PID: 901}, false, 181 * time.Second, "stale"},
		{"no start time, 30 min", fsstore.Process{Host: "box", PID: 901}, false, 30 * time.Minute, "stale"},
		{"no start time, longer", fsstore.Process{Host: "box", PID: 901}, false, 30*time.Minute + time.Second, "offline"},
		{"other host, 180 s", fsstore.Process{Host: "far", PID: 901, Start: "5"}, false, 180 * time.Second, "online"},
		{"other host, 30 min", fsstore.Process{Host: "far", PID: 901, Start: "5"}, false, 30 * time.Minute, "stale"},
		{"other host, longer", fsstore.Process{Host: "far", PID: 901, Start: "5"}, false, 31 * time.Minute, "offline"},
		{"clock set back", known, true, -time.Hour, "online"},
	}
	for _, test := range tests {
		w := newWorld(t)
		w.process("bob", test.process).ok("acc_status", `{}`)
		w.alive[901] = test.alive
		w.pass(test.age)
		if got := w.join("alice").presenceOf("bob"); got != test.want {
			t.Errorf("%s: %s, want %s", test.label, got, test.want)
		}
	}
}

func TestEveryCallIsASignOfLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	question := quoted(alice.ask("bob", "s"))
	alice.acquire("file:a")
	for _, call := range []struct{ tool, args string }{
		{"acc_status", `{}`}, {"acc_sync", `{}`}, {"acc_inbox", `{}`}, {"acc_inbox", `{"messageId":` + question + `}`},
		{"acc_work", `{"summary":"s","mode":"wait"}`}, {"acc_claim", `{"action":"acquire","resource":"file:b"}`},
		{"acc_release", `{"all":true}`}, {"acc_message", `{"to":[],"subject":"s","body":"b"}`},
		{"acc_request", `{"toParticipantId":"alice","title":"t"}`}, {"acc_reply", `{"messageId":` + question + `,"body":"b"}`},
		{"acc_ack", `{"messageId":` + question + `}`},
		{"acc_claim", `{"action":"acquire","resource":"file:a"}`}, // in conflict: bob is there all the same
	} {
		w.pass(onlineFor + time.Second)
		equal(t, "before "+call.tool, alice.presenceOf("bob"), "stale")
		_, _ = bob.call(call.tool, call.args)
		equal(t, "after "+call.tool+call.args, alice.presenceOf("bob"), "online")
	}
	w.pass(onlineFor + time.Second)
	bob.read("acc://roster")
	bob.read("acc://snapshot")
	equal(t, "after reading the roster", alice.presenceOf("bob"), "stale")
	bob.read("acc://inbox")
	equal(t, "after reading the inbox", alice.presenceOf("bob"), "online")
}

func TestClosedIsOffline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.ok("acc_finish", `{"goal":"g"}`)
	equal(t, "finished", alice.presenceOf("bob"), "offline")
	bob.ok("acc_status", `{}`)
	equal(t, "again", alice.presenceOf("bob"), "online")
	if err := bob.room.Close(); err != nil {
		t.Fatal(err)
	}
	equal(t, "closed connection", alice.presenceOf("bob"), "offline")
}

func TestTwoProcessesShareASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, one := w.join("alice"), w.join("bob")
	claim := one.acquire("file:a")
	two := w.start("bob")
	equal(t, "session", two.ok("acc_status", `{}`).str("sessionId"), one.ok("acc_status", `{}`).str("sessionId"))
	two.ok("acc_claim", `{"action":"renew","claimId":`+quoted(claim)+`}`)

	one.kill()
	equal(t, "one is gone", alice.presenceOf("bob"), "online")
	two.kill()
	equal(t, "both are gone", alice.presenceOf("bob"), "offline")
	if n := len(alice.ok("acc_sync", `{}`).list("roster")); n != 2 {
		t.Errorf("there are %d sessions", n)
	}
}

func TestRestartResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("alice")
	bob := w.join("bob")
	claim := bob.acquire("file:a")
	bob.ok("acc_work", `{"summary":"s","mode":"edit"}`)
	id := bob.ok("acc_status", `{}`).str("sessionId")
	for _, end := range []func(){func() { bob.kill() }, func() { _ = bob.room.Close() }} {
		end()
		w.pass(time.Minute)
		bob = w.start("bob")
		bob.quiet("a restart", func() {
			status := bob.ok("acc_status", `{}`)
			equal(t, "session", status.str("sessionId"), id)
			equal(t, "claims", status.column("claims", "claimId"), []string{claim})
			status.want("participants.1.intent", `"s"`)
		})
		bob.ok("acc_release", `{"resource":"file:a"}`)
		claim = bob.acquire("file:a")
	}
}

func TestSessionOfAnotherProcessEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := w.join("bob")
	two := w.join("bob")
	id := one.ok("acc_status", `{}`).str("sessionId")
	one.ok("acc_finish", `{"goal":"g"}`)
	for _, c := range []*client{two, one} {
		if c.ok("acc_status", `{}`).str("sessionId") == id {
			t.Errorf("process %d goes on with the finished session", c.pid)
		}
	}
	equal(t, "shared again", one.ok("acc_status", `{}`).str("sessionId"), two.ok("acc_status", `{}`).str("sessionId"))
}

func TestNamesDifferByMoreThanLetterCase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("bob")
	w.unchanged("BOB", func() {
		e := w.start("BOB").refused("acc_status", `{}`, "participant_taken")
		if !contains(e.Message, `"bob"`) {
			t.Errorf("the message is %q", e.Message)
		}
	})
}
