package coordination

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

// reader is somebody who reads the room and is nobody in it.
func (w *world) reader(log *bytes.Buffer) *Room {
	w.t.Helper()
	if log == nil {
		log = &bytes.Buffer{}
	}
	r := NewRoom(Config{
		Workspace: fsstore.Workspace{Root: w.dir, Checkout: w.dir},
		Env: fsstore.Env{
			Now: func() time.Time { return w.now }, Rand: w.rand, Process: fsstore.Process{Host: "box"},
			Alive: func(p fsstore.Process) bool { return w.alive[p.PID] }, Log: slog.New(slog.NewTextHandler(log, nil)),
		},
	})
	w.t.Cleanup(func() { _ = r.Close() })
	return r
}

func logged(t *testing.T, r *Room, q LogQuery) (ids []string, next string) {
	t.Helper()
	page, err := r.Log(context.Background(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	for _, e := range page.Items {
		ids = append(ids, e.MessageID)
	}
	if page.NextCursor != nil {
		next = *page.NextCursor
	}
	return ids, next
}

func TestLogFilters(t *testing.T) {
	w := newWorld(t)
	alice, bob, carol := w.join("alice"), w.join("bob"), w.join("carol")
	asked := alice.ask("bob", "which parser?")
	w.pass(time.Hour)
	room := bob.ok("acc_message", `{"to":[],"subject":"hello","body":"b"}`).str("message.messageId")
	answer := bob.ok("acc_reply", `{"messageId":"`+asked+`","body":"new"}`).str("message.messageId")
	dave := w.join("dave")
	private := carol.send("alice", "hi")
	again := alice.ok("acc_reply", `{"messageId":"`+answer+`","body":"thanks"}`).str("message.messageId")

	r := w.reader(nil)
	all := []string{again, private, answer, room, asked}
	for name, c := range map[string]struct {
		query LogQuery
		want  []string
	}{
		"everything":                    {LogQuery{}, all},
		"a kind":                        {LogQuery{Kind: schema.Answer}, []string{again, answer}},
		"since":                         {LogQuery{Since: w.now.Add(-time.Minute)}, all[:4]},
		"carol":                         {LogQuery{Participant: "carol"}, []string{private, room}},
		"bob":                           {LogQuery{Participant: "bob"}, []string{again, answer, room, asked}},
		"dave came after the room mail": {LogQuery{Participant: "dave"}, nil},
		"the thread of its root":        {LogQuery{Thread: asked}, []string{again, answer, asked}},
		"the thread of an answer":       {LogQuery{Thread: again}, []string{again, answer, asked}},
		"an answer of alice":            {LogQuery{Kind: schema.Answer, Thread: answer, Participant: "alice"}, []string{again, answer}},
		"a page":                        {LogQuery{Cursor: answer, Limit: 1}, []string{room}},
	} {
		if got, _ := logged(t, r, c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	w.unchanged("reading the log", func() { logged(t, r, LogQuery{Participant: "alice", Thread: asked}) })
	if _, err := r.Log(context.Background(), LogQuery{Participant: "davy"}); !schema.HasReason(err, schema.ReasonRecipientUnknown) {
		t.Errorf("a name that nobody has: %v", err)
	}
	_ = dave
}

func TestLogPagesMeet(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	var want []string
	for i := range 23 {
		from, to := alice, "bob"
		if i%3 == 0 {
			from, to = bob, "alice"
		}
		id := from.send(to, fmt.Sprint(i))
		if i%2 == 0 {
			from.ok("acc_message", `{"to":[],"kind":"decision","subject":"d","body":"b"}`)
		}
		want = append([]string{id}, want...)
	}
	r := w.reader(nil)
	var got []string
	q := LogQuery{Kind: schema.Note, Participant: "alice", Limit: 4}
	for pages := 1; ; pages++ {
		ids, next := logged(t, r, q)
		got = append(got, ids...)
		if q.Cursor = next; next == "" {
			break
		}
		if pages > 10 {
			t.Fatal("the pages do not end")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all pages (-want +got):\n%s", diff)
	}
}

// TestLogOpensWhatItShows damages what a page has no business with: nobody
// finds out.
func TestLogOpensWhatItShows(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	w.join("bob")
	for i := range 30 {
		id := alice.send("bob", fmt.Sprint(i))
		if i < 9 {
			if err := os.WriteFile(w.find("messages/*/"+id+".note.json"), []byte("broken"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var log bytes.Buffer
	r := w.reader(&log)
	if ids, next := logged(t, r, LogQuery{}); len(ids) != 20 || next != ids[19] || log.Len() > 0 {
		t.Errorf("%d messages, cursor %q, log %s", len(ids), next, &log)
	}
	if ids, next := logged(t, r, LogQuery{Limit: 100}); len(ids) != 21 || next != "" || log.Len() == 0 {
		t.Errorf("%d messages, cursor %q, log %s", len(ids), next, &log)
	}
}

func TestNamesAreBounded(t *testing.T) {
	w := newWorld(t)
	alice := w.join("alice")
	w.join("bob")
	for i := range 5 {
		alice.send("bob", fmt.Sprint(i))
	}
	err := w.reader(nil).view(context.Background(), func(v *fsstore.View) error {
		refs, more, err := nameFilter{}.refs(v, 3)
		if len(refs) != 3 || !more || err != nil {
			t.Errorf("%d names, more %v, %v", len(refs), more, err)
		}
		refs, more, err = nameFilter{before: refs[2].MessageID}.refs(v, 3)
		if len(refs) != 2 || more || err != nil {
			t.Errorf("the rest: %d names, more %v, %v", len(refs), more, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
