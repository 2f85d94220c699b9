package coordination

import (
	"context"
	"errors"
	"io/fs"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// ForceRelease takes away the claim of another session, on the authority of a
// person or of a policy. Who did it, on whose authority and why is recorded
// for good. No tool reaches it: over MCP a claim is its holder's.
func (r *Room) ForceRelease(ctx context.Context, claimID string, authority schema.Authority, reason string) (schema.ForcedRelease, error) {
	if err := schema.CheckClaimID("claim", claimID); err != nil {
		return schema.ForcedRelease{}, err
	}
	if err := schema.CheckLine("reason", reason, schema.MaxReason); err != nil {
		return schema.ForcedRelease{}, err
	}
	var out schema.ForcedRelease
	err := r.act(ctx, tools.Caller{}, func(tx *fsstore.Tx, me schema.Session) error {
		c, err := tx.Claim(claimID)
		if errors.Is(err, fs.ErrNotExist) {
			err = noSuchClaim(claimID)
		}
		if err != nil {
			return err
		}
		out = schema.ForcedRelease{
			SchemaVersion: schema.Version, ClaimID: c.ClaimID, Resource: c.Resource, OwnerSessionID: c.OwnerSessionID,
			OwnerParticipantID: c.OwnerParticipantID, ActorSessionID: me.SessionID, ActorParticipantID: me.ParticipantID,
			Authority: authority, Reason: reason, ReleasedAt: schema.At(tx.Now()),
		}
		if err := tx.PutForcedRelease(&out); err != nil {
			return err
		}
		tx.DeleteClaim(&c)
		return tx.Event(schema.EventClaimForced, me.SessionID, schema.Payload{ClaimID: claimID})
	})
	return out, err
}

// Claim is one claim on the ground, for whoever asks.
func (r *Room) Claim(ctx context.Context, claimID string) (schema.Claim, error) {
	if err := schema.CheckClaimID("claim", claimID); err != nil {
		return schema.Claim{}, err
	}
	var out schema.Claim
	err := r.view(ctx, func(v *fsstore.View) error {
		var err error
		out, err = v.Claim(claimID)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fsstore.ErrNoRoom) {
		err = noSuchClaim(claimID)
	}
	return out, err
}

func noSuchClaim(id string) error {
	return schema.Fail(schema.ReasonClaimUnknown, "there is no claim %s, or no longer; acc_status lists the live claims.", id).
		With("claimId", id)
}
