package fsstore

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

// chatter adds events and nothing else.
func chatter(t *testing.T, s *Store, me schema.Session, count int) {
	t.Helper()
	update(t, s, func(tx *Tx) error {
		for range count {
			if err := tx.Event(schema.EventIntentSet, me.SessionID, schema.Payload{SessionID: me.SessionID}); err != nil {
				return err
			}
		}
		return nil
	})
}

func cursors(events []schema.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Cursor)
	}
	return all
}

func TestEventPages(t *testing.T) {
	s, _ := realRoom(t)
	me := join(t, s, "alice") // two events
	for _, n := range []int{1, 500, 700, 1300, 49} {
		chatter(t, s, me, n)
	}
	const last = 2552
	view(t, s, func(v *View) error {
		if v.Cursor() != last {
			t.Fatalf("cursor %d", v.Cursor())
		}
		for after := int64(0); after <= last+3; after += 11 + after%37 {
			for _, limit := range []int{0, 1, 2, 99, 500, 1001} {
				checkPage(t, v, after, limit)
			}
		}
		for _, edge := range []int64{998, 999, 1000, 1001, 1999, 2000, 2001, last - 1, last, last + 1, 9_999_999_999_999_999} {
			for _, limit := range []int{1, 2, 3, 500} {
				checkPage(t, v, edge, limit)
			}
		}
		return nil
	})
}

func checkPage(t *testing.T, v *View, after int64, limit int) {
	t.Helper()
	events, err := v.Events(after, limit)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for c := after + 1; c <= v.Cursor() && len(want) < limit; c++ {
		want = append(want, schema.FormatCursor(c))
	}
	if diff := cmp.Diff(want, cursors(events)); diff != "" {
		t.Fatalf("after %d, limit %d: %s", after, limit, diff)
	}
}

// TestDamagedEvents: a line that cannot be read is reported once and skipped,
// wherever a page starts.
func TestDamagedEvents(t *testing.T) {
	var log testLog
	dir := t.TempDir()
	s := openTestRoom(t, dir, &log)
	me := join(t, s, "alice")
	chatter(t, s, me, 1498)
	full := filepath.Join(dir, roomDir, filepath.FromSlash(eventsName(1)))
	data, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	damaged := map[int]bool{1: true, 500: true, 501: true, 1000: true}
	for n := range damaged {
		lines[n-1] = bytes.Replace(lines[n-1], []byte("1"), []byte{0}, 3)
	}
	if err := os.WriteFile(full, bytes.Join(lines, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(v *View) error {
		for after := int64(0); after < 1500; after += 61 {
			events, err := v.Events(after, 1500)
			if err != nil {
				return err
			}
			var want []string
			for c := after + 1; c <= 1500; c++ {
				if !damaged[int(c)] {
					want = append(want, schema.FormatCursor(c))
				}
			}
			if diff := cmp.Diff(want, cursors(events)); diff != "" {
				t.Fatalf("after %d: %s", after, diff)
			}
		}
		return nil
	})
	if n := strings.Count(log.String(), eventsName(1)); n != 1 {
		t.Errorf("reported %d times", n)
	}
}

// TestMissingEvents: files of the log that were removed leave the rest.
func TestMissingEvents(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	chatter(t, s, me, 2498)
	if err := os.Remove(filepath.Join(dir, roomDir, filepath.FromSlash(eventsName(1001)))); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(v *View) error {
		events, err := v.Events(0, 5000)
		if len(events) != 1500 || events[1000].Cursor != schema.FormatCursor(2001) {
			t.Errorf("%d events", len(events))
		}
		return err
	})
}

// TestNothingBehindTheLastEvent: what a write that was taken back left in the
// log is not read, also not when its file is full.
func TestNothingBehindTheLastEvent(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	chatter(t, s, me, 998)
	f, err := os.OpenFile(filepath.Join(dir, roomDir, filepath.FromSlash(eventsName(1))), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	stale, err := schema.EncodeLine(&schema.Event{
		SchemaVersion: schema.Version, Cursor: schema.FormatCursor(1001), Type: schema.EventIntentCleared,
		ActorSessionID: me.SessionID, OccurredAt: schema.At(testStart),
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Write(stale)
	f.Close()
	view(t, s, func(v *View) error { checkPage(t, v, 990, 100); return nil })
	chatter(t, s, me, 5)
	view(t, s, func(v *View) error { checkPage(t, v, 990, 100); return nil })
}

// TestEndOfEvents: a log whose numbers were lost goes on behind everything
// that may have been an event.
func TestEndOfEvents(t *testing.T) {
	s, dir := realRoom(t)
	chatter(t, s, join(t, s, "alice"), 8)
	data, err := os.ReadFile(filepath.Join(dir, roomDir, filepath.FromSlash(eventsName(1))))
	if err != nil {
		t.Fatal(err)
	}
	line := int64(bytes.IndexByte(data, '\n') + 1)
	for what, c := range map[string]struct {
		data        []byte
		cursor, end int64
	}{
		"whole":             {data, 10, int64(len(data))},
		"empty":             {nil, 0, 0},
		"torn":              {data[:line+9], 1, line},
		"last line damaged": {append(bytes.Clone(data), "garbage\n"...), 11, int64(len(data)) + 8},
		"first line lost":   {data[line:], 10, int64(len(data)) - line},
		"zeros":             {make([]byte, 900), 1000, 0},
	} {
		if cursor, end := endOfEvents(1, c.data); cursor != c.cursor || end != c.end {
			t.Errorf("%s: cursor %d, end %d", what, cursor, end)
		}
	}
}

// TestRebuildBesideDamagedEvents rebuilds run/ where the log is damaged: the
// damage stays as it is, and what comes after is read.
func TestRebuildBesideDamagedEvents(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	chatter(t, s, me, 1010)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, roomDir, runDir)); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "events/zzz.jsonl", []byte("{}\n"))
	full := writeFile(t, dir, eventsName(1001), make([]byte, 4000))
	s = openTestRoom(t, dir, io.Discard)
	chatter(t, s, me, 3)
	view(t, s, func(v *View) error {
		events, err := v.Events(1000, 10)
		if len(events) != 3 {
			t.Errorf("%v", cursors(events))
		}
		return err
	})
	if data, err := os.ReadFile(full); err != nil || !bytes.Equal(data, make([]byte, 4000)) {
		t.Errorf("the damaged file was changed, %v", err)
	}
}
