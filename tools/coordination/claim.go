package coordination

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type claimInput struct {
	Action       string   `json:"action" jsonschema:"required,enum=acquire,enum=renew" jsonschema_description:"acquire takes resources, or renews those you hold; renew prolongs one claim by id."`
	Resource     string   `json:"resource" jsonschema_description:"acquire: file:path, file:dir/** for all below, file:** for the whole workspace, or another scheme:name." example:"file:src/app.go"`
	Resources    []string `json:"resources" jsonschema:"minItems=1,maxItems=100" jsonschema_description:"acquire: several resources, all or none. Instead of resource." example:"file:src/app.go"`
	Mode         string   `json:"mode" jsonschema:"enum=exclusive,enum=shared" jsonschema_description:"acquire: default exclusive. shared stands beside other shared claims."`
	Reason       string   `json:"reason" jsonschema_description:"acquire: why, in one line; shown to whoever is blocked." acc:"text"`
	ClaimID      string   `json:"claimId" jsonschema_description:"renew: the claim to prolong." example:"claim_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	LeaseSeconds *int     `json:"leaseSeconds" jsonschema:"minimum=1,maximum=604800" jsonschema_description:"How long the claim lasts from now, default 1800. It ends by itself."`
}

// Validate checks which fields belong to which action.
func (in claimInput) Validate() error {
	if in.Action == "renew" {
		return in.validateRenew()
	}
	switch {
	case in.ClaimID != "":
		return schema.Fail(schema.ReasonConflictingFields, "claimId belongs to renew; acquire takes resource or resources.").With("field", "claimId")
	case in.Resource != "" && in.Resources != nil:
		return conflicting("Give one of them.", "resource", "resources")
	case in.Resource == "" && in.Resources == nil:
		return missing("resource", `"resource": "file:src/app.go"`)
	case in.Reason != "":
		return schema.CheckLine("reason", in.Reason, schema.MaxReason)
	}
	return nil
}

func (in claimInput) validateRenew() error {
	alien := given(
		givenField{"resource", in.Resource != ""}, givenField{"resources", in.Resources != nil},
		givenField{"mode", in.Mode != ""}, givenField{"reason", in.Reason != ""},
	)
	if len(alien) > 0 {
		return schema.Fail(schema.ReasonConflictingFields, "%s belongs to acquire; renew takes claimId and leaseSeconds.", alien[0]).
			With("field", alien[0])
	}
	if in.ClaimID == "" {
		return missing("claimId", `"claimId": "claim_01k5x0f4e2m9v8r7c6b5a4z3y2"`)
	}
	return schema.CheckClaimID("claimId", in.ClaimID)
}

func (in claimInput) lease() time.Duration {
	if in.LeaseSeconds == nil {
		return schema.DefaultLease
	}
	return time.Duration(*in.LeaseSeconds) * time.Second
}

// Claims is the answer to a batch.
type Claims struct {
	Claims []schema.Claim `json:"claims"`
}

func (r *Room) claim(ctx context.Context, caller tools.Caller, in claimInput) (any, error) {
	if in.Action == "renew" {
		return r.renew(ctx, caller, in)
	}
	uris := in.Resources
	if uris == nil {
		uris = []string{in.Resource}
	}
	wanted, err := r.canonicalResources(uris)
	if err != nil {
		return nil, err
	}
	var claims []schema.Claim
	err = r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		claims, err = r.acquire(tx, me, wanted, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	if in.Resources != nil {
		return Claims{claims}, nil
	}
	return claims[0], nil
}

// canonicalResources settles resources; two names of one thing are refused.
func (r *Room) canonicalResources(uris []string) ([]schema.Resource, error) {
	resources := make([]schema.Resource, 0, len(uris))
	for _, uri := range uris {
		resource, err := r.cfg.Workspace.Canonical(uri)
		if err != nil {
			return nil, err
		}
		if slices.Contains(resources, resource) {
			return nil, schema.Fail(schema.ReasonResourceDuplicate, "resources: %s is named twice; name each resource once.", resource).
				With("resource", resource)
		}
		resources = append(resources, resource)
	}
	return resources, nil
}

// acquire takes every resource or none.
func (r *Room) acquire(tx *fsstore.Tx, me schema.Session, wanted []schema.Resource, in claimInput) ([]schema.Claim, error) {
	g, err := r.readGround(&tx.View)
	if err != nil {
		return nil, err
	}
	mode := schema.Exclusive
	if in.Mode != "" {
		mode = schema.ClaimMode(in.Mode)
	}
	if err := g.refuse(me, wanted, mode); err != nil {
		return nil, err
	}
	if err := g.retire(tx, me, wanted); err != nil {
		return nil, err
	}
	claims := make([]schema.Claim, len(wanted))
	for i, resource := range wanted {
		if claims[i], err = g.take(tx, me, resource, mode, in, r.enforcement(me)); err != nil {
			return nil, err
		}
	}
	return claims, nil
}

// enforcement is what a claim of the session can do. It follows from what was
// observed of the session's client, or from what a person asked for: over MCP
// alone a claim is advisory.
func (r *Room) enforcement(me schema.Session) schema.Enforcement {
	if r.guardClaims {
		return schema.Guarded
	}
	return me.Enforcement
}

// take claims one resource that is free for the caller: it renews the claim
// the caller has on it, else makes a new one. A guarded claim stays one.
func (g *ground) take(tx *fsstore.Tx, me schema.Session, resource schema.Resource, mode schema.ClaimMode, in claimInput, e schema.Enforcement) (schema.Claim, error) {
	kind := schema.EventClaimRenewed
	c := g.own(me, resource)
	if c == nil {
		id, err := tx.NewID(schema.IDClaim)
		if err != nil {
			return schema.Claim{}, err
		}
		kind = schema.EventClaimAcquired
		c = &schema.Claim{
			SchemaVersion: schema.Version, ClaimID: id, OwnerSessionID: me.SessionID, OwnerParticipantID: me.ParticipantID,
			Resource: resource, Enforcement: e, AcquiredAt: schema.At(tx.Now()),
		}
	}
	if e == schema.Guarded {
		c.Enforcement = e
	}
	c.Mode = mode
	prolong(c, tx.Now(), in.lease())
	if in.Reason != "" {
		c.Reason = &in.Reason
	}
	if err := tx.PutClaim(c); err != nil {
		return schema.Claim{}, err
	}
	return *c, tx.Event(kind, me.SessionID, schema.Payload{ClaimID: c.ClaimID})
}

// prolong lets a lease run anew from now. A clock that was set back must not
// make a claim end before it began.
func prolong(c *schema.Claim, now time.Time, lease time.Duration) {
	c.ExpiresAt = schema.At(now.Add(lease))
	if !c.ExpiresAt.After(c.AcquiredAt.Time) {
		c.AcquiredAt = schema.At(now)
	}
}

func (r *Room) renew(ctx context.Context, caller tools.Caller, in claimInput) (any, error) {
	if err := r.before(ctx, unknownClaim(in.ClaimID), anyRoom); err != nil {
		return nil, err
	}
	var renewed schema.Claim
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		c, err := ownClaim(&tx.View, me, in.ClaimID)
		if err != nil {
			return err
		}
		// Others may have come since the lease ended. By the clock it may run once
		// more: one that was set back.
		g, err := r.readGround(&tx.View)
		if err != nil {
			return err
		}
		if err := g.refuse(me, []schema.Resource{c.Resource}, c.Mode); err != nil {
			return err
		}
		renewed = *c
		prolong(&renewed, tx.Now(), in.lease())
		tx.DeleteClaim(c)
		if err := tx.PutClaim(&renewed); err != nil {
			return err
		}
		return tx.Event(schema.EventClaimRenewed, me.SessionID, schema.Payload{ClaimID: renewed.ClaimID})
	})
	return renewed, err
}

// ownClaim finds a claim of the caller by id, on the ground or kept for it
// after the lease ended.
func ownClaim(v *fsstore.View, me schema.Session, id string) (*schema.Claim, error) {
	c, err := v.Claim(id)
	switch {
	case err == nil && c.OwnerSessionID == me.SessionID:
		return &c, nil
	case err == nil:
		return nil, notOwned(&c)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	retired, err := v.ExpiredClaims(me.SessionID)
	if err != nil {
		return nil, err
	}
	for _, e := range retired {
		if e.Claim.ClaimID == id {
			return &e.Claim, nil
		}
	}
	return nil, unknownClaim(id)
}

func unknownClaim(id string) error {
	return schema.Fail(schema.ReasonClaimUnknown, "you hold no claim %s, or no longer; acc_status lists the live claims.", id).
		With("claimId", id)
}

func notOwned(c *schema.Claim) error {
	return schema.Fail(schema.ReasonClaimNotOwned, "%s on %s belongs to %s; ask there, with acc_message or acc_request.",
		c.ClaimID, c.Resource, c.OwnerParticipantID).
		With("claimId", c.ClaimID).With("ownerParticipantId", c.OwnerParticipantID)
}
