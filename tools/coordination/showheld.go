package coordination

import (
	"errors"
	"io/fs"

	"acc/fsstore"
	"acc/schema"
)

// ClaimState is what became of a claim.
type ClaimState string

// The states of a claim.
const (
	ClaimLive  ClaimState = "live"  // its lease runs
	ClaimEnded ClaimState = "ended" // its lease ended; the holder may renew it while the ground is free
	ClaimTaken ClaimState = "taken" // it was taken from its holder
)

// ShownClaim is a claim with its holder. Record is null for one that was taken
// from its holder, of which only that is on record.
type ShownClaim struct {
	State         ClaimState            `json:"state"`
	Record        *schema.Claim         `json:"record"`
	OwnerPresence Presence              `json:"ownerPresence"`
	Forced        *schema.ForcedRelease `json:"forced"`
}

func (r *Room) showClaim(v *fsstore.View, id string) (*ShownClaim, error) {
	who, err := readPeople(v, r.cfg.Env)
	if err != nil {
		return nil, err
	}
	c, err := v.Claim(id)
	if errors.Is(err, fs.ErrNotExist) {
		c, err = v.KeptClaim(id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		f, err := v.ForcedRelease(id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, unknownID(id)
		}
		return &ShownClaim{State: ClaimTaken, OwnerPresence: who.presenceOf(f.OwnerSessionID), Forced: &f}, err
	}
	state := ClaimEnded
	if c.LiveAt(who.presence.now) {
		state = ClaimLive
	}
	return &ShownClaim{State: state, Record: &c, OwnerPresence: who.presenceOf(c.OwnerSessionID)}, err
}

// ShownSession is a session without its secret, with what it does and holds.
type ShownSession struct {
	Record   SessionView    `json:"record"`
	Presence Presence       `json:"presence"`
	Intent   *schema.Intent `json:"intent"`
	Claims   []ClaimRow     `json:"claims"`
}

func (r *Room) showSession(v *fsstore.View, id string) (*ShownSession, error) {
	s, err := v.Session(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknownID(id)
	}
	if err != nil {
		return nil, err
	}
	o, err := r.overview(v, nil)
	if err != nil {
		return nil, err
	}
	out := &ShownSession{Record: o.sessionView(s), Presence: o.people.presence.of(s), Claims: []ClaimRow{}}
	if intent, ok := o.intents[id]; ok {
		out.Intent = &intent
	}
	for _, row := range o.claimRows() {
		if row.OwnerSessionID == id {
			out.Claims = append(out.Claims, row)
		}
	}
	return out, nil
}
