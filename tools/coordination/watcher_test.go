package coordination

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// looker follows a room in a test.
type looker struct {
	*world
	watcher *Watcher
}

func (w *world) watch(cursor string, back int) looker {
	w.t.Helper()
	watcher, err := w.reader(nil).Watcher(cursor, back)
	if err != nil {
		w.t.Fatal(err)
	}
	return looker{w, watcher}
}

func (l looker) look() Look {
	l.t.Helper()
	look, err := l.watcher.Look(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	return look
}

// sees wants the next look to hold these events and no others.
func (l looker) sees(want ...schema.EventType) Look {
	l.t.Helper()
	look := l.look()
	var got []schema.EventType
	for _, h := range look.Happened {
		got = append(got, h.Type)
	}
	if !slices.Equal(got, want) {
		l.t.Errorf("the look has %v, want %v", got, want)
	}
	return look
}

func TestWatcherNamesWhatHappened(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	l := w.watch("", 0)
	if look := l.sees(); len(look.Status.Participants) != 2 || look.Status.ParticipantID != nil || look.Made || look.Removed {
		t.Errorf("the first look: %+v", look)
	}
	alice.ok("acc_work", `{"summary":"split","mode":"edit"}`)
	if h := l.sees(schema.EventIntentSet).Happened[0]; h.ParticipantID != "alice" || h.Intent.Summary != "split" {
		t.Errorf("%+v", h)
	}
	claim := alice.acquire("file:a")
	if look := l.sees(schema.EventClaimAcquired); look.Happened[0].Claim.Resource != "file:a" || len(look.Status.Claims) != 1 {
		t.Errorf("%+v", look)
	}
	alice.ok("acc_release", `{"claimId":"`+claim+`"}`)
	if h := l.sees(schema.EventClaimReleased).Happened[0]; h.Claim == nil || h.Claim.Resource != "file:a" {
		t.Errorf("a released claim that was seen before: %+v", h)
	}
	alice.acquire("file:b")
	l.sees(schema.EventClaimAcquired)
	w.pass(time.Hour)
	bob.acquire("file:b")
	h := l.sees(schema.EventClaimExpired, schema.EventClaimAcquired).Happened
	if h[0].Claim.OwnerParticipantID != "alice" || h[1].Claim.OwnerParticipantID != "bob" {
		t.Errorf("%+v, %+v", h[0].Claim, h[1].Claim)
	}
	asked := bob.ask("alice", "why?")
	alice.ok("acc_inbox", `{"messageId":"`+asked+`"}`)
	h = l.sees(schema.EventMessageSent, schema.EventReceiptRetrieved).Happened
	if h[0].Message.Subject != "why?" || h[0].Message.ToParticipantIDs[0] != "alice" || h[1].Payload.State != schema.Retrieved {
		t.Errorf("%+v, %+v", h[0].Message, h[1])
	}
	l.sees()
}

func TestWatcherMissesAndRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	l := w.watch("0000000000000000", 0)
	var batch []string
	for i := range 100 {
		batch = append(batch, fmt.Sprintf(`"file:f%d"`, i))
	}
	for range 5 {
		alice.ok("acc_claim", `{"action":"acquire","resources":[`+strings.Join(batch, ",")+`]}`)
	}
	next, looks := int64(1), 0
	for more := true; more; looks++ {
		look := l.look()
		more = look.More
		for _, h := range look.Happened {
			if h.Cursor != schema.FormatCursor(next) {
				t.Fatalf("event %s where %d is due", h.Cursor, next)
			}
			next++
		}
	}
	if next != 503 || looks != 3 {
		t.Errorf("the next event is %d after %d looks", next, looks)
	}
	// A second watcher goes on where the first one stopped, and one that
	// begins with a few past events shows exactly those.
	at := l.look().Cursor
	alice.send("alice", "x")
	w.watch(at, 0).sees(schema.EventMessageSent)
	w.watch("", 2).sees(schema.EventClaimRenewed, schema.EventMessageSent)
	w.unchanged("watching", func() { w.watch("0000000000000000", 0).look() })
}

func TestWatcherOutlivesTheRoom(t *testing.T) {
	w := newWorld(t)
	l := w.watch("", 0)
	if look := l.sees(); look.Status.WorkspaceID != nil || look.Made || look.Removed {
		t.Errorf("without a room: %+v", look)
	}
	alice := w.join("alice")
	if look := l.sees(schema.EventParticipantJoined, schema.EventSessionOpened); !look.Made || look.Removed {
		t.Errorf("a new room: %+v", look)
	}
	alice.acquire("file:a")
	_ = alice.room.Close()
	if err := os.RemoveAll(filepath.Join(w.dir, ".acc")); err != nil {
		t.Fatal(err)
	}
	if look := l.sees(); !look.Removed || look.Made || look.Cursor != "0000000000000000" {
		t.Errorf("the room is gone: %+v", look)
	}
	if look := l.sees(); look.Removed {
		t.Errorf("the room is gone twice: %+v", look)
	}
	w.join("bob")
	l.sees(schema.EventParticipantJoined, schema.EventSessionOpened)
	// Removed and made anew between two looks.
	if err := os.RemoveAll(filepath.Join(w.dir, ".acc")); err != nil {
		t.Fatal(err)
	}
	w.join("carol")
	look := l.sees(schema.EventParticipantJoined, schema.EventSessionOpened)
	if !look.Made || !look.Removed || look.Happened[0].ParticipantID != "carol" {
		t.Errorf("another room: %+v", look)
	}
}

func TestWatcherRefusesACursorAhead(t *testing.T) {
	w := newWorld(t)
	for range 2 { // without a room, and with one
		watcher, err := w.reader(nil).Watcher("0000000000000999", 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := watcher.Look(context.Background()); !schema.HasReason(err, schema.ReasonCursorUnknown) {
			t.Errorf("%v", err)
		}
		w.join("alice")
	}
	if _, err := w.reader(nil).Watcher("7", 0); !schema.HasReason(err, schema.ReasonInvalidField) {
		t.Errorf("%v", err)
	}
}

func TestWatcherSaysWhatWasPruned(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	var batch []string
	for i := range 100 {
		batch = append(batch, fmt.Sprintf(`"file:f%d"`, i))
	}
	for range 11 {
		alice.ok("acc_claim", `{"action":"acquire","resources":[`+strings.Join(batch, ",")+`]}`)
	}
	err := alice.room.update(context.Background(), func(tx *fsstore.Tx) error { return tx.TrimEvents(1050) })
	if err != nil {
		t.Fatal(err)
	}
	for cursor, want := range map[string]string{"0000000000000007": "0000000000001000", "0000000000001000": "", "0000000000001090": ""} {
		look := w.watch(cursor, 0).look()
		n, _ := schema.ParseCursor("cursor", max(cursor, "0000000000001000"))
		if look.TrimmedThrough != want || look.Happened[0].Cursor != schema.FormatCursor(n+1) {
			t.Errorf("after %s: trimmed through %q, first %s", cursor, look.TrimmedThrough, look.Happened[0].Cursor)
		}
	}
	if look := w.watch("", 500).look(); look.TrimmedThrough != "" || look.Happened[0].Cursor != "0000000000001001" {
		t.Errorf("a few past events: %q, first %s", look.TrimmedThrough, look.Happened[0].Cursor)
	}
}
