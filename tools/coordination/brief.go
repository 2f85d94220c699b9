package coordination

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Brief is what a client is told when it starts: the room as far as it
// concerns the caller. Mail is not in it; see Collect.
type Brief struct {
	ParticipantID string
	SessionID     string
	Solo          bool
	Others        []ParticipantRow // those who are not offline, the caller left out
	Claims        []ClaimRow       // live claims of others
	Attention     []Attention
	Handoffs      []schema.Message // to the room, newest first; none that was shown before
	Shown         schema.Shown
}

// Limits of a brief.
const (
	maxHandoffs = 3    // handoffs to the room
	maxBackward = 1000 // events that are looked through for them
)

// Brief reads the room for a client that starts. Expired claims in its
// attention count as told.
func (r *Room) Brief(ctx context.Context, caller tools.Caller) (Brief, error) {
	var b Brief
	err := r.as(ctx, caller, func(v *fsstore.View, me schema.Session) error {
		o, err := r.overview(v, &me)
		if err != nil {
			return err
		}
		b = Brief{
			ParticipantID: me.ParticipantID, SessionID: me.SessionID, Solo: o.solo(), Attention: o.attention, Shown: v.Shown(me.ParticipantID),
		}
		for _, p := range o.people.participants {
			if row := o.participantRow(p.ParticipantID); row.Presence != Offline && p.ParticipantID != me.ParticipantID {
				b.Others = append(b.Others, row)
			}
		}
		for _, c := range o.claims {
			if c.OwnerSessionID != me.SessionID {
				b.Claims = append(b.Claims, claimRow(c))
			}
		}
		b.Handoffs, err = newHandoffs(v, me, b.Shown.Handoff)
		return err
	})
	if err != nil {
		return b, err
	}
	return b, r.tellExpired(ctx, b.Attention)
}

// newHandoffs are the last handoffs to the room that came after one, newest
// first. Those that the caller has a receipt for reach it as mail.
//
// They are found in the events: a listing of messages by name would cost more,
// the more there are in a day.
func newHandoffs(v *fsstore.View, me schema.Session, after string) ([]schema.Message, error) {
	events, err := v.Events(max(0, v.Cursor()-maxBackward), maxBackward)
	if err != nil {
		return nil, err
	}
	var found []schema.Message
	for _, e := range slices.Backward(events) {
		ref := fsstore.MessageRef{MessageID: e.Payload.MessageID, Kind: e.Payload.Kind}
		came := e.Type == schema.EventMessageSent || e.Type == schema.EventMessageImported
		if !came || ref.Kind != schema.Handoff || ref.MessageID <= after {
			continue
		}
		m, err := v.MessageByRef(ref)
		if err != nil || len(m.ToParticipantIDs) > 0 {
			continue // damaged ones were reported, addressed ones are mail
		}
		if _, err := v.Receipt(me.ParticipantID, &m); errors.Is(err, fs.ErrNotExist) {
			found = append(found, m)
		}
		if len(found) == maxHandoffs {
			break
		}
	}
	return found, nil
}

// Shown is what hooks have put in front of the caller's client, those ids left
// out that are in its inbox no more.
func (r *Room) Shown(ctx context.Context, caller tools.Caller) (schema.Shown, error) {
	var shown schema.Shown
	err := r.as(ctx, caller, func(v *fsstore.View, me schema.Session) error {
		shown = v.Shown(me.ParticipantID)
		entries, err := v.Inbox(me.ParticipantID)
		if err != nil {
			return err
		}
		open := map[string]bool{}
		for _, e := range entries {
			open[e.MessageID] = true
		}
		shown.Named, shown.Held = kept(shown.Named, open), kept(shown.Held, open)
		return nil
	})
	return shown, err
}

func kept(ids []string, open map[string]bool) []string {
	left := []string{}
	for _, id := range ids {
		if open[id] {
			left = append(left, id)
		}
	}
	return left
}

// SetShown records what hooks have put in front of the caller's client.
func (r *Room) SetShown(shown schema.Shown) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.SetShown(&shown) })
}
