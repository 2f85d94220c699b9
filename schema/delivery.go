package schema

import "slices"

// DeliveryError says why an attempt to hand a message to a client came to
// nothing. The vocabulary is closed (contract §13).
type DeliveryError string

// The errors of delivery.
const (
	RecipientUnavailable DeliveryError = "recipient_unavailable"        // nobody is there
	DeliveryDisabled     DeliveryError = "delivery_disabled"            // the recipient's policy does not take it
	AmbiguousSessions    DeliveryError = "ambiguous_recipient_sessions" // several sessions of the recipient could take it
	RecipientBusy        DeliveryError = "recipient_busy"               // the adapter asked to come again
	UnsupportedClient    DeliveryError = "unsupported_client_version"   // nobody has seen this version show a message
	TransportRejected    DeliveryError = "transport_rejected"           // the adapter refused it
	TransportError       DeliveryError = "transport_error"              // the adapter failed, died or hung
)

// DeliveryErrors are all of them.
func DeliveryErrors() []DeliveryError {
	return []DeliveryError{
		RecipientUnavailable, DeliveryDisabled, AmbiguousSessions, RecipientBusy, UnsupportedClient, TransportRejected, TransportError,
	}
}

// Attempt records that a message was not accepted by a client. It moves no
// state: the message still waits.
type Attempt struct {
	Transport string        `json:"transport"`
	At        Time          `json:"at"`
	ErrorCode DeliveryError `json:"errorCode" jsonschema:"enum=recipient_unavailable,enum=delivery_disabled,enum=ambiguous_recipient_sessions,enum=recipient_busy,enum=unsupported_client_version,enum=transport_rejected,enum=transport_error"`
}

// DeliveryPolicy is what a recipient lets adapters hand to it.
type DeliveryPolicy string

// The policies, from nothing to everything.
const (
	DeliverNothing    DeliveryPolicy = "off"
	DeliverActionable DeliveryPolicy = "actionable" // what owes an answer or an acknowledgement
	DeliverAll        DeliveryPolicy = "all"
)

// DeliveryPolicies are all policies in that order.
func DeliveryPolicies() []string {
	return []string{string(DeliverNothing), string(DeliverActionable), string(DeliverAll)}
}

// Takes reports whether the policy lets mail with this obligation through.
func (p DeliveryPolicy) Takes(o Obligation) bool {
	return p == DeliverAll || p == DeliverActionable && o != OweNothing
}

// DeliveryMode is a way in which an adapter reaches a client.
type DeliveryMode string

// The modes.
const (
	NextTurn   DeliveryMode = "nextTurn"   // put in front of the client's next turn
	LivePush   DeliveryMode = "livePush"   // handed over while the client runs
	ReplyRoute DeliveryMode = "replyRoute" // takes the client's answer back
)

// Binding is a route into a client of one session. It is not durable, and
// without a new sign of life it ends by itself.
type Binding struct {
	SchemaVersion int            `json:"schemaVersion"`
	ParticipantID string         `json:"participantId"`
	SessionID     string         `json:"sessionId"`
	Generation    string         `json:"generation"`
	AdapterID     string         `json:"adapterId"`
	ClientVersion string         `json:"clientVersion"` // "" when the client did not say
	Modes         []DeliveryMode `json:"modes"`         // none when the client is not supported
	Capabilities  Capabilities   `json:"capabilities"`
	Host          string         `json:"host"`
	PID           int            `json:"pid"` // 0 for an adapter that has no process of its own
	ProcessStart  string         `json:"processStart"`
	LeaseUntil    Time           `json:"leaseUntil"`
}

// Validate holds the record to its rules.
func (b *Binding) Validate() error {
	v := checker{version: b.SchemaVersion}
	v.participant("participantId", b.ParticipantID)
	v.id("sessionId", IDSession, b.SessionID)
	v.hex("generation", b.Generation, 32)
	v.that("adapterId", ValidAdapterID(b.AdapterID), "is not in the vocabulary of names")
	v.listed("modes", b.Modes != nil)
	for _, m := range b.Modes {
		v.oneOf("modes", string(m), string(NextTurn), string(LivePush), string(ReplyRoute))
	}
	v.that("pid", b.PID >= 0, "must not be negative")
	v.at("leaseUntil", b.LeaseUntil)
	return v.err
}

// Has reports whether the adapter reaches its client in this way.
func (b *Binding) Has(m DeliveryMode) bool { return slices.Contains(b.Modes, m) }

// maxAdapterID bounds the name of an adapter, which is part of a file name.
const maxAdapterID = 32

// ValidAdapterID reports whether s may name an adapter: a lower-case letter,
// then lower-case letters, digits and dashes.
func ValidAdapterID(s string) bool {
	if s == "" || len(s) > maxAdapterID || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// Policy is what a participant lets live adapters hand to it. Without one
// nothing is handed over live.
type Policy struct {
	SchemaVersion int            `json:"schemaVersion"`
	ParticipantID string         `json:"participantId"`
	LivePolicy    DeliveryPolicy `json:"livePolicy"`
}

// Validate holds the record to its rules.
func (p *Policy) Validate() error {
	v := checker{version: p.SchemaVersion}
	v.participant("participantId", p.ParticipantID)
	v.oneOf("livePolicy", string(p.LivePolicy), DeliveryPolicies()...)
	return v.err
}

// Shown is what hooks have put in front of a participant's client, so that
// nothing is repeated. It is not durable.
type Shown struct {
	SchemaVersion int      `json:"schemaVersion"`
	ParticipantID string   `json:"participantId"`
	Named         []string `json:"named"`   // open mail that did not fit and was named
	Held          []string `json:"held"`    // open mail that held a turn open
	Handoff       string   `json:"handoff"` // the newest handoff to the room that was shown, "" for none
}

// Validate holds the record to its rules.
func (s *Shown) Validate() error {
	v := checker{version: s.SchemaVersion}
	v.participant("participantId", s.ParticipantID)
	v.listed("named", s.Named != nil)
	v.listed("held", s.Held != nil)
	for _, id := range slices.Concat(s.Named, s.Held) {
		v.id("named and held", IDMessage, id)
	}
	if s.Handoff != "" {
		v.id("handoff", IDMessage, s.Handoff)
	}
	return v.err
}
