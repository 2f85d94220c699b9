package coordination

import (
	"context"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Blockers are the claims in the way of work on some ground.
type Blockers struct {
	// Holders has, for each group of resources that was asked about, the live
	// exclusive claims of other sessions on one of them.
	Holders [][]Holder
	// Unproven says that the caller's session and generation are no pair of this
	// room; the caller then counted as nobody.
	Unproven bool
}

// Blocked looks up who holds ground exclusively. Shared claims are in nobody's
// way, nor are the caller's own. The lookup changes nothing, so a caller may
// name its session without the generation; a generation that is given must be
// the right one.
//
// It fails with fsstore.ErrNoRoom where there is no room.
func (r *Room) Blocked(ctx context.Context, ground [][]schema.Resource) (Blockers, error) {
	out := Blockers{Holders: make([][]Holder, len(ground))}
	err := r.view(ctx, func(v *fsstore.View) error {
		var me schema.Session
		me.SessionID, out.Unproven = r.named(v)
		g, err := r.readGround(v)
		if err != nil {
			return err
		}
		out.Holders = g.holdersOf(me, ground)
		return nil
	})
	return out, err
}

// holdersOf are, for each group of resources, the exclusive claims of others
// on one of them.
func (g *ground) holdersOf(me schema.Session, wanted [][]schema.Resource) [][]Holder {
	found := make([][]Holder, len(wanted))
	for i, resources := range wanted {
		for _, resource := range resources {
			found[i] = merge(found[i], g.holders(me, resource, schema.Shared))
		}
	}
	return found
}

// Denied looks up, for each group of resources, which other sessions hold one
// of them exclusively by a guarded claim: an edit there is to be stopped. The
// lookup changes nothing; a caller without a session holds nothing itself.
func (r *Room) Denied(ctx context.Context, caller tools.Caller, ground [][]schema.Resource) ([][]Holder, error) {
	var found [][]Holder
	err := r.view(ctx, func(v *fsstore.View) error {
		me, err := r.attending(v, caller)
		if err != nil {
			return err
		}
		g, err := r.readGround(v)
		if err != nil {
			return err
		}
		g.live = slices.DeleteFunc(g.live, func(c schema.Claim) bool { return c.Enforcement != schema.Guarded })
		found = g.holdersOf(me, ground)
		return nil
	})
	return found, err
}

// named is the session that the caller says it is, "" for nobody.
func (r *Room) named(v *fsstore.View) (id string, unproven bool) {
	switch {
	case r.cfg.Credentials == nil:
		return "", false
	case r.cfg.Credentials.Generation == "":
		return r.cfg.Credentials.SessionID, false
	}
	me, err := r.authenticate(v)
	return me.SessionID, err != nil
}

// merge adds the holders that are not there yet: one claim may cover a link
// and what it leads to.
func merge(found, more []Holder) []Holder {
	for _, h := range more {
		known := false
		for _, f := range found {
			known = known || f.ClaimID == h.ClaimID
		}
		if !known {
			found = append(found, h)
		}
	}
	return found
}
