package coordination

import (
	"os"
	"strings"
	"testing"
	"time"

	"acc/schema"
)

// damages are the ways in which a file goes bad.
var damages = map[string]func(data string) string{
	"empty":         func(string) string { return "" },
	"NUL-filled":    func(data string) string { return strings.Repeat("\x00", len(data)) },
	"truncated":     func(data string) string { return data[:len(data)/2] },
	"garbage":       func(string) string { return "<<<<<<< HEAD" },
	"newer version": func(data string) string { return strings.Replace(data, `"schemaVersion": 1`, `"schemaVersion": 99`, 1) },
	"path as an id": func(data string) string { return strings.Replace(data, `Id": "`, `Id": "../`, 1) },
}

// spoil damages the one file that matches and wants it to stay as it is.
func (w *world) spoil(pattern string, damage func(string) string) {
	w.t.Helper()
	file := w.find(pattern)
	data, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	bad := damage(string(data))
	if err := os.WriteFile(file, []byte(bad), 0o644); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		after, err := os.ReadFile(file)
		if err != nil || string(after) != bad {
			w.t.Errorf("%s was touched: %q, %v", pattern, after, err)
		}
	})
}

// everyone's lists must go on working beside a damaged file.
func (c *client) listAll() {
	c.t.Helper()
	for _, call := range []struct{ tool, args string }{
		{"acc_status", `{}`}, {"acc_inbox", `{}`}, {"acc_sync", `{}`}, {"acc_sync", `{"scope":"full"}`}, {"acc_sync", `{"scope":"history"}`},
	} {
		c.ok(call.tool, call.args)
	}
	c.read("acc://snapshot")
	c.read("acc://roster")
}

func TestDamagedMessage(t *testing.T) {
	t.Parallel()
	for label, damage := range damages {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			bad := alice.ask("bob", "bad")
			good := alice.ask("bob", "good")
			w.spoil("messages/*/"+bad+".question.json", damage)
			id := `{"messageId":` + quoted(bad)
			bob.quiet("damage", func() {
				for _, call := range []struct{ tool, args string }{
					{"acc_inbox", id + `}`}, {"acc_reply", id + `,"body":"b"}`}, {"acc_ack", id + `}`}, {"acc_sync", id + `,"scope":"history"}`},
				} {
					e := bob.refused(call.tool, call.args, schema.ReasonRecordDamaged)
					equal(t, "code", e.Code, schema.CodeData)
				}
			})
			equal(t, "inbox", bob.ok("acc_inbox", `{}`).column("items", "message.messageId"), []string{good})
			equal(t, "history", bob.ok("acc_sync", `{"scope":"history"}`).column("items", "messageId"), []string{good})
			alice.listAll()
		})
	}
}

func TestDamagedReceipt(t *testing.T) {
	t.Parallel()
	for label, damage := range damages {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			bad := alice.ask("bob", "bad")
			good := alice.ask("bob", "good")
			w.spoil("inbox/bob/"+bad+".*", damage)
			id := `{"messageId":` + quoted(bad)
			for _, call := range []struct{ tool, args string }{
				{"acc_inbox", id + `}`}, {"acc_reply", id + `,"body":"b"}`}, {"acc_ack", id + `}`},
			} {
				bob.refused(call.tool, call.args, schema.ReasonRecordDamaged)
			}
			equal(t, "inbox", bob.ok("acc_inbox", `{}`).column("items", "message.messageId"), []string{good})
			bob.listAll()
			alice.listAll()
		})
	}
}

func TestDamagedClaim(t *testing.T) {
	t.Parallel()
	for label, damage := range damages {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			bad, good := bob.acquire("file:bad"), bob.acquire("file:good")
			w.spoil("claims/"+bad+".json", damage)
			bob.refused("acc_claim", `{"action":"renew","claimId":`+quoted(bad)+`}`, schema.ReasonRecordDamaged)
			bob.refused("acc_release", `{"claimId":`+quoted(bad)+`}`, schema.ReasonRecordDamaged)
			equal(t, "claims", bob.ok("acc_status", `{}`).column("claims", "claimId"), []string{good})
			alice.refused("acc_claim", `{"action":"acquire","resource":"file:good"}`, schema.ReasonClaimConflict)
			alice.listAll()
		})
	}
}

func TestDamagedParticipant(t *testing.T) {
	t.Parallel()
	for label, damage := range damages {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			alice := w.join("alice")
			w.join("bob")
			w.spoil("participants/bob.json", damage)
			alice.refused("acc_message", `{"to":["bob"],"subject":"s","body":"b"}`, schema.ReasonRecordDamaged)
			alice.ok("acc_message", `{"to":["alice"],"subject":"s","body":"b"}`)
			alice.listAll()
		})
	}
}

func TestForeignFilesHideNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := alice.ask("bob", "s")
	claim := alice.acquire("file:a")
	for _, name := range []string{"claims/README.md", "inbox/bob/notes.json", "participants/a b.json", "sessions/x.json", "intents/y"} {
		if err := os.WriteFile(w.dir+"/.acc/"+name, []byte("hello"), 0o644); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(w.dir+"/.acc/claims/"+someClaim+".json", 0o755); err != nil {
		t.Fatal(err)
	}
	secret := w.dir + "/secret"
	if err := os.WriteFile(secret, []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, w.dir+"/.acc/inbox/bob/"+someMessage+".note.none.queued.json"); err != nil {
		t.Fatal(err)
	}
	equal(t, "inbox", bob.ok("acc_inbox", `{}`).column("items", "message.messageId"), []string{id})
	equal(t, "claims", bob.ok("acc_status", `{}`).column("claims", "claimId"), []string{claim})
	bob.listAll()
}

// TestRoomThatWasRemoved: the next call makes it anew, whatever it is.
func TestRoomThatWasRemoved(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{0, time.Minute} {
		for _, call := range []struct{ tool, args string }{
			{"acc_status", `{}`}, {"acc_inbox", `{}`}, {"acc_work", `{"clear":true}`}, {"acc_finish", `{"goal":"g"}`},
		} {
			w := newWorld(t)
			alice := w.join("alice")
			alice.acquire("file:a")
			if err := os.RemoveAll(w.dir + "/.acc"); err != nil {
				t.Fatal(err)
			}
			w.pass(pause)
			alice.ok(call.tool, call.args)
			alice.ok("acc_status", `{}`).want("claims", `[]`)
		}
	}
}
