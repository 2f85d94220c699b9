package fsstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/fsstore/crashdisk"
	"acc/schema"
)

// testStart is when the clock of the tests stands still.
var testStart = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// testClock is a clock that only the test moves.
type testClock struct {
	mu sync.Mutex
	t  time.Time
}

func newTestClock() *testClock { return &testClock{t: testStart} }

func (c *testClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *testClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// testLog collects what an operator would see.
type testLog struct {
	mu    sync.Mutex
	lines strings.Builder
}

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// testEnv is fixed: the clock stands, ids follow from a seed.
func testEnv(clock *testClock, log io.Writer) Env {
	return Env{
		Now: clock.now, Rand: rand.NewChaCha8([32]byte{1}),
		Process: Process{Host: "host", PID: 42, Start: "1"},
		Alive:   func(Process) bool { return true },
		Log:     slog.New(slog.NewTextHandler(log, nil)),
	}
}

// realRoom makes a room on the real disk.
func realRoom(t testing.TB) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	return openTestRoom(t, dir, io.Discard), dir
}

func openTestRoom(t testing.TB, dir string, log io.Writer) *Store {
	t.Helper()
	s, err := Init(dir, testEnv(newTestClock(), log))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// onDisk prepares a directory whose locks are real and whose files are on d.
func onDisk(t testing.TB, d disk, env *Env) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := crashdisk.MakeLocks(dir); err != nil {
		t.Fatal(err)
	}
	env.Disk = crashdisk.Instead(d)
	return dir
}

// update is Update, which must succeed.
func update(t testing.TB, s *Store, fn func(*Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// view is View, which must succeed.
func view(t testing.TB, s *Store, fn func(*View) error) {
	t.Helper()
	if err := s.View(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// The steps of a room, as the tools make them.

func joinTx(tx *Tx, who string) (schema.Session, error) {
	id, err := tx.NewID(schema.IDSession)
	if err != nil {
		return schema.Session{}, err
	}
	me := schema.Session{
		SchemaVersion: schema.Version, SessionID: id, ParticipantID: who, Generation: strings.Repeat("0", 32), Harness: "test",
		State: schema.SessionOpen, Enforcement: schema.Advisory, Lifecycle: schema.Manual, StartedAt: schema.At(tx.Now()),
	}
	return me, errors.Join(
		tx.PutParticipant(&schema.Participant{
			SchemaVersion: schema.Version, ParticipantID: who, DisplayName: who, Kind: schema.Agent, CreatedAt: schema.At(tx.Now()),
		}),
		tx.PutSession(&me),
		tx.Event(schema.EventParticipantJoined, id, schema.Payload{ParticipantID: who}),
		tx.Event(schema.EventSessionOpened, id, schema.Payload{ParticipantID: who, SessionID: id}),
	)
}

func join(t testing.TB, s *Store, who string) schema.Session {
	t.Helper()
	var me schema.Session
	update(t, s, func(tx *Tx) (err error) {
		me, err = joinTx(tx, who)
		return err
	})
	return me
}

// letter is what a test wants to send.
type letter struct {
	to         []string
	kind       schema.MessageKind
	obligation schema.Obligation
	key        string
	replyTo    *schema.Message
	change     *schema.DecisionChange
	handoff    *schema.HandoffNote
	body       string
}

func note(to ...string) letter {
	return letter{to: to, kind: schema.Note, obligation: schema.OweNothing}
}

func question(to ...string) letter {
	return letter{to: to, kind: schema.Question, obligation: schema.OweReply}
}

func sendTx(tx *Tx, me schema.Session, l letter) (*schema.Message, error) {
	id, err := tx.NewID(schema.IDMessage)
	if err != nil {
		return nil, err
	}
	if l.to == nil {
		l.to = []string{}
	}
	m := &schema.Message{
		SchemaVersion: schema.Version, MessageID: id, ThreadID: id, ClientMessageID: l.key, WorkspaceID: tx.Workspace().WorkspaceID,
		FromParticipantID: me.ParticipantID, FromSessionID: me.SessionID, ToParticipantIDs: l.to, Kind: l.kind,
		Obligation: l.obligation, Subject: "a subject", Body: "a body " + l.body, Artifacts: []string{}, Handoff: l.handoff,
		DecisionChange: l.change, SentAt: schema.At(schema.IDTime(id)),
	}
	if l.key == "" {
		m.ClientMessageID = GeneratedKey(id)
	}
	if l.replyTo != nil {
		m.ThreadID, m.InReplyTo = l.replyTo.ThreadID, &l.replyTo.MessageID
	}
	if err := tx.AddMessage(m); err != nil {
		return nil, err
	}
	for _, to := range l.to {
		r := &schema.Receipt{
			SchemaVersion: schema.Version, MessageID: id, RecipientParticipantID: to, State: schema.Queued, UpdatedAt: m.SentAt,
		}
		if err := tx.PutReceipt(m, "", r); err != nil {
			return nil, err
		}
	}
	return m, tx.Event(schema.EventMessageSent, me.SessionID, schema.Payload{MessageID: id, Kind: m.Kind})
}

func send(t testing.TB, s *Store, me schema.Session, l letter) *schema.Message {
	t.Helper()
	var m *schema.Message
	update(t, s, func(tx *Tx) (err error) {
		m, err = sendTx(tx, me, l)
		return err
	})
	return m
}

// advanceTx moves the receipt of the reader to a state.
func advanceTx(tx *Tx, me schema.Session, m *schema.Message, to schema.ReceiptState) error {
	r, err := tx.Receipt(me.ParticipantID, m)
	if err != nil {
		return err
	}
	was := r.State
	r.State, r.UpdatedAt = to, schema.At(tx.Now())
	return errors.Join(tx.PutReceipt(m, was, &r), tx.Event(schema.EventReceiptAcked, me.SessionID,
		schema.Payload{MessageID: m.MessageID, ParticipantID: me.ParticipantID, State: to}))
}

func claimTx(tx *Tx, me schema.Session, resource schema.Resource) (*schema.Claim, error) {
	id, err := tx.NewID(schema.IDClaim)
	if err != nil {
		return nil, err
	}
	c := &schema.Claim{
		SchemaVersion: schema.Version, ClaimID: id, OwnerSessionID: me.SessionID, OwnerParticipantID: me.ParticipantID,
		Resource: resource, Mode: schema.Exclusive, Enforcement: schema.Advisory, AcquiredAt: schema.At(tx.Now()),
		ExpiresAt: schema.At(tx.Now().Add(schema.DefaultLease)),
	}
	return c, errors.Join(tx.PutClaim(c), tx.Event(schema.EventClaimAcquired, me.SessionID, schema.Payload{ClaimID: id}))
}

// finishTx leaves a handoff, releases all claims and closes the session.
func finishTx(tx *Tx, me schema.Session, l letter) (*schema.Message, error) {
	l.kind, l.obligation = schema.Handoff, schema.DefaultObligation(schema.Handoff, len(l.to) > 0)
	l.handoff = &schema.HandoffNote{
		Status: schema.HandoffPartial, Completed: []string{}, Remaining: []string{}, Blockers: []string{}, Verification: []string{},
	}
	m, err := sendTx(tx, me, l)
	if err != nil {
		return nil, err
	}
	claims, err := tx.Claims()
	if err != nil {
		return nil, err
	}
	for i := range claims {
		if claims[i].OwnerSessionID == me.SessionID {
			tx.DeleteClaim(&claims[i])
			if err := tx.Event(schema.EventClaimReleased, me.SessionID, schema.Payload{ClaimID: claims[i].ClaimID}); err != nil {
				return nil, err
			}
		}
	}
	closed := schema.At(tx.Now())
	me.State, me.ClosedAt, me.HandoffID = schema.SessionClosed, &closed, &m.MessageID
	return m, errors.Join(tx.PutSession(&me), tx.Event(schema.EventSessionClosed, me.SessionID, schema.Payload{SessionID: me.SessionID}))
}

// allEvents reads the whole log in pages.
func allEvents(v *View) ([]schema.Event, error) {
	var all []schema.Event
	for after := int64(0); ; {
		page, err := v.Events(after, 100)
		if err != nil || len(page) == 0 {
			return all, err
		}
		all = append(all, page...)
		if after, err = schema.ParseCursor("cursor", page[len(page)-1].Cursor); err != nil {
			return all, err
		}
	}
}

// history reads all of a room's messages, newest first.
func history(v *View) ([]MessageRef, error) {
	var refs []MessageRef
	for ref, err := range v.History("") {
		if err != nil {
			return refs, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// writeFile plants a file in a room on the real disk.
func writeFile(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	full := filepath.Join(dir, roomDir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return full
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
