package fsstore

import (
	"errors"
	"io/fs"
	"path"

	"acc/schema"
)

// Claims lists every claim on the ground, live or past its lease, oldest
// first.
func (v *View) Claims() ([]schema.Claim, error) {
	return loadAll[schema.Claim](v, claimsDir, parsesAs(schema.IDClaim))
}

// Claim returns a claim on the ground, or fs.ErrNotExist.
func (v *View) Claim(id string) (schema.Claim, error) {
	var c schema.Claim
	err := v.load(claimName(id), &c)
	return c, err
}

// ExpiredClaim is a claim that left the ground after its lease had ended. It
// is kept for its holder alone, who may renew it while the ground is free.
type ExpiredClaim struct {
	Claim schema.Claim
	Told  bool // the holder has seen that the lease ended
}

// ExpiredClaims lists what is kept for a session.
func (v *View) ExpiredClaims(sessionID string) ([]ExpiredClaim, error) {
	dir := expiredFolder(sessionID)
	names, err := v.names(dir, func(base string) bool {
		_, _, ok := parseExpired(base)
		return ok
	})
	if err != nil {
		return nil, err
	}
	var kept []ExpiredClaim
	for _, base := range names {
		e := ExpiredClaim{}
		if _, e.Told, _ = parseExpired(base); v.load(path.Join(dir, base), &e.Claim) == nil {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// PutClaim writes a claim.
func (tx *Tx) PutClaim(c *schema.Claim) error { return tx.put(claimName(c.ClaimID), c) }

// DeleteClaim takes a claim away, from the ground or from what is kept for
// its holder.
func (tx *Tx) DeleteClaim(c *schema.Claim) {
	for _, name := range []string{
		claimName(c.ClaimID), expiredName(c.OwnerSessionID, c.ClaimID, false), expiredName(c.OwnerSessionID, c.ClaimID, true),
	} {
		tx.removeIfThere(name)
	}
}

// RetireClaim takes an expired claim off the ground and keeps it for its
// holder, who has been told of it or not.
func (tx *Tx) RetireClaim(c *schema.Claim, told bool) error {
	tx.DeleteClaim(c)
	return tx.put(expiredName(c.OwnerSessionID, c.ClaimID, told), c)
}

// removeIfThere reports whether there was something to remove.
func (tx *Tx) removeIfThere(name string) bool {
	if _, err := tx.read(name); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	tx.remove(name)
	return true
}
