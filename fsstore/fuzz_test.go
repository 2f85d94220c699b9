package fsstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"acc/schema"
)

// FuzzJournal reads a journal made of anything: behind a good header stands a
// payload in a frame that is whole, and behind that whatever comes. Nothing
// panics, hangs or hands out more than there was.
func FuzzJournal(f *testing.F) {
	whole := aRecord(1, 1)
	data, err := whole.encode()
	if err != nil {
		f.Fatal(err)
	}
	slot, err := (&header{Epoch: 1}).encode()
	if err != nil {
		f.Fatal(err)
	}
	next, _ := aRecord(1, 2).encode()
	beyond, _ := aRecord(1, 3).encode()
	payload := data[prefixLen:]
	f.Add(slot, payload, next)
	f.Add(slot, payload, append([]byte("?"), beyond...))
	f.Add(slot[:100], payload, data)
	f.Add([]byte("acc-journal -0000001 00000000\n{}\n"), []byte("{}\n"), []byte("acc 0000000000000001 0000000000000002 ffffffff 00000000\n"))
	f.Add(slot, []byte(`{"state":{"cursor":-1,"graphEnd":-9},"ops":[{"op":"put","name":"../x","size":-1},{"size":99}]}`+"\n"), next)
	f.Add(slot, []byte(`{"state":{},"ops":[{"op":"append","name":"events/x","offset":-9223372036854775808,"size":1}]}`+"\nx"), []byte{})
	f.Fuzz(func(t *testing.T, head, payload, rest []byte) {
		r := &record{Epoch: 1, Seq: 1}
		image := make([]byte, recordsStart)
		copy(image[headerSlot:], head[:min(len(head), headerSlot)])
		image = append(append(append(image, r.prefix(payload)...), payload...), rest...)
		s := &Store{journal: journal{memoryFile(image)}}
		h, ops, err := s.scan()
		if err != nil {
			if !isStoreFailed(err) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		size := 0
		for _, o := range ops {
			size += len(o.data)
			if len(o.data) != o.Size || o.Offset < 0 {
				t.Fatalf("operation %+v", o)
			}
		}
		if size > len(image) || h.Tail < recordsStart || h.Tail > int64(len(image)) || !h.State.possible() {
			t.Fatalf("%d bytes of operations from %d of journal, head %+v", size, len(image), h)
		}
	})
}

// FuzzHead: the head is a cache that anything may have been written into.
func FuzzHead(f *testing.F) {
	f.Add([]byte(`{"epoch":1,"seq":1,"tail":4096,"state":{"cursor":1,"eventEnd":1,"messages":1,"graphEnd":1,"lastId":"01k5x0f4e2m9v8r7c6b5a4z3y2"}}`))
	f.Add([]byte(`{"epoch":1,"tail":4096,"state":{"graphEnd":-1}}`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if h, ok := parseHead(line); ok && (h.Tail < recordsStart || !h.State.possible()) {
			t.Fatalf("taken for a head: %+v", h)
		}
		summed := fmt.Appendf(slices.Clone(line), " %s\n", headSum(line))
		if h, ok := parseHead(summed); ok && (h.Tail < recordsStart || !h.State.possible()) {
			t.Fatalf("with a sum, taken for a head: %+v", h)
		}
	})
}

// FuzzEvents reads a file of the log that holds anything. Cursors come out
// growing and within the file, and what the end of it says fits the file.
func FuzzEvents(f *testing.F) {
	line := func(cursor int64) string {
		data, err := schema.EncodeLine(&schema.Event{
			SchemaVersion: 1, Cursor: schema.FormatCursor(cursor), Type: schema.EventIntentSet,
			ActorSessionID: "session_01k5x0f4e2m9v8r7c6b5a4z3y2", OccurredAt: schema.At(testStart),
		})
		if err != nil {
			f.Fatal(err)
		}
		return string(data)
	}
	f.Add([]byte(line(1)+line(2)+line(3)), uint16(0))
	f.Add([]byte(line(1)+line(1)+line(7)+"garbage\n\n"+line(3)), uint16(1))
	f.Add([]byte(line(1)+line(2000)+strings.TrimSuffix(line(2), "\n")), uint16(0))
	f.Add([]byte("\x00\x00\n\xff"), uint16(9999))
	f.Fuzz(func(t *testing.T, data []byte, after uint16) {
		cursor, end := endOfEvents(1, data)
		if cursor < 0 || cursor > eventsPerFile || end < 0 || end > int64(len(data)) {
			t.Fatalf("the end is %d at %d of %d", cursor, end, len(data))
		}
		s := &Store{disk: fileDisk{data: data}, damage: damageLog{log: slog.New(slog.DiscardHandler)}}
		v := &View{store: s, head: head{State: state{Cursor: cursor, EventEnd: end}}}
		events, err := v.Events(int64(after), 50)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) > 50 {
			t.Fatalf("%d events", len(events))
		}
		for _, e := range events {
			if n, err := schema.ParseCursor("cursor", e.Cursor); err != nil || n <= int64(after) || n > eventsPerFile {
				t.Fatalf("cursor %s after %d", e.Cursor, after)
			}
		}
	})
}

// fileDisk has one file, under every name of the log.
type fileDisk struct {
	disk
	data []byte
}

func (d fileDisk) Read(name string) ([]byte, error) {
	if strings.HasSuffix(name, ".jsonl") {
		return d.data, nil
	}
	return nil, os.ErrNotExist
}

func (d fileDisk) List(string) ([]fs.DirEntry, error) { return nil, nil }

func (d fileDisk) ReadAt(name string, off int64, n int) ([]byte, error) {
	data, err := d.Read(name)
	if err != nil || off > int64(len(data)) {
		return nil, err
	}
	return data[off:min(int64(len(data)), off+int64(n))], nil
}

// FuzzCanonical: a resource that the workspace has settled stays as it is, and
// names nothing outside.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		"file:src/a.go", "file:link/a", "file:out/passwd", "file:src/../../x", "file:**", "file:loop/x", "issue:42", "file:/etc/passwd", "file:SRC/**",
	} {
		f.Add(seed)
	}
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	err = errors.Join(os.Mkdir(filepath.Join(dir, "src"), 0o755), os.Symlink("src", filepath.Join(dir, "link")),
		os.Symlink("..", filepath.Join(dir, "out")), os.Symlink("loop", filepath.Join(dir, "loop")))
	if err != nil {
		f.Fatal(err)
	}
	w := Workspace{Root: dir, Checkout: dir}
	f.Fuzz(func(t *testing.T, uri string) {
		r, err := w.Canonical(uri)
		if err != nil {
			if schema.AsError(err).Code != schema.CodeUsage {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		if !r.Canonical() {
			t.Fatalf("%q becomes %q, which no record may hold", uri, r)
		}
		if again, err := w.Canonical(string(r)); err != nil || again != r {
			t.Fatalf("%q becomes %q, and that %q, %v", uri, r, again, err)
		}
	})
}

// FuzzPublished imports a file of anything. The room never fails over it; what
// it takes in is the message of that name, and the file stays as it is.
func FuzzPublished(f *testing.F) {
	const id = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	good, err := schema.Encode(&schema.Message{
		SchemaVersion: 1, MessageID: id, ThreadID: id, ClientMessageID: GeneratedKey(id), WorkspaceID: "workspace_01k5x0f4e2m9v8r7c6b5a4z3y0",
		FromParticipantID: "carol", FromSessionID: "session_01k5x0f4e2m9v8r7c6b5a4z3y1", ToParticipantIDs: []string{"bob"},
		Kind: schema.Handoff, Obligation: schema.OweAcknowledge, Subject: "s", Body: "b", Artifacts: []string{},
		Handoff: &schema.HandoffNote{
			Status: schema.HandoffPartial, Completed: []string{}, Remaining: []string{}, Blockers: []string{}, Verification: []string{},
		},
		SentAt: schema.At(schema.IDTime(id)),
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")))
	f.Add(good[:len(good)/2])
	f.Add(bytes.ReplaceAll(good, []byte(`"carol"`), []byte(`"../carol"`)))
	f.Add(bytes.ReplaceAll(good, []byte("01k5x0f4e2m9v8r7c6b5a4z3y2"), []byte("7zzzzzzzzzzzzzzzzzzzzzzzzz")))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, dir := realRoom(t)
		join(t, s, "bob")
		file := writeFile(t, dir, handoffsDir+"/"+id+".json", data)
		n, err := s.Import(t.Context(), Workspace{Root: dir, Checkout: dir})
		if err != nil || n > 1 {
			t.Fatalf("imported %d, %v", n, err)
		}
		view(t, s, func(v *View) error {
			refs, err := history(v)
			if err != nil || len(refs) != n || v.MessageCount() != int64(n) {
				t.Fatalf("%d imported, history %v, %v", n, refs, err)
			}
			if n == 1 {
				m, err := v.Message(id)
				if err != nil || m.Kind != schema.Handoff {
					t.Fatalf("%+v, %v", m, err)
				}
			}
			return nil
		})
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, data) {
			t.Fatalf("the file was changed: %v", err)
		}
	})
}

// FuzzPublication reads a note of what is to be published, the one record that
// schema does not know.
func FuzzPublication(f *testing.F) {
	f.Add([]byte(`{"schemaVersion":1,"messageId":"message_01k5x0f4e2m9v8r7c6b5a4z3y2","kind":"handoff","checkout":"/x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Publication
		if schema.Decode(data, &p) != nil {
			return
		}
		first, err := schema.Encode(&p)
		if err != nil {
			t.Fatal(err)
		}
		var again Publication
		if err := schema.Decode(first, &again); err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(&again)
		if third, _ := json.Marshal(&p); err != nil || !bytes.Equal(second, third) {
			t.Fatalf("%s becomes %s", third, second)
		}
	})
}
