package schema

import "time"

// ClaimMode says whether others may hold the same ground.
type ClaimMode string

// The modes of a claim.
const (
	Exclusive ClaimMode = "exclusive"
	Shared    ClaimMode = "shared"
)

// Limits of a lease (contract §4).
const (
	DefaultLease = 1800 * time.Second
	MinLease     = time.Second
	MaxLease     = 7 * 24 * time.Hour
)

// Claim is a lease on a resource. It ends by expiry, release or finish; the
// presence of its holder does not matter.
type Claim struct {
	SchemaVersion      int         `json:"schemaVersion"`
	ClaimID            string      `json:"claimId"`
	OwnerSessionID     string      `json:"ownerSessionId"`
	OwnerParticipantID string      `json:"ownerParticipantId"`
	Resource           Resource    `json:"resource"`
	Mode               ClaimMode   `json:"mode" jsonschema:"enum=exclusive,enum=shared"`
	Enforcement        Enforcement `json:"enforcement" jsonschema:"enum=advisory,enum=guarded"`
	Reason             *string     `json:"reason"`
	AcquiredAt         Time        `json:"acquiredAt"`
	ExpiresAt          Time        `json:"expiresAt"`
}

// Validate holds the record to contract §5.
func (c *Claim) Validate() error {
	v := checker{version: c.SchemaVersion}
	v.id("claimId", IDClaim, c.ClaimID)
	v.id("ownerSessionId", IDSession, c.OwnerSessionID)
	v.participant("ownerParticipantId", c.OwnerParticipantID)
	v.resources("resource", []Resource{c.Resource})
	v.oneOf("mode", string(c.Mode), string(Exclusive), string(Shared))
	v.oneOf("enforcement", string(c.Enforcement), string(Advisory), string(Guarded))
	if c.Reason != nil {
		v.line("reason", *c.Reason, MaxReason)
	}
	v.at("acquiredAt", c.AcquiredAt)
	v.that("expiresAt", c.ExpiresAt.After(c.AcquiredAt.Time), "must lie after acquiredAt")
	return v.err
}

// LiveAt reports whether the lease still runs at t. The second in which it
// ends belongs to whoever comes next.
func (c *Claim) LiveAt(t time.Time) bool { return t.Before(c.ExpiresAt.Time) }
