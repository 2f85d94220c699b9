package coordination

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// TestCountsAreLengths holds every count to the list that it counts.
func TestCountsAreLengths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob, carol := w.join("alice"), w.join("bob"), w.join("carol")
	check := func(label string) {
		t.Helper()
		status := alice.ok("acc_status", `{}`)
		online, stale := 0, 0
		for _, p := range status.column("participants", "presence") {
			switch p {
			case "online":
				online++
			case "stale":
				stale++
			}
		}
		unread := 0
		for i, name := range status.column("participants", "participantId") {
			page := map[string]*client{"alice": alice, "bob": bob, "carol": carol}[name].inboxStates()
			n := 0
			for _, state := range page {
				if state == "queued" || state == "offered" {
					n++
				}
			}
			counts := status.list("participants")[i].(map[string]any)["unretrieved"].(map[string]any)
			equal(t, label+" unretrieved of "+name, counts["queued"].(float64)+counts["offered"].(float64), float64(n))
			unread += n
		}
		for name, want := range map[string]int{
			"live": online, "stale": stale, "claims": len(status.list("claims")), "unretrieved": unread,
			"messages": len(alice.ok("acc_sync", `{"scope":"history","limit":500}`).list("items")),
		} {
			equal(t, label+" "+name, status.at("counts."+name), any(float64(want)))
		}
	}
	check("empty")
	question := alice.ask("bob", "s")
	alice.send("carol", "s")
	alice.ok("acc_message", `{"to":[],"subject":"s","body":"b"}`)
	old := alice.decide("", "")
	carol.acquire("file:a")
	bob.ok("acc_claim", `{"action":"acquire","resource":"file:b","leaseSeconds":60}`)
	check("mail and claims")
	bob.ok("acc_inbox", `{"messageId":`+quoted(question)+`}`)
	bob.decide("", supersedes(old))
	w.pass(time.Minute)
	check("read, replaced, expired")
	carol.kill()
	check("offline")
}

// inboxStates reads the states of a participant's open mail without a call,
// which would be a sign of life.
func (c *client) inboxStates() []string {
	c.t.Helper()
	var states []string
	err := c.room.view(c.t.Context(), func(v *fsstore.View) error {
		entries, err := openMail(v, c.name)
		for _, e := range entries {
			states = append(states, string(e.State))
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return states
}

func TestProtection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	want := func(label, level string) {
		t.Helper()
		equal(t, label, alice.ok("acc_status", `{}`).str("protection"), level)
	}
	want("no claim", "none")
	bob.ok("acc_claim", lease)
	want("a claim over MCP", "advisory")
	w.pass(time.Minute)
	want("an expired claim", "none")
}

// TestProtectionIsTheWeakest feeds rooms that need other clients than MCP.
func TestProtectionIsTheWeakest(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	guarded := schema.Claim{Enforcement: schema.Guarded}
	session := func(id string, e schema.Enforcement, age time.Duration) (schema.Session, schema.Presence) {
		return schema.Session{SessionID: id, State: schema.SessionOpen, Enforcement: e},
			schema.Presence{SessionID: id, HeartbeatAt: schema.At(now.Add(-age))}
	}
	room := func(claims []schema.Claim, second schema.Enforcement, age time.Duration) Protection {
		one, oneSign := session("one", schema.Guarded, 0)
		two, twoSign := session("two", second, age)
		return (&overview{claims: claims, people: &people{
			sessions: []schema.Session{one, two},
			presence: &sampler{now: now, signs: map[string][]schema.Presence{"one": {oneSign}, "two": {twoSign}}},
		}}).protection()
	}
	equal(t, "all guarded", room([]schema.Claim{guarded}, schema.Guarded, 0), ProtectionGuarded)
	equal(t, "one session advisory", room([]schema.Claim{guarded}, schema.Advisory, 0), ProtectionAdvisory)
	equal(t, "that one stale", room([]schema.Claim{guarded}, schema.Advisory, 10*time.Minute), ProtectionAdvisory)
	equal(t, "that one offline", room([]schema.Claim{guarded}, schema.Advisory, time.Hour), ProtectionGuarded)
	equal(t, "one claim advisory", room([]schema.Claim{guarded, {Enforcement: schema.Advisory}}, schema.Guarded, 0), ProtectionAdvisory)
	equal(t, "no claim", room(nil, schema.Guarded, 0), ProtectionNone)
}

func TestSolo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	want := func(label string, solo bool) {
		t.Helper()
		equal(t, label, alice.ok("acc_sync", `{}`).at("solo"), any(solo))
	}
	want("alone", true)
	alice.acquire("file:own")
	want("with an own claim", true)
	bob := w.join("bob")
	want("with bob", false)
	w.pass(onlineFor + time.Second)
	want("with bob stale", false)
	bob.ok("acc_claim", `{"action":"acquire","resource":"file:b","leaseSeconds":60}`)
	bob.kill()
	want("with a claim of bob", false)
	w.pass(time.Minute)
	want("when it has ended", true)
	id := alice.send("alice", "note to self")
	want("with open mail", false)
	alice.ok("acc_inbox", `{"messageId":`+quoted(id)+`}`)
	want("when it is read", true)
}

func TestSnapshotHidesSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.ok("acc_finish", `{"goal":"g"}`)
	bob.ok("acc_status", `{}`)
	files, err := filepath.Glob(filepath.Join(w.dir, ".acc", "sessions", "*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("sessions: %v, %v", files, err)
	}
	old, err := filepath.Glob(filepath.Join(w.dir, ".acc", "sessions", "closed", "*.json"))
	if err != nil || len(old) != 1 {
		t.Fatalf("closed sessions: %v, %v", old, err)
	}
	full := alice.ok("acc_sync", `{"scope":"full"}`)
	resource := w.start("carol").read("acc://snapshot")
	equal(t, "sessions", len(full.list("snapshot.sessions")), 3)
	for _, file := range append(files, old...) {
		var s schema.Session
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Decode(data, &s); err != nil {
			t.Fatal(err)
		}
		for _, a := range []answer{full, resource, alice.ok("acc_status", `{}`), alice.read("acc://roster")} {
			if strings.Contains(a.text, s.Generation) {
				t.Errorf("a generation token is shown in\n%s", a.text)
			}
		}
	}
	equal(t, "nobody has no attention", resource.at("attention"), any([]any{}))
}

func TestReadingResourcesMakesNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("alice")
	before := w.tree()
	carol := w.start("carol")
	carol.read("acc://snapshot")
	carol.read("acc://roster")
	equal(t, "the room", w.tree(), before)
	carol.read("acc://inbox").want("items", `[]`)
	equal(t, "carol", w.find("participants/carol.json") != "", true)
}

func TestBranchIsFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	git := filepath.Join(w.dir, ".git")
	head := func(branch string) {
		t.Helper()
		if err := os.MkdirAll(git, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/"+branch+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	head("main")
	alice, bob := w.start("alice"), w.join("bob")
	alice.room.cfg.Workspace.GitDir, alice.room.cfg.Workspace.CommonDir = git, git
	alice.ok("acc_status", `{}`).want("participants.0.branch", `"main"`)
	head("feature")
	alice.quiet("a change of branch", func() {
		alice.ok("acc_status", `{}`).want("participants.0.branch", `"feature"`)
	})
	head("other")
	alice.ok("acc_work", `{"clear":true}`)
	bob.ok("acc_status", `{}`).want("participants.0.branch", `"other"`)
}
