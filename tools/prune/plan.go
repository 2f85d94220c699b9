package prune

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// step removes one thing. What others may have changed since the plan was made
// it looks at again, or nothing of the kind may have happened (see moved).
type step struct {
	kind kind
	id   string
	do   func(tx *fsstore.Tx) error
}

// plan is what goes, in the order in which it goes.
type plan struct {
	st     *state
	opt    Options
	loose  []step // sessions and what they left
	mails  []step
	people []step // participants
	signs  []schema.Presence
	routes []string         // sessions that are over, and to which adapters led
	pairs  []schema.Session // sessions whose saved pair goes with them
	kept   Kept
}

func makePlan(ctx context.Context, s *fsstore.Store, w fsstore.Workspace, opt Options) (*plan, error) {
	st, err := readState(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	p := &plan{st: st, opt: opt}
	gone := p.sessions()
	p.intents(gone)
	p.claims(gone)
	p.presence(gone)
	p.adapters()
	return p, p.mail(w, gone)
}

// old reports whether something ended long enough ago.
func (p *plan) old(t time.Time) bool { return p.st.now.Sub(t) >= p.opt.OlderThan }

func (p *plan) sessions() (gone map[string]bool) {
	gone = map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(p.st.sessions)) {
		s := p.st.sessions[id]
		if s.State == schema.SessionOpen || s.ClosedAt == nil || !p.old(s.ClosedAt.Time) {
			continue
		}
		gone[id] = true
		p.pairs = append(p.pairs, s)
		p.loose = append(p.loose, step{aSession, id, func(tx *fsstore.Tx) error {
			if s, err := tx.Session(id); err == nil && s.State == schema.SessionOpen {
				return nil
			}
			tx.DeleteSession(id)
			return nil
		}})
	}
	return gone
}

// leftBehind reports whether a session is not there any more, or goes now.
func (p *plan) leftBehind(id string, gone map[string]bool) bool {
	_, known := p.st.sessions[id]
	return gone[id] || !known
}

func (p *plan) intents(gone map[string]bool) {
	for _, id := range slices.Sorted(maps.Keys(p.st.intents)) {
		if !p.st.open(id) && (p.leftBehind(id, gone) || p.old(p.st.intents[id].UpdatedAt.Time)) {
			p.loose = append(p.loose, step{anIntent, id, func(tx *fsstore.Tx) error {
				tx.DeleteIntent(id)
				return nil
			}})
		}
	}
}

// claims go once their lease is over. A holder who can still act and was not
// told yet keeps the claim off the ground, so that it is told.
func (p *plan) claims(gone map[string]bool) {
	for _, c := range p.st.claims {
		if c.LiveAt(p.st.now.Time) || !p.old(c.ExpiresAt.Time) {
			continue
		}
		p.loose = append(p.loose, step{aClaim, c.ClaimID, func(tx *fsstore.Tx) error { return p.endClaim(tx, c.ClaimID) }})
	}
	for _, e := range p.st.retired {
		if p.leftBehind(e.Claim.OwnerSessionID, gone) || e.Told && p.old(e.Claim.ExpiresAt.Time) {
			p.loose = append(p.loose, step{aClaim, e.Claim.ClaimID, func(tx *fsstore.Tx) error { return dropRetired(tx, &e.Claim) }})
		}
	}
}

func (p *plan) endClaim(tx *fsstore.Tx, id string) error {
	c, err := tx.Claim(id)
	if err != nil || c.LiveAt(tx.Now()) {
		return ignoreAbsent(err)
	}
	if err := tx.Event(schema.EventClaimExpired, c.OwnerSessionID, schema.Payload{ClaimID: id}); err != nil {
		return err
	}
	if p.st.open(c.OwnerSessionID) {
		return tx.RetireClaim(&c, false)
	}
	tx.DeleteClaim(&c)
	return nil
}

// dropRetired leaves alone a claim that was renewed meanwhile.
func dropRetired(tx *fsstore.Tx, c *schema.Claim) error {
	_, err := tx.Claim(c.ClaimID)
	if errors.Is(err, fs.ErrNotExist) {
		tx.DeleteClaim(c)
	}
	return ignoreAbsent(err)
}

// ignoreAbsent takes what is gone or damaged for done: neither is ours to
// touch.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || schema.HasReason(err, schema.ReasonRecordDamaged) {
		return nil
	}
	return err
}

// presence of a process that is known to be dead goes, and that of sessions
// that are over.
func (p *plan) presence(gone map[string]bool) {
	env := p.st.store.Env()
	for _, id := range slices.Sorted(maps.Keys(p.st.signs)) {
		for _, sign := range p.st.signs[id] {
			if (env.DeadSign(&sign) || !p.st.open(id)) && (p.leftBehind(id, gone) || p.old(sign.HeartbeatAt.Time)) {
				p.signs = append(p.signs, sign)
			}
		}
	}
}

// adapters that led to a session that is over lead nowhere.
func (p *plan) adapters() {
	for _, id := range p.st.adapters {
		if !p.st.open(id) {
			p.routes = append(p.routes, id)
		}
	}
}

// signName is how a report calls a sign of life.
func signName(s schema.Presence) string { return fmt.Sprintf("%s.%d", s.SessionID, s.PID) }
