package coordination

import (
	"context"
	"fmt"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// AttentionKind names a thing that waits for the caller, most urgent first.
type AttentionKind string

// The kinds of attention (contract §11).
const (
	ReplyRequired           AttentionKind = "reply_required"
	AcknowledgementRequired AttentionKind = "acknowledgement_required"
	RecipientUnavailable    AttentionKind = "recipient_unavailable"
	ClaimConflict           AttentionKind = "claim_conflict"
	ClaimContended          AttentionKind = "claim_contended"
	ClaimExpired            AttentionKind = "claim_expired"
)

var priorities = map[AttentionKind]int{
	ReplyRequired: 1, AcknowledgementRequired: 2, RecipientUnavailable: 3, ClaimConflict: 4, ClaimContended: 5, ClaimExpired: 6,
}

// Attention is one thing that waits for the caller. Its summary is made of
// ids, participants and resources' ids only: nothing a peer wrote gets in.
type Attention struct {
	Kind     AttentionKind `json:"kind"`
	Priority int           `json:"priority"`
	SourceID string        `json:"sourceId"`
	Summary  string        `json:"summary"`
}

func attend(kind AttentionKind, sourceID, format string, args ...any) Attention {
	return Attention{Kind: kind, Priority: priorities[kind], SourceID: sourceID, Summary: fmt.Sprintf(format, args...)}
}

// attentionOf collects what waits for a session.
func (o *overview) attentionOf(v *fsstore.View, me schema.Session) ([]Attention, error) {
	all := []Attention{}
	for _, part := range []func(*fsstore.View, schema.Session) ([]Attention, error){
		o.owed, o.unavailable, o.conflicts, o.contended, o.expired,
	} {
		found, err := part(v, me)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b Attention) int { return a.Priority - b.Priority })
	return all, nil
}

// owed is the caller's own open mail that asks for something.
func (o *overview) owed(_ *fsstore.View, me schema.Session) ([]Attention, error) {
	var found []Attention
	for _, e := range o.inboxes[me.ParticipantID] {
		switch e.Obligation {
		case schema.OweReply:
			found = append(found, attend(ReplyRequired, e.MessageID, "%s %s waits for your acc_reply", e.Kind, e.MessageID))
		case schema.OweAcknowledge:
			found = append(found, attend(AcknowledgementRequired, e.MessageID, "%s %s waits for your acc_ack", e.Kind, e.MessageID))
		}
	}
	return found, nil
}

// unavailable is the caller's own mail that asks something of people who are
// not there. Only the open mail of the absent is looked at.
func (o *overview) unavailable(v *fsstore.View, me schema.Session) ([]Attention, error) {
	var found []Attention
	for _, p := range o.people.participants {
		id := p.ParticipantID
		if id == me.ParticipantID || o.people.online(id) {
			continue
		}
		for _, e := range o.inboxes[id] {
			if e.Obligation != schema.OweNothing && o.room.senderOf(v, e) == me.ParticipantID {
				found = append(found, attend(RecipientUnavailable, e.MessageID, "%s is not online; %s waits there", id, e.MessageID))
			}
		}
	}
	return found, nil
}

// maxSenders bounds the memory of the cache below.
const maxSenders = 4096

// senderOf reads who sent a message, once a process: messages never change.
func (r *Room) senderOf(v *fsstore.View, e fsstore.InboxEntry) string {
	r.mu.Lock()
	sender, known := r.senders[e.MessageID]
	r.mu.Unlock()
	if known {
		return sender
	}
	m, err := v.MessageByRef(fsstore.MessageRef{MessageID: e.MessageID, Kind: e.Kind})
	if err != nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.senders == nil || len(r.senders) >= maxSenders {
		r.senders = map[string]string{}
	}
	r.senders[e.MessageID] = m.FromParticipantID
	return m.FromParticipantID
}

// conflicts are other sessions' claims on the ground of the caller's intent.
func (o *overview) conflicts(_ *fsstore.View, me schema.Session) ([]Attention, error) {
	var found []Attention
	for _, c := range o.claims {
		if c.OwnerSessionID != me.SessionID && hints(o.intents[me.SessionID], c.Resource) {
			found = append(found, attend(ClaimConflict, c.ClaimID, "%s holds %s on the ground of your intent", c.OwnerParticipantID, c.ClaimID))
		}
	}
	return found, nil
}

// contended are the caller's claims on the ground of other sessions' intents.
func (o *overview) contended(_ *fsstore.View, me schema.Session) ([]Attention, error) {
	var found []Attention
	for _, c := range o.claims {
		if c.OwnerSessionID != me.SessionID {
			continue
		}
		for _, s := range o.people.sessions {
			if s.SessionID != me.SessionID && s.State == schema.SessionOpen && hints(o.intents[s.SessionID], c.Resource) {
				found = append(found, attend(ClaimContended, c.ClaimID, "%s intends to work on the ground of your %s", s.ParticipantID, c.ClaimID))
			}
		}
	}
	return found, nil
}

func hints(i schema.Intent, ground schema.Resource) bool {
	if i.State == schema.WorkDone {
		return false
	}
	for _, hint := range i.ResourceHints {
		if _, overlap := schema.Overlap(hint, ground); overlap {
			return true
		}
	}
	return false
}

// expired are the caller's claims past their lease of which it was not told.
func (o *overview) expired(v *fsstore.View, me schema.Session) ([]Attention, error) {
	retired, err := v.ExpiredClaims(me.SessionID)
	if err != nil {
		return nil, err
	}
	var found []Attention
	for _, c := range slices.Concat(o.past, untold(retired)) {
		if c.OwnerSessionID == me.SessionID {
			found = append(found, attend(ClaimExpired, c.ClaimID, "the lease of your %s has ended; acquire it again if you still need it", c.ClaimID))
		}
	}
	return found, nil
}

func untold(retired []fsstore.ExpiredClaim) []schema.Claim {
	var claims []schema.Claim
	for _, e := range retired {
		if !e.Told {
			claims = append(claims, e.Claim)
		}
	}
	return claims
}

// tellExpired records that the caller has seen its expired claims, so that it
// is told once. Told claims can still be renewed while nobody took the ground.
func (r *Room) tellExpired(ctx context.Context, attention []Attention) error {
	var told []string
	for _, a := range attention {
		if a.Kind == ClaimExpired {
			told = append(told, a.SourceID)
		}
	}
	if len(told) == 0 {
		return nil
	}
	sessionID := r.session()
	return r.update(ctx, func(tx *fsstore.Tx) error {
		for _, id := range told {
			if err := tellOne(tx, sessionID, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func tellOne(tx *fsstore.Tx, sessionID, claimID string) error {
	c, err := tx.Claim(claimID)
	if err == nil {
		if c.LiveAt(tx.Now()) {
			return nil // renewed meanwhile
		}
		if err := tx.Event(schema.EventClaimExpired, sessionID, schema.Payload{ClaimID: claimID}); err != nil {
			return err
		}
		return tx.RetireClaim(&c, true)
	}
	retired, err := tx.ExpiredClaims(sessionID)
	if err != nil {
		return err
	}
	for _, e := range retired {
		if e.Claim.ClaimID == claimID && !e.Told {
			return tx.RetireClaim(&e.Claim, true)
		}
	}
	return nil
}
