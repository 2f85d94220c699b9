package fsstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore/crashdisk"
	"acc/schema"
)

// TestNewerFormatIsUntouched: not one byte of a room of a later program is
// changed, and nothing is added.
func TestNewerFormatIsUntouched(t *testing.T) {
	s, dir := realRoom(t)
	join(t, s, "alice")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, workspaceName, []byte("{\n  \"formatVersion\": 2,\n  \"of\": \"the future\"\n}\n"))
	if err := os.RemoveAll(filepath.Join(dir, roomDir, runDir)); err != nil {
		t.Fatal(err)
	}
	before := treeOf(t, dir)
	for _, open := range []func(string, Env) (*Store, error){Open, Init} {
		if _, err := open(dir, testEnv(newTestClock(), io.Discard)); !schema.HasReason(err, schema.ReasonFormatNewer) {
			t.Errorf("%v", err)
		}
	}
	if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestDamagedWorkspaceIsUntouched(t *testing.T) {
	for what, data := range map[string]string{"empty": "", "zeros": "\x00\x00\x00", "garbage": "{]", "array": "[1]"} {
		s, dir := realRoom(t)
		s.Close()
		writeFile(t, dir, workspaceName, []byte(data))
		before := treeOf(t, dir)
		if _, err := Init(dir, testEnv(newTestClock(), io.Discard)); !schema.HasReason(err, schema.ReasonRecordDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}

// treeOf reads all files of a room on the real disk.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(filepath.Join(dir, roomDir)), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, roomDir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestNoRoomIsMadeByOpening(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, testEnv(newTestClock(), io.Discard)); !errors.Is(err, ErrNoRoom) {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("made %v", entries)
	}
}

// busyRoom has a bit of everything in it.
func busyRoom(t *testing.T) (*Store, string, schema.Session) {
	t.Helper()
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	join(t, s, "bob")
	first := send(t, s, me, decision())
	send(t, s, me, decision(first.MessageID))
	send(t, s, me, letter{to: []string{"bob"}, kind: schema.Note, obligation: schema.OweNothing, key: "my key"})
	fill(t, s, me, 20)
	return s, dir, me
}

func decision(changes ...string) letter {
	l := letter{kind: schema.Decision, obligation: schema.OweNothing}
	if len(changes) > 0 {
		l.change = &schema.DecisionChange{Action: schema.Replace, MessageIDs: changes}
	}
	return l
}

// summaryOf is what a room says that index/ and run/ have a part in.
func summaryOf(t *testing.T, s *Store) []any {
	t.Helper()
	var all []any
	view(t, s, func(v *View) error {
		checkWhole(t, v)
		refs, err := history(v)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if ref.Kind == schema.Decision {
				status, err := v.DecisionStatus(ref.MessageID)
				if err != nil {
					return err
				}
				all = append(all, status)
			}
		}
		m, err := v.KeyedMessage("alice", "my key")
		all = append(all, v.Cursor(), v.MessageCount(), m.MessageID, v.head.State.EventEnd)
		return err
	})
	return all
}

// TestRebuild removes what is made from the records, and has it back.
func TestRebuild(t *testing.T) {
	for _, lost := range []string{"run", "index", "run/journal", "run/head", "run/lock", "run/gate", "run/live", "run/tmp", "index/decisions.jsonl"} {
		t.Run(lost, func(t *testing.T) {
			s, dir, _ := busyRoom(t)
			want := summaryOf(t, s)
			s.release() // killed: nothing is cut
			if err := os.RemoveAll(filepath.Join(dir, roomDir, filepath.FromSlash(lost))); err != nil {
				t.Fatal(err)
			}
			var log testLog
			s = openTestRoom(t, dir, &log)
			if diff := cmp.Diff(want, summaryOf(t, s)); diff != "" {
				t.Error(diff)
			}
			send(t, s, join(t, s, "carol"), note("bob"))
			view(t, s, func(v *View) error { checkWhole(t, v); return nil })
			if strings.Contains(log.String(), "damaged") {
				t.Error(log.String())
			}
		})
	}
}

// TestRemovedBehindALiveProcess: a process whose room goes away says so, and
// finds the new one.
func TestRemovedBehindALiveProcess(t *testing.T) {
	ctx := context.Background()
	for what, remove := range map[string]func(room string) error{
		".acc removed": os.RemoveAll,
		".acc moved":   func(room string) error { return os.Rename(room, room+".bak") },
		"run removed":  func(room string) error { return os.RemoveAll(filepath.Join(room, runDir)) },
		"index removed": func(room string) error {
			return os.RemoveAll(filepath.Join(room, "index"))
		},
	} {
		for _, remade := range []bool{false, true} {
			s, dir, _ := busyRoom(t)
			if err := remove(filepath.Join(dir, roomDir)); err != nil {
				t.Fatal(err)
			}
			if remade {
				join(t, openTestRoom(t, dir, io.Discard), "dave")
			}
			if err := s.Update(ctx, func(tx *Tx) error { _, err := joinTx(tx, "eve"); return err }); !errors.Is(err, ErrNoRoom) {
				t.Errorf("%s, made anew %v: update: %v", what, remade, err)
			}
			if err := s.View(ctx, func(*View) error { return nil }); !errors.Is(err, ErrNoRoom) {
				t.Errorf("%s, made anew %v: view: %v", what, remade, err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s: close: %v", what, err)
			}
			join(t, openTestRoom(t, dir, io.Discard), "eve")
		}
	}
}

// TestFoldersRemovedBehindALiveProcess: folders of records may go at any
// time; the next write makes them again.
func TestFoldersRemovedBehindALiveProcess(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	for _, name := range []string{"inbox", "messages", "claims", "events", "sessions", "presence", "run/tmp"} {
		send(t, s, me, note("bob"))
		if err := s.Heartbeat(me.SessionID); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, roomDir, name)); err != nil {
			t.Fatal(err)
		}
		m := send(t, s, me, note("bob"))
		update(t, s, func(tx *Tx) error { _, err := claimTx(tx, me, "file:a"); return err })
		view(t, s, func(v *View) error {
			events, err := v.Events(v.Cursor()-2, 10)
			if len(events) != 2 {
				t.Errorf("%s: %d events of the last two", name, len(events))
			}
			_, receiptErr := v.Receipt("bob", m)
			return errors.Join(err, receiptErr)
		})
	}
}

func TestInitAtOnce(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		ids := make([]string, 8)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				s, err := Init(dir, testEnv(newTestClock(), io.Discard))
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				ids[i] = s.Workspace().WorkspaceID
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("two rooms: %v", ids)
			}
		}
	}
}

// readOnlyDisk refuses every change, as one that is mounted so.
type readOnlyDisk struct{ disk }

func (readOnlyDisk) Create(name string, _ []byte, _ fs.FileMode) error {
	return &fs.PathError{Op: "create", Path: name, Err: syscall.EROFS}
}
func (readOnlyDisk) Rename(name, _ string) error {
	return &fs.PathError{Op: "rename", Path: name, Err: syscall.EROFS}
}
func (readOnlyDisk) Remove(name string) error {
	return &fs.PathError{Op: "remove", Path: name, Err: syscall.EROFS}
}
func (readOnlyDisk) Mkdir(name string, _ fs.FileMode) error {
	return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.EROFS}
}
func (readOnlyDisk) Open(name string, _ bool, _ fs.FileMode) (file, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EROFS}
}

func TestReadOnlyRoom(t *testing.T) {
	s, dir, me := busyRoom(t)
	want := summaryOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := treeOf(t, dir)
	env := testEnv(newTestClock(), io.Discard)
	env.Disk = func(d disk) disk { return readOnlyDisk{d} }
	s, err := Open(dir, env)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, summaryOf(t, s)); diff != "" {
		t.Error(diff)
	}
	err = s.Update(context.Background(), func(*Tx) error { return nil })
	if !schema.HasReason(err, schema.ReasonStoreReadOnly) {
		t.Errorf("update: %v", err)
	}
	if err := s.Heartbeat(me.SessionID); !schema.HasReason(err, schema.ReasonStoreReadOnly) {
		t.Errorf("heartbeat: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestCleanCloseLeavesNothingToRecover: what people do to the files of a room
// that nobody has open is theirs to do.
func TestCleanCloseLeavesNothingToRecover(t *testing.T) {
	s, dir := realRoom(t)
	m := send(t, s, join(t, s, "alice"), note("bob"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, roomDir, filepath.FromSlash(messageName(m.MessageID, m.Kind)))
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	openTestRoom(t, dir, io.Discard)
	if _, err := os.Lstat(full); !isMissing(err) {
		t.Errorf("a removed file is back: %v", err)
	}
}

// TestFailedSyncStopsTheStore: after a failed sync nobody knows what is on the
// disk, and a second one would not say.
func TestFailedSyncStopsTheStore(t *testing.T) {
	d := crashdisk.New(newTestClock().now)
	p := newPlay(t, d)
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	join(t, p.s, "alice")
	// Find the sync: the operations before it fail and change nothing.
	d.FailWith = syscall.EIO
	var err error
	for k := 0; !strings.HasPrefix(d.Failed, "sync "+journalName); k++ {
		d.FailAt = d.Ops + k
		if err = p.s.Update(context.Background(), func(tx *Tx) error { _, err := joinTx(tx, "bob"); return err }); err == nil {
			t.Fatalf("no sync was hit, but %q", d.Failed)
		}
	}
	if !isStoreFailed(err) {
		t.Errorf("%v", err)
	}
	d.FailAt = -1
	before := d.Ops
	if err := p.s.Update(context.Background(), func(*Tx) error { return nil }); !isStoreFailed(err) {
		t.Errorf("%v", err)
	}
	view(t, p.s, func(v *View) error {
		if _, err := v.Participant("bob"); !isMissing(err) {
			t.Errorf("%v", err)
		}
		return nil
	})
	p.s.Close()
	if d.Ops != before {
		t.Errorf("%d operations after the failure", d.Ops-before)
	}
}
