package fsstore

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"acc/schema"
)

func TestPresence(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	signs := func() (n int) {
		view(t, s, func(v *View) error {
			all, err := v.Presence()
			n = len(all[me.SessionID])
			return err
		})
		return n
	}
	if signs() != 0 {
		t.Error("a sign of life before the first")
	}
	for range 2 {
		if err := s.Heartbeat(me.SessionID); err != nil {
			t.Fatal(err)
		}
	}
	if signs() != 1 {
		t.Errorf("%d signs", signs())
	}
	writeFile(t, dir, presenceName(me.SessionID, 43), nil) // torn
	if signs() != 1 {
		t.Errorf("%d signs with a torn one", signs())
	}
	s.Leave(me.SessionID)
	if signs() != 0 {
		t.Errorf("%d signs after leaving", signs())
	}
	if err := os.RemoveAll(filepath.Join(dir, roomDir)); err != nil {
		t.Fatal(err)
	}
	if err := s.Heartbeat(me.SessionID); !errors.Is(err, ErrNoRoom) {
		t.Errorf("in a removed room: %v", err)
	}
}

// TestSweep: the first to come removes what killed processes left, once it is
// old, and nothing else.
func TestSweep(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	s.release()
	old := testStart.Add(-2 * time.Hour)
	var files []string
	for _, name := range []string{"run/tmp/OLD.1", presenceName(me.SessionID, 7), "run/tmp/NEW.1", presenceName(me.SessionID, 8), "presence/notes.txt"} {
		full := writeFile(t, dir, name, []byte("{}"))
		if err := os.Chtimes(full, old, old); err != nil {
			t.Fatal(err)
		}
		files = append(files, full)
	}
	// The sign of a process that lives stays, however long it has idled.
	sign, err := schema.Encode(&schema.Presence{
		SchemaVersion: schema.Version, SessionID: me.SessionID, Host: "host", PID: 9, ProcessStart: "1", HeartbeatAt: schema.At(old),
	})
	if err != nil {
		t.Fatal(err)
	}
	idle := writeFile(t, dir, presenceName(me.SessionID, 9), sign)
	if err := os.Chtimes(idle, old, old); err != nil {
		t.Fatal(err)
	}
	for _, young := range files[2:4] {
		if err := os.Chtimes(young, testStart, testStart); err != nil {
			t.Fatal(err)
		}
	}
	openTestRoom(t, dir, io.Discard)
	for i, full := range append(files, idle) {
		if _, err := os.Stat(full); isMissing(err) != (i < 2) {
			t.Errorf("%s: %v", filepath.Base(full), err)
		}
	}
}

func TestSessionsAndIntents(t *testing.T) {
	s, _ := realRoom(t)
	me := join(t, s, "alice")
	update(t, s, func(tx *Tx) error {
		if tx.DeleteIntent(me.SessionID) {
			t.Error("an intent before the first")
		}
		return tx.PutIntent(&schema.Intent{
			SchemaVersion: schema.Version, SessionID: me.SessionID, Summary: "work", Mode: "edit",
			ResourceHints: []schema.Resource{}, State: "active", UpdatedAt: schema.At(tx.Now()),
		})
	})
	update(t, s, func(tx *Tx) error {
		intents, err := tx.Intents()
		if len(intents) != 1 || intents[me.SessionID].Summary != "work" {
			t.Errorf("%v", intents)
		}
		if !tx.DeleteIntent(me.SessionID) {
			t.Error("no intent to delete")
		}
		closed := schema.At(tx.Now())
		me.State, me.ClosedAt = schema.SessionClosed, &closed
		return errors.Join(err, tx.RetireSession(&me))
	})
	view(t, s, func(v *View) error {
		open, err1 := v.Sessions()
		closed, err2 := v.ClosedSessions()
		found, err3 := v.Session(me.SessionID)
		if len(open) != 0 || len(closed) != 1 || found.State != schema.SessionClosed {
			t.Errorf("%v %v %v", open, closed, found)
		}
		return errors.Join(err1, err2, err3)
	})
}

func TestExpiredClaims(t *testing.T) {
	s, _ := realRoom(t)
	me := join(t, s, "alice")
	var c *schema.Claim
	update(t, s, func(tx *Tx) (err error) { c, err = claimTx(tx, me, "file:a"); return err })
	for _, told := range []bool{false, true} {
		update(t, s, func(tx *Tx) error { return tx.RetireClaim(c, told) })
		view(t, s, func(v *View) error {
			kept, err := v.ExpiredClaims(me.SessionID)
			if len(kept) != 1 || kept[0].Told != told || kept[0].Claim.ClaimID != c.ClaimID {
				t.Errorf("%+v", kept)
			}
			if _, err := v.Claim(c.ClaimID); !isMissing(err) {
				t.Errorf("still on the ground: %v", err)
			}
			return err
		})
	}
	update(t, s, func(tx *Tx) error { tx.DeleteClaim(c); return nil })
	view(t, s, func(v *View) error {
		kept, err := v.ExpiredClaims(me.SessionID)
		if len(kept) != 0 {
			t.Errorf("%v", kept)
		}
		return err
	})
}

// TestModes: what holds a secret is readable by its owner alone, whatever the
// room is shared for.
func TestModes(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	for name, want := range map[string]os.FileMode{
		"run": 0o700, "sessions": 0o700, sessionName(me.SessionID): 0o600, journalName: 0o600, headName: 0o600, lockName: 0o600,
	} {
		info, err := os.Stat(filepath.Join(dir, roomDir, filepath.FromSlash(name)))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
