package fsstore

import (
	"path"

	"acc/schema"
)

// releasesDir records what was taken from its holder; nothing in it changes.
const releasesDir = "releases"

func forcedName(claimID string) string {
	return path.Join(releasesDir, checked(schema.IDClaim, claimID)+jsonExt)
}

// ForcedRelease returns the record of how a claim was taken from its holder,
// or fs.ErrNotExist.
func (v *View) ForcedRelease(claimID string) (schema.ForcedRelease, error) {
	var f schema.ForcedRelease
	err := v.load(forcedName(claimID), &f)
	return f, err
}

// PutForcedRelease records that a claim is taken from its holder.
func (tx *Tx) PutForcedRelease(f *schema.ForcedRelease) error {
	return tx.put(forcedName(f.ClaimID), f)
}
