package scale

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"acc/fsstore"
	"acc/fsstore/roomgen"
	"acc/schema"
	"acc/tools/doctor"
)

// usual is a room as it is after some weeks: a thousand messages a day, eight
// participants, and mail open that was sent of late.
func usual(messages int) roomgen.Config {
	return roomgen.Config{Participants: 8, Messages: messages, PerDay: 1000, Open: 0.5, MostOpen: 50, Chain: 5, Seed: 1}
}

// generate makes a room in a repository of its own. Not in b.TempDir, which is
// removed before the next room is made.
func generate(tb testing.TB, cfg roomgen.Config) (dir string, room *roomgen.Room) {
	tb.Helper()
	dir, err := os.MkdirTemp("", "room-")
	if err != nil {
		tb.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		tb.Fatalf("git init: %v\n%s", err, out)
	}
	if room, err = roomgen.Generate(tb.Context(), dir, cfg); err != nil {
		tb.Fatal(err)
	}
	runtime.GC() // of what making it left, before anything is measured
	return dir, room
}

// TestGeneratedRoomIsHealthy holds the generator to what the doctor thinks of
// its rooms.
func TestGeneratedRoomIsHealthy(t *testing.T) {
	dir, room := generate(t, usual(1000))
	w, err := fsstore.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	report := doctor.Examine(t.Context(), doctor.Config{
		Workspace: w, Env: environment(), Look: func(string) (string, error) { return "", exec.ErrNotFound },
	})
	messages := false
	for _, f := range report.Findings {
		// Which programs are installed is not the room's business.
		ofRoom := len(f.Where) >= len(".acc") && f.Where[:len(".acc")] == ".acc"
		if f.Level == doctor.Problem || f.Level == doctor.Warning && ofRoom {
			t.Errorf("%s: %s: %s", f.Level, f.Where, f.What)
		}
		messages = messages || f.What == "1000 messages"
	}
	if !messages {
		t.Errorf("the doctor did not count the messages: %+v", report.Findings)
	}
	for _, folder := range []string{"inbox", "receipts"} {
		found, err := filepath.Glob(filepath.Join(dir, ".acc", folder, "alice", "*.json"))
		if err != nil || len(found) == 0 {
			t.Errorf("alice has nothing in %s", folder)
		}
	}
	if len(room.Decisions) == 0 {
		t.Error("there is no decision")
	}
}

// sizes are how many messages the rooms hold.
func sizes() []int {
	all := []int{100, 1_000, 10_000, 100_000}
	if *million {
		all = append(all, 1_000_000)
	}
	return all
}

// BenchmarkRoom measures each tool in rooms of each size. What only reads comes
// first: what writes makes the room larger.
func BenchmarkRoom(b *testing.B) {
	for _, size := range sizes() {
		b.Run(fmt.Sprintf("messages=%d", size), func(b *testing.B) {
			dir, room := generate(b, usual(size))
			alice, bob := join(b, dir, "alice"), join(b, dir, "bob")
			for _, s := range reads(b, alice, room) {
				s.measure(b)
			}
			coldStatus(b, dir).measure(b)
			for _, s := range writes(b, alice, bob) {
				s.measure(b)
			}
		})
	}
}

func reads(b *testing.B, alice *client, room *roomgen.Room) []step {
	list := listing(b)
	decision := room.Decisions[len(room.Decisions)/2]
	read := func(name, tool, args string) step {
		return step{name: name, floor: list, do: alice.does(b, tool, always(args))}
	}
	return []step{
		read("status", "acc_status", `{}`),
		read("inbox_page", "acc_inbox", `{"limit":20}`),
		read("delta_sync", "acc_sync", `{"limit":100,"cursor":"`+alice.before(b, 100)+`"}`),
		read("history_page", "acc_sync", `{"scope":"history"}`),
		read("history_of_a_kind", "acc_sync", `{"scope":"history","kind":"handoff"}`),
		read("decision_status", "acc_sync", `{"scope":"history","messageId":"`+decision+`"}`),
	}
}

// before is the cursor some events before the last one.
func (c *client) before(b *testing.B, events int64) string {
	b.Helper()
	watcher, err := c.room.Watcher("", 0)
	if err != nil {
		b.Fatal(err)
	}
	look, err := watcher.Look(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	last, err := schema.ParseCursor("cursor", look.Cursor)
	if err != nil {
		b.Fatal(err)
	}
	return schema.FormatCursor(max(0, last-events))
}

// coldStatus is a command, which knows nothing from an earlier call. Beside it
// a server is in the room, as it is when somebody works.
func coldStatus(b *testing.B, dir string) step {
	acc := program(b, "acc")
	return step{name: "status_command", floor: starts(b), do: func() { run(b, acc, "--cwd", dir, "status") }}
}

func writes(b *testing.B, alice, bob *client) []step {
	sync := appends(b)
	mail := ""
	return []step{
		{name: "claim_and_release", floor: sync, do: func() {
			alice.does(b, "acc_claim", always(`{"action":"acquire","resource":"file:src/parser.go"}`))()
			alice.does(b, "acc_release", always(`{"all":true}`))()
		}},
		{name: "send", floor: sync, do: alice.does(b, "acc_message", always(`{"to":["bob"],"subject":"lexer","body":"it is yours now"}`))},
		{
			name: "exact_read", floor: sync,
			prepare: func() { mail = bob.sent(b, `{"to":["alice"],"subject":"lexer","body":"it is yours now"}`) },
			do:      alice.does(b, "acc_inbox", func() string { return `{"messageId":"` + mail + `"}` }),
		},
		{
			name: "reply", floor: sync,
			prepare: func() {
				mail = bob.sent(b, `{"to":["alice"],"kind":"question","subject":"lexer?","body":"may I have it"}`)
			},
			do: alice.does(b, "acc_reply", func() string { return `{"messageId":"` + mail + `","body":"yes"}` }),
		},
	}
}
