package coordination

import (
	"context"
	"errors"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Snapshot is everything in the room, for forensics. It is unbounded.
type Snapshot struct {
	Workspace    *schema.Workspace    `json:"workspace"`
	Participants []schema.Participant `json:"participants"`
	Sessions     []SessionView        `json:"sessions"`
	Intents      []schema.Intent      `json:"intents"`
	Claims       []schema.Claim       `json:"claims"`
	Messages     []schema.Message     `json:"messages"`
	Receipts     []schema.Receipt     `json:"receipts"`
}

// SessionView is a session without its secret, with its signs of life.
type SessionView struct {
	SessionID     string              `json:"sessionId"`
	ParticipantID string              `json:"participantId"`
	Harness       string              `json:"harness"`
	State         schema.SessionState `json:"state"`
	CheckoutRoot  string              `json:"checkoutRoot"`
	Branch        string              `json:"branch"`
	Enforcement   schema.Enforcement  `json:"enforcement"`
	Lifecycle     schema.Lifecycle    `json:"lifecycle"`
	StartedAt     schema.Time         `json:"startedAt"`
	ClosedAt      *schema.Time        `json:"closedAt"`
	HeartbeatAt   schema.Time         `json:"heartbeatAt"`
	HandoffID     *string             `json:"handoffId"`
	Processes     []schema.Presence   `json:"processes"`
}

// snapshotRefs is a snapshot as far as it changes, taken under the lock, and
// the names of the rest. Messages never change, so they are read afterwards,
// while writers go on.
type snapshotRefs struct {
	view     *fsstore.View
	snapshot Snapshot
	messages []fsstore.MessageRef
}

func (o *overview) snapshotRefs(v *fsstore.View) (*snapshotRefs, error) {
	workspace := v.Workspace()
	refs := &snapshotRefs{view: v, snapshot: Snapshot{
		Workspace: &workspace, Participants: o.people.participants, Sessions: []SessionView{}, Intents: []schema.Intent{},
		Claims: append(o.claims, o.past...), Messages: []schema.Message{}, Receipts: []schema.Receipt{},
	}}
	older, err := v.ClosedSessions()
	if err != nil {
		return nil, err
	}
	for _, s := range append(older, o.people.sessions...) {
		refs.snapshot.Sessions = append(refs.snapshot.Sessions, o.sessionView(s))
		if intent, ok := o.intents[s.SessionID]; ok {
			refs.snapshot.Intents = append(refs.snapshot.Intents, intent)
		}
	}
	for ref, err := range v.History("") {
		if err != nil {
			return nil, err
		}
		refs.messages = append(refs.messages, ref)
	}
	for _, p := range o.people.participants {
		receipts, err := v.Receipts(p.ParticipantID)
		if err != nil {
			return nil, err
		}
		refs.snapshot.Receipts = append(refs.snapshot.Receipts, receipts...)
	}
	return refs, nil
}

func (o *overview) sessionView(s schema.Session) SessionView {
	processes := o.people.presence.signs[s.SessionID]
	if processes == nil {
		processes = []schema.Presence{}
	}
	return SessionView{
		SessionID: s.SessionID, ParticipantID: s.ParticipantID, Harness: s.Harness, State: s.State, CheckoutRoot: s.CheckoutRoot,
		Branch: s.Branch, Enforcement: s.Enforcement, Lifecycle: s.Lifecycle, StartedAt: s.StartedAt, ClosedAt: s.ClosedAt,
		HeartbeatAt: o.people.presence.heartbeat(s), HandoffID: s.HandoffID, Processes: processes,
	}
}

func (refs *snapshotRefs) load() (*Snapshot, error) {
	s := refs.snapshot
	for _, ref := range refs.messages {
		m, err := refs.view.MessageByRef(ref)
		if err == nil {
			s.Messages = append(s.Messages, m)
		}
	}
	return &s, nil
}

// snapshotResource is acc://snapshot: scope full for a reader who is nobody.
// It makes neither a participant nor a file.
func (r *Room) snapshotResource(ctx context.Context, _ tools.Caller) (any, error) {
	limit := defaultEvents
	in := syncInput{Cursor: schema.FormatCursor(0), Scope: "full", Limit: &limit}
	var out Delta
	var refs *snapshotRefs
	err := r.view(ctx, func(v *fsstore.View) error {
		o, err := r.overview(v, nil)
		if err != nil {
			return err
		}
		if out, err = o.delta(v, in); err != nil {
			return err
		}
		refs, err = o.snapshotRefs(v)
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		return emptySnapshot(), nil
	}
	if err != nil {
		return nil, err
	}
	out.Snapshot, err = refs.load()
	return out, err
}

func emptySnapshot() Delta {
	return Delta{
		Cursor: schema.FormatCursor(0), Scope: "full", Solo: true,
		Attention: []Attention{}, Roster: []RosterRow{}, Events: []schema.Event{},
		Snapshot: &Snapshot{
			Participants: []schema.Participant{}, Sessions: []SessionView{}, Intents: []schema.Intent{},
			Claims: []schema.Claim{}, Messages: []schema.Message{}, Receipts: []schema.Receipt{},
		},
	}
}

// rosterResource is acc://roster: who is here. It makes nothing either.
func (r *Room) rosterResource(ctx context.Context, _ tools.Caller) (any, error) {
	rows := []RosterRow{}
	err := r.view(ctx, func(v *fsstore.View) error {
		who, err := readPeople(v, r.cfg.Env)
		if err == nil {
			rows, err = who.roster(v)
		}
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		err = nil
	}
	return rows, err
}

// inboxResource is acc://inbox: the first page of the caller's inbox.
func (r *Room) inboxResource(ctx context.Context, caller tools.Caller) (any, error) {
	return r.inboxPage(ctx, caller, "", 0)
}
