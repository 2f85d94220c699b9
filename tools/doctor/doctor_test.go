package doctor

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// room is a room in a directory of its own, with alice in it.
type room struct {
	t   *testing.T
	cfg Config
	s   *fsstore.Store
	me  *schema.Session
}

func newRoom(t *testing.T) *room {
	w, err := fsstore.Locate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := fsstore.RealEnv(slog.New(slog.DiscardHandler))
	env.Alive = func(p fsstore.Process) bool { return p.Start == "alive" }
	r := &room{t: t, cfg: Config{Workspace: w, Env: env}}
	if r.s, err = fsstore.Init(w.Root, env); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.s.Close() })
	r.me = r.join("alice")
	return r
}

func (r *room) update(fn func(*fsstore.Tx) error) {
	r.t.Helper()
	if err := r.s.Update(r.t.Context(), fn); err != nil {
		r.t.Fatal(err)
	}
}

func (r *room) join(who string) *schema.Session {
	s := &schema.Session{
		SchemaVersion: 1, ParticipantID: who, Generation: strings.Repeat("0", 32), Harness: "codex", State: schema.SessionOpen,
		Enforcement: schema.Advisory, Lifecycle: schema.Manual,
	}
	r.update(func(tx *fsstore.Tx) (err error) {
		s.StartedAt = schema.At(tx.Now())
		if s.SessionID, err = tx.NewID(schema.IDSession); err != nil {
			return err
		}
		p := &schema.Participant{SchemaVersion: 1, ParticipantID: who, DisplayName: who, Kind: schema.Agent, CreatedAt: s.StartedAt}
		return errors.Join(tx.PutParticipant(p), tx.PutSession(s),
			tx.Event(schema.EventSessionOpened, s.SessionID, schema.Payload{SessionID: s.SessionID}))
	})
	return s
}

func (r *room) note(to string, change func(*schema.Message, *schema.Receipt)) {
	r.update(func(tx *fsstore.Tx) error {
		id, err := tx.NewID(schema.IDMessage)
		if err != nil {
			return err
		}
		m := &schema.Message{
			SchemaVersion: 1, MessageID: id, ThreadID: id, ClientMessageID: fsstore.GeneratedKey(id), WorkspaceID: tx.Workspace().WorkspaceID,
			FromParticipantID: "alice", FromSessionID: r.me.SessionID, ToParticipantIDs: []string{to}, Kind: schema.Note,
			Obligation: schema.OweNothing, Subject: "s", Body: "b", Artifacts: []string{}, SentAt: schema.At(schema.IDTime(id)),
		}
		receipt := &schema.Receipt{SchemaVersion: 1, MessageID: id, RecipientParticipantID: to, State: schema.Queued, UpdatedAt: m.SentAt}
		change(m, receipt)
		if receipt.MessageID != "" {
			err = tx.PutReceipt(m, "", receipt)
		}
		return errors.Join(err, tx.AddMessage(m), tx.Event(schema.EventMessageSent, r.me.SessionID, schema.Payload{MessageID: id}))
	})
}

// finds holds the findings of a level to parts of them, in their order.
func (r *room) finds(level Level, want ...string) {
	r.t.Helper()
	var got []string
	report := Examine(r.t.Context(), r.cfg)
	for _, f := range report.Findings {
		if f.Level == level && !strings.Contains(f.What, "file system") && !strings.Contains(f.What, "in memory") {
			got = append(got, f.Where+": "+f.What)
		}
	}
	fits := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		fits = fits && strings.Contains(got[i], want[i])
	}
	if !fits {
		r.t.Errorf("%s findings:\n%s\nwant:\n%s", level, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (r *room) path(name string) string { return filepath.Join(r.cfg.Workspace.Root, ".acc", name) }

func TestOrder(t *testing.T) {
	r := newRoom(t)
	r.note("alice", func(*schema.Message, *schema.Receipt) {})
	r.finds(Warning)
	r.finds(Problem)
	before := snapshot(t, r.path("."))
	Examine(t.Context(), r.cfg)
	if !slices.Equal(before, snapshot(t, r.path("."))) {
		t.Error("the examination changed something")
	}
}

// snapshot lists every name with its time, its mode and its size.
func snapshot(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		all = append(all, name+" "+info.Mode().String()+" "+info.ModTime().String()+" "+time.Duration(info.Size()).String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTwins(t *testing.T) {
	r := newRoom(t)
	r.finds(Warning)
	r.join("Alice")
	r.finds(Warning, "it differs from Alice in letter case only")
}

func TestMailAgainstReceipts(t *testing.T) {
	r := newRoom(t)
	r.join("bob")
	r.note("bob", func(_ *schema.Message, receipt *schema.Receipt) { receipt.MessageID = "" })
	r.note("bob", func(_ *schema.Message, receipt *schema.Receipt) { receipt.RecipientParticipantID = "alice" })
	r.note("eve", func(*schema.Message, *schema.Receipt) {})
	r.finds(Warning, "not addressed to alice", ".acc/inbox/eve: 1 open receipt of eve",
		"is addressed to bob, and there is no receipt", "is addressed to bob, and there is no receipt")
}

func TestMessageIsGone(t *testing.T) {
	r := newRoom(t)
	r.note("alice", func(*schema.Message, *schema.Receipt) {})
	if err := os.RemoveAll(r.path("messages")); err != nil {
		t.Fatal(err)
	}
	r.finds(Warning, "there are 0, and the journal counts 1", "the receipt of a message that is not there")
	if report := Repair(t.Context(), r.cfg); !slices.Contains(report.Repaired, "made index/ and the journal anew") {
		t.Errorf("repaired %q", report.Repaired)
	}
	r.finds(Warning, "the receipt of a message that is not there")
}

func TestUndoneTransaction(t *testing.T) {
	r := newRoom(t)
	head, err := os.ReadFile(r.path("run/head"))
	if err != nil {
		t.Fatal(err)
	}
	r.join("bob")
	// A process that was killed before it noted that its write is applied, and
	// before it applied all of it.
	putBack(t, r.path("run/head"), head)
	if err := os.Remove(r.path("participants/bob.json")); err != nil {
		t.Fatal(err)
	}
	r.finds(Warning, "1 transaction of a process that was killed", "its participant bob is not known")
	report := Repair(t.Context(), r.cfg)
	if !slices.Contains(report.Repaired, "finished what a dead process left in the journal") || report.Action() != 0 {
		t.Errorf("%+v", report)
	}
	if _, err := os.Stat(r.path("participants/bob.json")); err != nil {
		t.Error(err)
	}
}

func putBack(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt(data, 0)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestHolders(t *testing.T) {
	r := newRoom(t)
	claim := func(s *schema.Session, resource schema.Resource) {
		r.update(func(tx *fsstore.Tx) error {
			id, err := tx.NewID(schema.IDClaim)
			return errors.Join(err, tx.PutClaim(&schema.Claim{
				SchemaVersion: 1, ClaimID: id, OwnerSessionID: s.SessionID, OwnerParticipantID: s.ParticipantID, Resource: resource,
				Mode: schema.Exclusive, Enforcement: schema.Advisory, AcquiredAt: schema.At(tx.Now()), ExpiresAt: schema.At(tx.Now().Add(time.Hour)),
			}))
		})
	}
	for _, one := range []struct{ who, start string }{{"bob", "alive"}, {"carol", "dead"}, {"dora", ""}} {
		s := r.join(one.who)
		claim(s, schema.Resource("file:"+one.who))
		env := r.cfg.Env
		env.Process = fsstore.Process{Host: env.Process.Host, PID: 1, Start: one.start}
		store, err := fsstore.Open(r.cfg.Workspace.Root, env)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Heartbeat(s.SessionID); err != nil {
			t.Fatal(err)
		}
		_ = store.Close()
	}
	r.finds(Note, "1 sign of life of processes that are gone", "carol holds file:carol and its process is gone")
	if report := Repair(t.Context(), r.cfg); !slices.Contains(report.Repaired, "removed 1 sign of life of processes that are gone") {
		t.Errorf("repaired %q", report.Repaired)
	}
}

// What a writer had staged when it was killed has the rights of a record.
func TestStagedFileIsNotExposed(t *testing.T) {
	r := newRoom(t)
	if err := os.WriteFile(r.path("run/tmp/KILLED.1"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r.finds(Warning)
}

func TestGitignore(t *testing.T) {
	r := newRoom(t)
	text, err := os.ReadFile(r.path(".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []struct {
		text  []byte
		finds []string
	}{
		{bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), nil},
		{[]byte("/run/\n"), []string{".acc/.gitignore"}},
	} {
		if err := os.WriteFile(r.path(".gitignore"), other.text, 0o644); err != nil {
			t.Fatal(err)
		}
		r.finds(Warning, other.finds...)
	}
}

func TestWriterKeepsTheLock(t *testing.T) {
	r := newRoom(t)
	r.update(func(*fsstore.Tx) error {
		r.finds(Note, "another process is writing")
		return nil
	})
}

func TestPrograms(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := newRoom(t)
	r.cfg.Version, r.cfg.Revision = "1.2.3", strings.Repeat("0", 40)
	r.cfg.Look = func(string) (string, error) { return self, nil } // a Go program of unknown revision
	r.finds(Note)
	r.cfg.Look = func(string) (string, error) { return "", os.ErrNotExist }
	r.finds(Note, "acc-mcp is not on the PATH")
}

func (r *room) bind(me *schema.Session, process string) {
	r.t.Helper()
	err := r.s.Bind(&schema.Binding{
		SchemaVersion: 1, ParticipantID: me.ParticipantID, SessionID: me.SessionID, Generation: me.Generation, AdapterID: process,
		Modes: []schema.DeliveryMode{schema.LivePush}, Host: r.cfg.Env.Process.Host, PID: 7, ProcessStart: process,
		LeaseUntil: schema.At(r.cfg.Env.Now().Add(time.Minute)),
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// TestAdapters wants those named, and by repair forgotten, that lead nowhere.
func TestAdapters(t *testing.T) {
	r := newRoom(t)
	done := r.join("bob")
	r.bind(r.me, "alive")
	r.finds(Note)
	r.bind(r.me, "dead")
	r.bind(done, "alive")
	r.update(func(tx *fsstore.Tx) error {
		at := schema.At(tx.Now())
		done.State, done.ClosedAt = schema.SessionClosed, &at
		return tx.PutSession(done)
	})
	r.finds(Note, ".acc/run/bindings: 2 adapters that died")
	report := Repair(t.Context(), r.cfg)
	if !slices.Contains(report.Repaired, "removed 2 adapters that led nowhere") {
		t.Errorf("repaired: %q", report.Repaired)
	}
	r.finds(Note)
	left, _ := filepath.Glob(r.path("run/bindings/*"))
	if len(left) != 1 || !strings.HasSuffix(left[0], r.me.SessionID+".alive.json") {
		t.Errorf("left: %v", left)
	}
}
