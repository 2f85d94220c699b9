package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// EventType names what happened.
type EventType string

// The types of event.
const (
	EventParticipantJoined EventType = "participant.joined"
	EventSessionOpened     EventType = "session.opened"
	EventSessionClosed     EventType = "session.closed"
	EventIntentSet         EventType = "intent.set"
	EventIntentCleared     EventType = "intent.cleared"
	EventClaimAcquired     EventType = "claim.acquired"
	EventClaimRenewed      EventType = "claim.renewed"
	EventClaimReleased     EventType = "claim.released"
	EventClaimExpired      EventType = "claim.expired"
	EventClaimForced       EventType = "claim.force_released"
	EventMessageSent       EventType = "message.sent"
	EventMessageImported   EventType = "message.imported"
	EventReceiptOffered    EventType = "receipt.offered"
	EventReceiptRetrieved  EventType = "receipt.retrieved"
	EventReceiptAcked      EventType = "receipt.acknowledged"
)

// EventTypes are all types.
func EventTypes() []EventType {
	return []EventType{
		EventParticipantJoined, EventSessionOpened, EventSessionClosed, EventIntentSet, EventIntentCleared,
		EventClaimAcquired, EventClaimRenewed, EventClaimReleased, EventClaimExpired, EventClaimForced, EventMessageSent,
		EventMessageImported, EventReceiptOffered, EventReceiptRetrieved, EventReceiptAcked,
	}
}

// Payload of an event: ids and vocabulary words only, never peer-written text.
type Payload struct {
	ParticipantID string       `json:"participantId,omitempty"`
	SessionID     string       `json:"sessionId,omitempty"`
	ClaimID       string       `json:"claimId,omitempty"`
	MessageID     string       `json:"messageId,omitempty"`
	Kind          MessageKind  `json:"kind,omitempty"`
	State         ReceiptState `json:"state,omitempty"`
}

// Event is one line of the log. Cursors count from 1 without gaps.
type Event struct {
	SchemaVersion  int       `json:"schemaVersion"`
	Cursor         string    `json:"cursor"`
	Type           EventType `json:"type"`
	ActorSessionID string    `json:"actorSessionId"`
	OccurredAt     Time      `json:"occurredAt"`
	Payload        Payload   `json:"payload"`
}

// Validate holds the record to contract §5.
func (e *Event) Validate() error {
	v := checker{version: e.SchemaVersion}
	n, err := ParseCursor("cursor", e.Cursor)
	v.add(err)
	v.that("cursor", n > 0, "must be at least 1")
	v.id("actorSessionId", IDSession, e.ActorSessionID)
	v.that("type", slices.Contains(EventTypes(), e.Type), "is not in the vocabulary")
	v.at("occurredAt", e.OccurredAt)
	e.Payload.validate(&v)
	return v.err
}

// validate checks what is there; which parts belong to an event is for its
// type to say.
func (p *Payload) validate(v *checker) {
	optional := func(field string, kind IDKind, id string) {
		if id != "" {
			v.id("payload."+field, kind, id)
		}
	}
	if p.ParticipantID != "" {
		v.participant("payload.participantId", p.ParticipantID)
	}
	optional("sessionId", IDSession, p.SessionID)
	optional("claimId", IDClaim, p.ClaimID)
	optional("messageId", IDMessage, p.MessageID)
	v.that("payload.kind", p.Kind == "" || slices.Contains(MessageKinds(), p.Kind), "is not in the vocabulary")
	v.that("payload.state", p.State == "" || p.State.Rank() >= 0, "is not in the vocabulary")
}

var cursorPattern = regexp.MustCompile(`^[0-9]{16}$`)

// FormatCursor writes an event number as a cursor.
func FormatCursor(n int64) string { return fmt.Sprintf("%016d", n) }

// ParseCursor reads a cursor: exactly 16 digits, all zeros meaning the start.
func ParseCursor(field, s string) (int64, error) {
	if !cursorPattern.MatchString(s) {
		return 0, Fail(ReasonInvalidField, "%s: %q is no event cursor; pass the 16 digits of an earlier answer, "+
			"or \"0000000000000000\" for the start.", field, Visible(s, 40)).With("field", field)
	}
	return strconv.ParseInt(s, 10, 64)
}
