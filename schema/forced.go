package schema

// Authority is what a forced release rests on.
type Authority string

// The authorities: a person who confirmed it, or a rule of the project that a
// script applies.
const (
	AuthorityHuman  Authority = "human"
	AuthorityPolicy Authority = "policy"
)

// Authorities are all authorities.
func Authorities() []string { return []string{string(AuthorityHuman), string(AuthorityPolicy)} }

// ForcedRelease records that a claim was taken from its holder: by whom, on
// whose authority and why.
type ForcedRelease struct {
	SchemaVersion      int       `json:"schemaVersion"`
	ClaimID            string    `json:"claimId"`
	Resource           Resource  `json:"resource"`
	OwnerSessionID     string    `json:"ownerSessionId"`
	OwnerParticipantID string    `json:"ownerParticipantId"`
	ActorSessionID     string    `json:"actorSessionId"`
	ActorParticipantID string    `json:"actorParticipantId"`
	Authority          Authority `json:"authority" jsonschema:"enum=human,enum=policy"`
	Reason             string    `json:"reason"`
	ReleasedAt         Time      `json:"releasedAt"`
}

// Validate holds the record to its rules.
func (f *ForcedRelease) Validate() error {
	v := checker{version: f.SchemaVersion}
	v.id("claimId", IDClaim, f.ClaimID)
	v.resources("resource", []Resource{f.Resource})
	v.id("ownerSessionId", IDSession, f.OwnerSessionID)
	v.participant("ownerParticipantId", f.OwnerParticipantID)
	v.id("actorSessionId", IDSession, f.ActorSessionID)
	v.participant("actorParticipantId", f.ActorParticipantID)
	v.oneOf("authority", string(f.Authority), Authorities()...)
	v.line("reason", f.Reason, MaxReason)
	v.at("releasedAt", f.ReleasedAt)
	return v.err
}
