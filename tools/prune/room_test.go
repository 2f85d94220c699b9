package prune

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// room is a store with a clock of its own.
type room struct {
	t   *testing.T
	w   fsstore.Workspace
	env fsstore.Env
	now time.Time
	s   *fsstore.Store
}

func newRoom(t *testing.T) *room {
	r := &room{t: t, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	r.env = fsstore.RealEnv(slog.New(slog.DiscardHandler))
	r.env.Now = func() time.Time { return r.now }
	r.env.Alive = func(p fsstore.Process) bool { return p.Start == "alive" }
	w, err := fsstore.Locate(t.TempDir())
	if err == nil {
		r.w = w
		r.s, err = fsstore.Init(w.Root, r.env)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.s.Close() })
	return r
}

func (r *room) update(fn func(tx *fsstore.Tx) error) {
	r.t.Helper()
	r.now = r.now.Add(time.Second)
	if err := r.s.Update(r.t.Context(), fn); err != nil {
		r.t.Fatal(err)
	}
}

func (r *room) id(tx *fsstore.Tx, kind schema.IDKind) string {
	id, err := tx.NewID(kind)
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

// join makes a participant with an open session.
func (r *room) join(who string) *schema.Session {
	s := &schema.Session{
		SchemaVersion: 1, ParticipantID: who, Generation: strings.Repeat("0", 32), Harness: "cli", State: schema.SessionOpen,
		Enforcement: schema.Advisory, Lifecycle: schema.Manual,
	}
	r.update(func(tx *fsstore.Tx) error {
		s.SessionID, s.StartedAt = r.id(tx, schema.IDSession), schema.At(tx.Now())
		p := &schema.Participant{SchemaVersion: 1, ParticipantID: who, DisplayName: who, Kind: schema.Agent, CreatedAt: s.StartedAt}
		if err := tx.PutParticipant(p); err != nil {
			return err
		}
		if err := tx.PutSession(s); err != nil {
			return err
		}
		return tx.Event(schema.EventParticipantJoined, s.SessionID, schema.Payload{ParticipantID: who})
	})
	return s
}

func (r *room) close(s *schema.Session, handoff string) {
	r.update(func(tx *fsstore.Tx) error {
		now := schema.At(tx.Now())
		s.State, s.ClosedAt = schema.SessionClosed, &now
		if handoff != "" {
			s.HandoffID = &handoff
		}
		return tx.PutSession(s)
	})
}

// send writes a message, and a receipt in a state for each addressee.
func (r *room) send(from *schema.Session, kind schema.MessageKind, state schema.ReceiptState, change func(*schema.Message), to ...string) string {
	r.t.Helper()
	m := &schema.Message{
		SchemaVersion: 1, FromParticipantID: from.ParticipantID, FromSessionID: from.SessionID, ToParticipantIDs: slices.Clone(to), Kind: kind,
		Obligation: schema.DefaultObligation(kind, len(to) > 0), Subject: "s", Body: "b", Artifacts: []string{},
	}
	if to == nil {
		m.ToParticipantIDs = []string{}
	}
	if kind == schema.Handoff {
		m.Handoff = &schema.HandoffNote{Status: "partial", Completed: []string{}, Remaining: []string{}, Blockers: []string{}, Verification: []string{}}
	}
	r.update(func(tx *fsstore.Tx) error {
		m.MessageID = r.id(tx, schema.IDMessage)
		m.ThreadID, m.ClientMessageID, m.SentAt = m.MessageID, "key of "+m.MessageID, schema.At(schema.IDTime(m.MessageID))
		m.WorkspaceID = tx.Workspace().WorkspaceID
		if change != nil {
			change(m)
		}
		for _, who := range to {
			receipt := &schema.Receipt{SchemaVersion: 1, MessageID: m.MessageID, RecipientParticipantID: who, State: state, UpdatedAt: m.SentAt}
			if err := tx.PutReceipt(m, "", receipt); err != nil {
				return err
			}
		}
		if err := tx.AddMessage(m); err != nil {
			return err
		}
		return tx.Event(schema.EventMessageSent, from.SessionID, schema.Payload{MessageID: m.MessageID, Kind: kind})
	})
	return m.MessageID
}

func answers(id string) func(*schema.Message) {
	return func(m *schema.Message) { m.ThreadID, m.InReplyTo = id, &id }
}

func changes(action schema.ChangeAction, ids ...string) func(*schema.Message) {
	return func(m *schema.Message) {
		m.DecisionChange = &schema.DecisionChange{Action: action, MessageIDs: ids}
	}
}

// next is the cursor behind the last event.
func (r *room) next() (cursor string) {
	r.view(func(v *fsstore.View) error { cursor = schema.FormatCursor(v.Cursor() + 1); return nil })
	return cursor
}

func (r *room) view(fn func(v *fsstore.View) error) {
	r.t.Helper()
	if err := r.s.View(r.t.Context(), fn); err != nil {
		r.t.Fatal(err)
	}
}

// run prunes, first to see and then for good: both must say the same.
func (r *room) run(opt Options) Report {
	r.t.Helper()
	opt.Apply = false
	planned, err := Run(r.t.Context(), r.w, r.env, opt)
	if err != nil {
		r.t.Fatal(err)
	}
	opt.Apply = true
	done, err := Run(r.t.Context(), r.w, r.env, opt)
	if err != nil {
		r.t.Fatal(err)
	}
	planned.Applied = true
	same(r.t, planned, done)
	again, err := Run(r.t.Context(), r.w, r.env, opt)
	if err != nil || !again.Empty() {
		r.t.Errorf("a second run removes more: %+v, %v", again, err)
	}
	return done
}
