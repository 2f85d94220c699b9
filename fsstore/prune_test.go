package fsstore

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

func TestDeleteMessage(t *testing.T) {
	s, dir := realRoom(t)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	settled := send(t, s, alice, letter{to: []string{"bob"}, kind: schema.Note, obligation: schema.OweNothing, key: "k"})
	open := send(t, s, alice, question("bob"))
	update(t, s, func(tx *Tx) error { return advanceTx(tx, bob, settled, schema.Retrieved) })
	for _, m := range []*schema.Message{settled, open, open} {
		update(t, s, func(tx *Tx) error {
			held, err := tx.Holdings()
			tx.DeleteMessage(m, held[m.MessageID])
			return err
		})
	}
	view(t, s, func(v *View) error {
		if n := v.MessageCount(); n != 0 {
			t.Errorf("%d messages are counted", n)
		}
		if held, err := v.Holdings(); len(held) != 0 || err != nil {
			t.Errorf("receipts are left: %v, %v", held, err)
		}
		if _, err := v.KeyedMessage("alice", "k"); !isMissing(err) {
			t.Errorf("the key: %v", err)
		}
		return nil
	})
	update(t, s, func(tx *Tx) error { return tx.Tidy() })
	for _, group := range grouped {
		if entries, _ := os.ReadDir(filepath.Join(dir, roomDir, group)); len(entries) != 0 {
			t.Errorf("%s still holds %v", group, entries)
		}
	}
	send(t, s, alice, question("bob")) // the directories come back
}

// logEvents appends events, in transactions of a thousand.
func logEvents(t *testing.T, s *Store, me schema.Session, n int) {
	t.Helper()
	for ; n > 0; n -= 1000 {
		update(t, s, func(tx *Tx) error {
			for range min(n, 1000) {
				if err := tx.Event(schema.EventIntentSet, me.SessionID, schema.Payload{SessionID: me.SessionID}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func TestTrimEvents(t *testing.T) {
	s, dir := realRoom(t)
	alice := join(t, s, "alice")
	logEvents(t, s, alice, 2998) // 3,000 with the two of joining
	trim := func(before, through int64, first string) {
		t.Helper()
		update(t, s, func(tx *Tx) error { return tx.TrimEvents(before) })
		view(t, s, func(v *View) error {
			if got := v.TrimmedThrough(); got != through {
				t.Errorf("before %d: trimmed through %d, want %d", before, got, through)
			}
			events, err := v.Events(0, 10)
			if err != nil || len(events) != 10 || events[0].Cursor != first {
				t.Errorf("before %d: %d events, the first %v, %v", before, len(events), events, err)
			}
			return nil
		})
	}
	trim(1000, 0, "0000000000000001")
	trim(1001, 1000, "0000000000001001")
	trim(900, 1000, "0000000000001001")
	trim(1<<40, 2000, "0000000000002001") // the file of the last event stays
	logEvents(t, s, alice, 1)

	// Without run/ the count goes on where it was.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, roomDir, runDir)); err != nil {
		t.Fatal(err)
	}
	s = openTestRoom(t, dir, io.Discard)
	logEvents(t, s, alice, 1)
	view(t, s, func(v *View) error {
		if v.Cursor() != 3002 || v.TrimmedThrough() != 2000 {
			t.Errorf("cursor %d, trimmed through %d", v.Cursor(), v.TrimmedThrough())
		}
		return nil
	})

	// A damaged record of the cut does not hide the log.
	writeFile(t, dir, trimName, []byte("{"))
	view(t, s, func(v *View) error {
		events, err := v.Events(0, 1)
		if v.TrimmedThrough() != 2000 || err != nil || len(events) != 1 || events[0].Cursor != "0000000000002001" {
			t.Errorf("trimmed through %d, then %v, %v", v.TrimmedThrough(), events, err)
		}
		return nil
	})
}

func TestRebuildIndex(t *testing.T) {
	s, dir := realRoom(t)
	alice := join(t, s, "alice")
	m := send(t, s, alice, letter{to: []string{"alice"}, kind: schema.Decision, obligation: schema.OweNothing, key: "k"})
	stale := filepath.Join(dir, roomDir, keyName("alice", "other"))
	data, err := schema.Encode(&schema.Key{SchemaVersion: 1, ClientMessageID: "other", MessageID: m.MessageID})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stale, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, roomDir, decisionsLog), 0); err != nil {
		t.Fatal(err)
	}
	if err := RebuildIndex(t.Context(), dir, s.Env()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(stale); !os.IsNotExist(err) {
		t.Errorf("a stale key is left: %v", err)
	}
	// Who had the room open meanwhile sees that it was made anew.
	if err := s.View(t.Context(), func(*View) error { return nil }); err != ErrNoRoom {
		t.Errorf("the store of before says %v", err)
	}
	again := openTestRoom(t, dir, io.Discard)
	view(t, again, func(v *View) error {
		got, err := v.KeyedMessage("alice", "k")
		if diff := cmp.Diff(m, &got); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
		return nil
	})
	i, err := Inspect(dir, s.Env())
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if links, err := i.Links(); len(links) != 1 || err != nil {
		t.Errorf("links %v, %v", links, err)
	}
}
