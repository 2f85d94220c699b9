package coordination

import (
	"context"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type releaseInput struct {
	ClaimID   string   `json:"claimId" jsonschema_description:"One claim by id." example:"claim_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	ClaimIDs  []string `json:"claimIds" jsonschema:"minItems=1,maxItems=100" jsonschema_description:"Several claims by id, all or none." example:"claim_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Resource  string   `json:"resource" jsonschema_description:"One claim by its resource." example:"file:src/app.go"`
	Resources []string `json:"resources" jsonschema:"minItems=1,maxItems=100" jsonschema_description:"Several claims by resource, all or none." example:"file:src/app.go"`
	All       bool     `json:"all" jsonschema_description:"true: every claim you hold now, none is fine. A retry may release newer ones."`
}

// Validate checks that there is exactly one selector.
func (in releaseInput) Validate() error {
	selectors := given(
		givenField{"claimId", in.ClaimID != ""}, givenField{"claimIds", in.ClaimIDs != nil},
		givenField{"resource", in.Resource != ""}, givenField{"resources", in.Resources != nil}, givenField{"all", in.All},
	)
	const exactlyOne = "Give exactly one of claimId, claimIds, resource, resources or \"all\": true."
	switch len(selectors) {
	case 0:
		return schema.Fail(schema.ReasonMissingField, exactlyOne)
	case 1:
	default:
		return conflicting(exactlyOne, selectors...)
	}
	for i, id := range in.ids() {
		if err := schema.CheckClaimID(selectors[0], id); err != nil {
			return err
		}
		if slices.Contains(in.ids()[:i], id) {
			return schema.Fail(schema.ReasonInvalidField, "claimIds: %s is named twice; name each claim once.", id).With("field", "claimIds")
		}
	}
	return nil
}

func (in releaseInput) ids() []string {
	if in.ClaimID != "" {
		return []string{in.ClaimID}
	}
	return in.ClaimIDs
}

func (in releaseInput) uris() []string {
	if in.Resource != "" {
		return []string{in.Resource}
	}
	return in.Resources
}

// Released is the answer: one id for a scalar selector, else an array.
type Released struct {
	Released any `json:"released"`
}

func (r *Room) release(ctx context.Context, caller tools.Caller, in releaseInput) (any, error) {
	resources, err := r.canonicalResources(in.uris())
	if err != nil {
		return nil, err
	}
	if !in.All {
		if err := r.before(ctx, noClaim(in), anyRoom); err != nil {
			return nil, err
		}
	}
	var ids []string
	err = r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		claims, err := r.selectClaims(tx, me, in, resources)
		if err != nil {
			return err
		}
		ids, err = releaseAll(tx, me, claims)
		return err
	})
	if err != nil {
		return nil, err
	}
	if in.ClaimID != "" || in.Resource != "" {
		return Released{ids[0]}, nil
	}
	return Released{ids}, nil
}

// selectClaims finds what is to be released. Every explicit target must be
// there and be the caller's, else nothing is.
func (r *Room) selectClaims(tx *fsstore.Tx, me schema.Session, in releaseInput, resources []schema.Resource) ([]schema.Claim, error) {
	if in.All {
		held, err := heldBy(&tx.View, me)
		return slices.DeleteFunc(held, func(c schema.Claim) bool { return !c.LiveAt(tx.Now()) }), err
	}
	var claims []schema.Claim
	for _, id := range in.ids() {
		c, err := ownClaim(&tx.View, me, id)
		if err != nil {
			return nil, err
		}
		claims = append(claims, *c)
	}
	if len(resources) == 0 {
		return claims, nil
	}
	all, err := claimsFor(tx, me)
	if err != nil {
		return nil, err
	}
	for _, resource := range resources {
		c, err := claimOn(all, me, resource, tx)
		if err != nil {
			return nil, err
		}
		claims = append(claims, *c)
	}
	return claims, nil
}

// claimsFor are the claims on the ground and those kept for the caller, whose
// lease has ended: releasing one of them says that it is not needed any more.
func claimsFor(tx *fsstore.Tx, me schema.Session) ([]schema.Claim, error) {
	all, err := tx.Claims()
	if err != nil {
		return nil, err
	}
	kept, err := tx.ExpiredClaims(me.SessionID)
	for _, e := range kept {
		all = append(all, e.Claim)
	}
	return all, err
}

// claimOn finds the caller's claim on exactly that resource.
func claimOn(all []schema.Claim, me schema.Session, resource schema.Resource, tx *fsstore.Tx) (*schema.Claim, error) {
	var foreign *schema.Claim
	for i, c := range all {
		switch {
		case c.Resource != resource:
		case c.OwnerSessionID == me.SessionID:
			return &all[i], nil
		case c.LiveAt(tx.Now()):
			foreign = &all[i]
		}
	}
	if foreign != nil {
		return nil, notOwned(foreign)
	}
	return nil, noClaimOn(resource)
}

func noClaimOn(resource schema.Resource) error {
	return schema.Fail(schema.ReasonClaimUnknown,
		"you hold no claim on exactly %s; acc_status lists the live claims. Nothing was released.", schema.Visible(string(resource), 200)).
		With("resource", resource)
}

// noClaim is the refusal of a release where there is no room yet.
func noClaim(in releaseInput) error {
	if ids := in.ids(); len(ids) > 0 {
		return unknownClaim(ids[0])
	}
	return noClaimOn(schema.Resource(in.uris()[0]))
}

// heldBy are the claims of a session on the ground, live or past their lease.
func heldBy(v *fsstore.View, me schema.Session) ([]schema.Claim, error) {
	all, err := v.Claims()
	return slices.DeleteFunc(all, func(c schema.Claim) bool { return c.OwnerSessionID != me.SessionID }), err
}

func releaseAll(tx *fsstore.Tx, me schema.Session, claims []schema.Claim) ([]string, error) {
	ids := make([]string, 0, len(claims))
	for i := range claims {
		tx.DeleteClaim(&claims[i])
		if err := tx.Event(schema.EventClaimReleased, me.SessionID, schema.Payload{ClaimID: claims[i].ClaimID}); err != nil {
			return nil, err
		}
		ids = append(ids, claims[i].ClaimID)
	}
	return ids, nil
}
