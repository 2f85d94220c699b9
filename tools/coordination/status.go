package coordination

import (
	"context"
	"errors"
	"strings"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// overview is the state of the room that status, sync and the resources
// share. It reads who is there, what is open and what is claimed: nothing
// that grows with settled history.
type overview struct {
	room      *Room
	me        *schema.Session // nil for a reader who is nobody
	people    *people
	intents   map[string]schema.Intent
	claims    []schema.Claim // live ones
	past      []schema.Claim // past their lease and still on the ground
	inboxes   map[string][]fsstore.InboxEntry
	attention []Attention
}

func (r *Room) overview(v *fsstore.View, me *schema.Session) (*overview, error) {
	who, err := readPeople(v, r.cfg.Env)
	if err != nil {
		return nil, err
	}
	o := &overview{room: r, me: me, people: who, inboxes: map[string][]fsstore.InboxEntry{}, attention: []Attention{}}
	if o.intents, err = v.Intents(); err != nil {
		return nil, err
	}
	if err := o.readClaims(v); err != nil {
		return nil, err
	}
	for _, p := range who.participants {
		if o.inboxes[p.ParticipantID], err = openMail(v, p.ParticipantID); err != nil {
			return nil, err
		}
	}
	if me != nil {
		o.attention, err = o.attentionOf(v, *me)
	}
	return o, err
}

// openMail lists the open receipts of a participant, by name only, without
// the decisions that were replaced.
func openMail(v *fsstore.View, participant string) ([]fsstore.InboxEntry, error) {
	entries, err := v.Inbox(participant)
	if err != nil {
		return nil, err
	}
	open := entries[:0]
	for _, e := range entries {
		gone, err := replaced(v, e.MessageID, e.Kind)
		if err != nil {
			return nil, err
		}
		if !gone {
			open = append(open, e)
		}
	}
	return open, nil
}

func (o *overview) readClaims(v *fsstore.View) error {
	all, err := v.Claims()
	o.claims, o.past = splitClaims(all, o.people.presence.now)
	return err
}

func splitClaims(all []schema.Claim, now time.Time) (live, past []schema.Claim) {
	live = []schema.Claim{}
	for _, c := range all {
		if c.LiveAt(now) {
			live = append(live, c)
		} else {
			past = append(past, c)
		}
	}
	return live, past
}

// solo reports whether the caller has the room to itself: nobody else is
// there, no mail is open and no claim of another stands.
func (o *overview) solo() bool {
	for _, s := range o.people.sessions {
		if (o.me == nil || s.SessionID != o.me.SessionID) && o.people.presence.of(s) != Offline {
			return false
		}
	}
	for _, c := range o.claims {
		if o.me == nil || c.OwnerSessionID != o.me.SessionID {
			return false
		}
	}
	return o.me == nil || len(o.inboxes[o.me.ParticipantID]) == 0
}

// Protection is what the claims of the room amount to together.
type Protection string

// The levels of protection.
const (
	ProtectionNone     Protection = "none"
	ProtectionAdvisory Protection = "advisory"
	ProtectionGuarded  Protection = "guarded"
)

// protection is the weakest guarantee in the room: one session over MCP makes
// every claim advisory.
func (o *overview) protection() Protection {
	if len(o.claims) == 0 {
		return ProtectionNone
	}
	for _, c := range o.claims {
		if c.Enforcement != schema.Guarded {
			return ProtectionAdvisory
		}
	}
	for _, s := range o.people.sessions {
		if o.people.presence.of(s) != Offline && s.Enforcement != schema.Guarded {
			return ProtectionAdvisory
		}
	}
	return ProtectionGuarded
}

// Unretrieved counts the open mail that its recipient has not read.
type Unretrieved struct {
	Queued  int `json:"queued"`
	Offered int `json:"offered"`
}

func (o *overview) unretrieved(participant string) Unretrieved {
	var n Unretrieved
	for _, e := range o.inboxes[participant] {
		switch e.State {
		case schema.Queued:
			n.Queued++
		case schema.Offered:
			n.Offered++
		}
	}
	return n
}

// Status is the answer of acc_status.
type Status struct {
	WorkspaceID      *string          `json:"workspaceId"` // null where there is no room yet
	Root             string           `json:"root"`
	ParticipantID    *string          `json:"participantId"` // null for a reader who is nobody
	SessionID        *string          `json:"sessionId"`
	Protection       Protection       `json:"protection"`
	Participants     []ParticipantRow `json:"participants"`
	Claims           []ClaimRow       `json:"claims"`
	DeliveryBindings []Binding        `json:"deliveryBindings"`
	Attention        []Attention      `json:"attention"`
	Counts           Counts           `json:"counts"`
}

// ParticipantRow is one known participant with the session that speaks for it.
type ParticipantRow struct {
	ParticipantID string             `json:"participantId"`
	SessionID     *string            `json:"sessionId"`
	Harness       string             `json:"harness"`
	Branch        string             `json:"branch"`
	CheckoutRoot  string             `json:"checkoutRoot"`
	Enforcement   schema.Enforcement `json:"enforcement"`
	Lifecycle     schema.Lifecycle   `json:"lifecycle"`
	Presence      Presence           `json:"presence"`
	Intent        *string            `json:"intent"`
	Unretrieved   Unretrieved        `json:"unretrieved"`
}

// ClaimRow is one live claim.
type ClaimRow struct {
	ClaimID            string             `json:"claimId"`
	Resource           schema.Resource    `json:"resource"`
	Mode               schema.ClaimMode   `json:"mode"`
	Enforcement        schema.Enforcement `json:"enforcement"`
	OwnerSessionID     string             `json:"ownerSessionId"`
	OwnerParticipantID string             `json:"ownerParticipantId"`
	ExpiresAt          schema.Time        `json:"expiresAt"`
}

// Counts are the lengths of the lists: sessions online and stale, live
// claims, messages that the room holds, and open mail that nobody has read.
type Counts struct {
	Live        int   `json:"live"`
	Stale       int   `json:"stale"`
	Claims      int   `json:"claims"`
	Messages    int64 `json:"messages"`
	Unretrieved int   `json:"unretrieved"`
}

type statusInput struct{}

func (r *Room) status(ctx context.Context, caller tools.Caller, _ statusInput) (any, error) {
	var out Status
	err := r.look(ctx, caller, func(v *fsstore.View, me *schema.Session) error {
		o, err := r.overview(v, me)
		if err != nil {
			return err
		}
		out, err = o.status(v)
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		return r.emptyStatus(), nil
	}
	if err != nil {
		return nil, err
	}
	return out, r.tellExpired(ctx, out.Attention)
}

// emptyStatus is what there is to see where there is no room yet.
func (r *Room) emptyStatus() Status {
	return Status{
		Root: r.cfg.Workspace.Root, Protection: ProtectionNone, Participants: []ParticipantRow{}, Claims: []ClaimRow{},
		DeliveryBindings: []Binding{}, Attention: []Attention{},
	}
}

func (o *overview) status(v *fsstore.View) (Status, error) {
	s := o.room.emptyStatus()
	workspace := v.Workspace().WorkspaceID
	s.WorkspaceID, s.Protection, s.Attention = &workspace, o.protection(), o.attention
	s.Counts = Counts{Claims: len(o.claims), Messages: v.MessageCount()}
	if o.me != nil {
		s.ParticipantID, s.SessionID = &o.me.ParticipantID, &o.me.SessionID
	}
	for _, p := range o.people.participants {
		row := o.participantRow(p.ParticipantID)
		s.Participants = append(s.Participants, row)
		s.Counts.add(row)
	}
	s.Claims = o.claimRows()
	var err error
	s.DeliveryBindings, err = bindingRows(v, o.room.cfg.Env)
	return s, err
}

func (o *overview) claimRows() []ClaimRow {
	rows := make([]ClaimRow, len(o.claims))
	for i, c := range o.claims {
		rows[i] = claimRow(c)
	}
	return rows
}

func claimRow(c schema.Claim) ClaimRow {
	return ClaimRow{
		ClaimID: c.ClaimID, Resource: c.Resource, Mode: c.Mode, Enforcement: c.Enforcement,
		OwnerSessionID: c.OwnerSessionID, OwnerParticipantID: c.OwnerParticipantID, ExpiresAt: c.ExpiresAt,
	}
}

func (c *Counts) add(row ParticipantRow) {
	switch row.Presence {
	case Online:
		c.Live++
	case Stale:
		c.Stale++
	}
	c.Unretrieved += row.Unretrieved.Queued + row.Unretrieved.Offered
}

func (o *overview) participantRow(id string) ParticipantRow {
	row := ParticipantRow{
		ParticipantID: id, Presence: Offline, Enforcement: schema.Advisory, Lifecycle: schema.Manual, Unretrieved: o.unretrieved(id),
	}
	s := o.people.sessionOf(id)
	if s == nil {
		return row
	}
	row.SessionID, row.Harness, row.Branch, row.CheckoutRoot = &s.SessionID, s.Harness, s.Branch, s.CheckoutRoot
	row.Enforcement, row.Lifecycle, row.Presence = s.Enforcement, s.Lifecycle, o.people.presence.of(*s)
	if intent, ok := o.intents[s.SessionID]; ok {
		summary := strings.TrimSpace(intent.Summary)
		row.Intent = &summary
	}
	return row
}
