package coordination

import (
	"fmt"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// ground is every claim of the room at one moment, with who is behind them.
type ground struct {
	live   []schema.Claim
	past   []schema.Claim
	now    time.Time
	people *people
}

func (r *Room) readGround(v *fsstore.View) (*ground, error) {
	all, err := v.Claims()
	if err != nil {
		return nil, err
	}
	who, err := readPeople(v, r.cfg.Env)
	if err != nil {
		return nil, err
	}
	g := &ground{now: who.presence.now, people: who}
	g.live, g.past = splitClaims(all, g.now)
	return g, nil
}

// Holder is one claim that stands in the way.
type Holder struct {
	ClaimID            string           `json:"claimId"`
	Resource           schema.Resource  `json:"resource"`
	Mode               schema.ClaimMode `json:"mode"`
	Reason             *string          `json:"reason"`
	OwnerSessionID     string           `json:"ownerSessionId"`
	OwnerParticipantID string           `json:"ownerParticipantId"`
	OwnerPresence      Presence         `json:"ownerPresence"`
	ExpiresAt          schema.Time      `json:"expiresAt"`
}

// Conflict is one requested resource and the claims in its way.
type Conflict struct {
	Resource schema.Resource `json:"resource"`
	Holders  []Holder        `json:"holders"`
}

// refuse fails when a live claim of another session overlaps a wanted
// resource and one of the two is exclusive. It names every conflict.
func (g *ground) refuse(me schema.Session, wanted []schema.Resource, mode schema.ClaimMode) error {
	var conflicts []Conflict
	var first string
	for _, resource := range wanted {
		holders := g.holders(me, resource, mode)
		if len(holders) == 0 {
			continue
		}
		if first == "" {
			first = describeConflict(resource, holders[0])
		}
		conflicts = append(conflicts, Conflict{Resource: resource, Holders: holders})
	}
	if len(conflicts) == 0 {
		return nil
	}
	more := ""
	if n := len(conflicts); n > 1 {
		more = fmt.Sprintf(" In all, %d of the requested resources are held; details.conflicts names them.", n)
	}
	return schema.Fail(schema.ReasonClaimConflict, "%s%s Nothing was claimed; work elsewhere, or write to the holder.", first, more).
		With("conflicts", conflicts)
}

func (g *ground) holders(me schema.Session, resource schema.Resource, mode schema.ClaimMode) []Holder {
	var holders []Holder
	for _, c := range g.live {
		_, overlap := schema.Overlap(c.Resource, resource)
		if !overlap || c.OwnerSessionID == me.SessionID || mode == schema.Shared && c.Mode == schema.Shared {
			continue
		}
		holders = append(holders, Holder{
			ClaimID: c.ClaimID, Resource: c.Resource, Mode: c.Mode, Reason: c.Reason, OwnerSessionID: c.OwnerSessionID,
			OwnerParticipantID: c.OwnerParticipantID, OwnerPresence: g.people.presenceOf(c.OwnerSessionID), ExpiresAt: c.ExpiresAt,
		})
	}
	return holders
}

func describeConflict(resource schema.Resource, h Holder) string {
	overlap, _ := schema.Overlap(resource, h.Resource)
	return fmt.Sprintf("%s is claimed by %s (%s, %s) until %s, as %s; the common ground is %s.",
		schema.Visible(string(resource), 200), h.OwnerParticipantID, h.Mode, h.OwnerPresence, h.ExpiresAt,
		schema.Visible(string(h.Resource), 200), schema.Visible(string(overlap), 200))
}

// own is the caller's live claim on exactly that resource.
func (g *ground) own(me schema.Session, resource schema.Resource) *schema.Claim {
	at := slices.IndexFunc(g.live, func(c schema.Claim) bool {
		return c.OwnerSessionID == me.SessionID && c.Resource == resource
	})
	if at < 0 {
		return nil
	}
	return &g.live[at]
}

// longPast is how old an expired claim may get before the next acquisition
// clears it from the ground, wherever it lies: the ground stays small.
const longPast = 24 * time.Hour

// retire takes off the ground what is past its lease and in the way of the
// wanted resources. Its former holder is told once; a holder that takes its
// own ground again needs no telling.
func (g *ground) retire(tx *fsstore.Tx, me schema.Session, wanted []schema.Resource) error {
	for i := range g.past {
		c := &g.past[i]
		overlaps := slices.ContainsFunc(wanted, func(r schema.Resource) bool {
			_, ok := schema.Overlap(c.Resource, r)
			return ok
		})
		mine := c.OwnerSessionID == me.SessionID
		switch {
		case mine && !slices.Contains(wanted, c.Resource):
			continue
		case !mine && !overlaps && g.now.Sub(c.ExpiresAt.Time) < longPast:
			continue
		}
		if err := g.retireOne(tx, me, c, mine); err != nil {
			return err
		}
	}
	return g.forget(tx, me, wanted)
}

func (g *ground) retireOne(tx *fsstore.Tx, me schema.Session, c *schema.Claim, mine bool) error {
	if err := tx.Event(schema.EventClaimExpired, me.SessionID, schema.Payload{ClaimID: c.ClaimID}); err != nil {
		return err
	}
	owner := g.people.session(c.OwnerSessionID)
	if mine || owner == nil || owner.State != schema.SessionOpen {
		tx.DeleteClaim(c) // nobody is left to be told
		return nil
	}
	return tx.RetireClaim(c, false)
}

// forget drops what is kept of the caller's expired claims on resources that
// it takes again.
func (g *ground) forget(tx *fsstore.Tx, me schema.Session, wanted []schema.Resource) error {
	retired, err := tx.ExpiredClaims(me.SessionID)
	if err != nil {
		return err
	}
	for _, e := range retired {
		if slices.Contains(wanted, e.Claim.Resource) {
			tx.DeleteClaim(&e.Claim)
		}
	}
	return nil
}
