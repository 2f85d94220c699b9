package coordination

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// attach opens a session for a name and returns it with a client that acts by
// its pair, as each command of a shell does.
func (w *world) attach(name string) (Attached, *client) {
	w.t.Helper()
	room := w.command(Config{ParticipantID: name}).room
	out, err := room.Attach(context.Background(), tools.Caller{Harness: "cli"})
	if err != nil {
		w.t.Fatal(err)
	}
	return out, w.pair(out.SessionID, out.Generation)
}

func (w *world) pair(session, generation string) *client {
	return w.command(Config{Credentials: &Credentials{SessionID: session, Generation: generation}})
}

// command is a room without a process of its own: presence rests on time.
func (w *world) command(cfg Config) *client {
	w.t.Helper()
	c := w.process("cli", fsstore.Process{Host: "box"})
	_, err := os.Stat(filepath.Join(w.dir, ".acc", "workspace.json"))
	cfg.Workspace = fsstore.Workspace{Root: w.dir, Checkout: w.dir, Initialised: err == nil}
	cfg.Env = c.room.cfg.Env
	c.room = NewRoom(cfg)
	c.registry = &tools.Registry{}
	c.registry.Add(Tools(c.room), Resources(c.room))
	w.t.Cleanup(func() { _ = c.room.Close() })
	return c
}

// acting are calls that need somebody.
var acting = map[string]string{
	"acc_work":    `{"summary": "x", "mode": "edit"}`,
	"acc_claim":   `{"action": "acquire", "resource": "file:a"}`,
	"acc_release": `{"all": true}`,
	"acc_message": `{"to": [], "subject": "s", "body": "b"}`,
	"acc_request": `{"toParticipantId": "bob", "title": "t"}`,
	"acc_inbox":   `{}`,
	"acc_reply":   `{"messageId": ` + exampleMessage + `, "body": "b"}`,
	"acc_ack":     `{"messageId": ` + exampleMessage + `}`,
	"acc_finish":  `{"goal": "g"}`,
}

// reading are calls that nobody may make.
var reading = map[string]string{
	"acc_status": `{}`,
	"acc_sync":   `{"scope": "full"}`,
}

func TestNobodyReadsAndDoesNotAct(t *testing.T) {
	w := newWorld(t)
	nobody := w.command(Config{})
	for tool, args := range reading {
		nobody.ok(tool, args)
	}
	for tool, args := range acting {
		nobody.refused(tool, args, schema.ReasonCallerUnresolved)
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".acc")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nobody made a room: %v", err)
	}
	w.join("alice")
	nobody = w.command(Config{})
	for tool, args := range acting {
		nobody.refused(tool, args, schema.ReasonCallerUnresolved)
	}
	status := nobody.overview()
	if status.ParticipantID != nil || status.SessionID != nil || len(status.Participants) != 1 {
		t.Errorf("nobody sees %+v", status)
	}
}

func (c *client) overview() Status {
	c.t.Helper()
	value, err := c.room.status(context.Background(), tools.Caller{}, statusInput{})
	if err != nil {
		c.t.Fatal(err)
	}
	return value.(Status)
}

func TestPairActsAsExactlyItsSession(t *testing.T) {
	w := newWorld(t)
	first, alice := w.attach("alice")
	second, _ := w.attach("alice")
	if first.SessionID == second.SessionID {
		t.Fatal("two attachments share a session")
	}
	alice.ok("acc_claim", `{"action": "acquire", "resource": "file:a"}`)
	claims := alice.overview().Claims
	if len(claims) != 1 || claims[0].OwnerSessionID != first.SessionID {
		t.Errorf("the claims are %+v", claims)
	}
	other := w.pair(second.SessionID, second.Generation)
	other.refused("acc_claim", `{"action": "acquire", "resource": "file:a"}`, schema.ReasonClaimConflict)
}

func TestWrongPairsAreAllAlike(t *testing.T) {
	w := newWorld(t)
	good, _ := w.attach("alice")
	other, _ := w.attach("bob")
	var messages []string
	for _, c := range []Credentials{
		{good.SessionID, other.Generation},
		{"session_01k5x0f4e2m9v8r7c6b5a4z3y2", good.Generation},
		{"../sessions/x", good.Generation},
		{good.SessionID, "0"},
		{"session_01k5x0f4e2m9v8r7c6b5a4z3y2", "--------------------------------"},
	} {
		for tool := range reading {
			messages = append(messages, w.pair(c.SessionID, c.Generation).refused(tool, `{}`, schema.ReasonCallerUnresolved).Message)
		}
		for tool, args := range acting {
			messages = append(messages, w.pair(c.SessionID, c.Generation).refused(tool, args, schema.ReasonCallerUnresolved).Message)
		}
	}
	if len(slices.Compact(messages)) != 1 {
		t.Errorf("the refusals tell which half is wrong: %q", slices.Compact(messages))
	}
}

func TestPairOfAClosedSession(t *testing.T) {
	w := newWorld(t)
	_, alice := w.attach("alice")
	alice.ok("acc_finish", `{"goal": "done", "clientMessageId": "end"}`)
	for tool, args := range acting {
		if tool != "acc_finish" {
			alice.refused(tool, args, schema.ReasonSessionFinished)
		}
	}
	alice.refused("acc_status", `{}`, schema.ReasonSessionFinished)
	alice.ok("acc_finish", `{"goal": "done", "clientMessageId": "end"}`)
	alice.refused("acc_finish", `{"goal": "again"}`, schema.ReasonSessionFinished)
}

func TestDetachReleasesAndLeavesNoHandoff(t *testing.T) {
	w := newWorld(t)
	session, alice := w.attach("alice")
	alice.ok("acc_claim", `{"action": "acquire", "resources": ["file:a", "file:b"]}`)
	out, err := alice.room.Detach(context.Background())
	if err != nil || len(out.Released) != 2 || out.SessionID != session.SessionID {
		t.Fatalf("Detach = %+v, %v", out, err)
	}
	status := w.command(Config{}).overview()
	if len(status.Claims) != 0 || status.Counts.Messages != 0 || status.Participants[0].Presence != Offline {
		t.Errorf("after a detach: %+v", status)
	}
	if _, err := alice.room.Detach(context.Background()); !schema.HasReason(err, schema.ReasonSessionFinished) {
		t.Errorf("a second detach: %v", err)
	}
}

// TestPresenceOfAPairOutlivesItsCommands: what records it is over long before
// anybody looks.
func TestPresenceOfAPairOutlivesItsCommands(t *testing.T) {
	w := newWorld(t)
	session, alice := w.attach("alice")
	if _, err := alice.room.Heartbeat(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := alice.room.Close(); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		pass time.Duration
		want Presence
	}{{0, Online}, {onlineFor + time.Second, Stale}, {staleFor, Offline}} {
		w.pass(step.pass)
		if got := w.command(Config{}).overview().Participants[0].Presence; got != step.want {
			t.Errorf("%s later alice is %s, want %s", step.pass, got, step.want)
		}
	}
	w.pair(session.SessionID, session.Generation).ok("acc_status", `{}`)
	if got := w.command(Config{}).overview().Participants[0].Presence; got != Online {
		t.Errorf("after a command alice is %s", got)
	}
}

func TestAttachKeepsPeopleAndAgentsApart(t *testing.T) {
	w := newWorld(t)
	ana := w.command(Config{ParticipantID: "ana", Human: true})
	out, err := ana.room.Attach(context.Background(), tools.Caller{Harness: "cli"})
	if err != nil || out.Kind != schema.Human {
		t.Fatalf("Attach = %+v, %v", out, err)
	}
	for _, cfg := range []Config{{ParticipantID: "ana"}, {ParticipantID: "Ana", Human: true}} {
		if _, err := w.command(cfg).room.Attach(context.Background(), tools.Caller{}); !schema.HasReason(err, schema.ReasonParticipantTaken) {
			t.Errorf("%s, human %v: %v", cfg.ParticipantID, cfg.Human, err)
		}
	}
}

func TestAttachGoesOnWithAPair(t *testing.T) {
	w := newWorld(t)
	session, alice := w.attach("alice")
	again, err := alice.room.Attach(context.Background(), tools.Caller{Harness: "codex"})
	if err != nil || again.SessionID != session.SessionID || !again.Resumed || again.Harness != "codex" {
		t.Errorf("Attach = %+v, %v", again, err)
	}
	wrong := w.pair(session.SessionID, "0")
	if _, err := wrong.room.Attach(context.Background(), tools.Caller{}); !schema.HasReason(err, schema.ReasonCallerUnresolved) {
		t.Errorf("Attach with a wrong pair: %v", err)
	}
}

// TestSessionsOfAParticipantDoNotPile: a script that attaches again and again
// leaves one closed session to list.
func TestSessionsOfAParticipantDoNotPile(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		_, alice := w.attach("alice")
		if _, err := alice.room.Detach(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := filepath.Glob(filepath.Join(w.dir, ".acc", "sessions", "session_*.json"))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d sessions are listed, %v", len(entries), err)
	}
}

func TestForcedRelease(t *testing.T) {
	w := newWorld(t)
	_, alice := w.attach("alice")
	alice.ok("acc_claim", `{"action": "acquire", "resource": "file:a"}`)
	claim := alice.overview().Claims[0]
	_, ana := w.attach("ana")
	ctx := context.Background()
	for _, bad := range []struct {
		room   *Room
		claim  string
		reason string
		want   schema.Reason
	}{
		{w.command(Config{}).room, claim.ClaimID, "x", schema.ReasonCallerUnresolved},
		{ana.room, "claim_01k5x0f4e2m9v8r7c6b5a4z3y2", "x", schema.ReasonClaimUnknown},
		{ana.room, "nonsense", "x", schema.ReasonInvalidField},
		{ana.room, claim.ClaimID, " ", schema.ReasonInvalidField},
	} {
		if _, err := bad.room.ForceRelease(ctx, bad.claim, schema.AuthorityPolicy, bad.reason); !schema.HasReason(err, bad.want) {
			t.Errorf("%s for %q: %v, want %s", bad.claim, bad.reason, err, bad.want)
		}
	}
	out, err := ana.room.ForceRelease(ctx, claim.ClaimID, schema.AuthorityPolicy, "alice is away")
	if err != nil || out.ActorParticipantID != "ana" || out.OwnerParticipantID != "alice" || out.Resource != claim.Resource {
		t.Fatalf("ForceRelease = %+v, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".acc", "releases", claim.ClaimID+".json")); err != nil {
		t.Error(err)
	}
	if len(ana.overview().Claims) != 0 {
		t.Error("the claim is still there")
	}
	alice.refused("acc_claim", `{"action": "renew", "claimId": "`+claim.ClaimID+`"}`, schema.ReasonClaimUnknown)
}
