package schema

import "slices"

// MessageKind says what a message is for.
type MessageKind string

// The kinds of message (contract §6).
const (
	Note     MessageKind = "note"
	Question MessageKind = "question"
	Request  MessageKind = "request"
	Answer   MessageKind = "answer"
	Decision MessageKind = "decision"
	Handoff  MessageKind = "handoff"
)

// MessageKinds are all kinds, in the order of the contract.
func MessageKinds() []MessageKind {
	return []MessageKind{Note, Question, Request, Answer, Decision, Handoff}
}

// Obligation says what a recipient owes the sender.
type Obligation string

// The obligations.
const (
	OweNothing     Obligation = "none"
	OweAcknowledge Obligation = "acknowledge"
	OweReply       Obligation = "reply"
)

// Message is one piece of mail. It never changes after it was sent.
type Message struct {
	SchemaVersion     int             `json:"schemaVersion"`
	MessageID         string          `json:"messageId"`
	ThreadID          string          `json:"threadId"`
	ClientMessageID   string          `json:"clientMessageId"`
	WorkspaceID       string          `json:"workspaceId"`
	FromParticipantID string          `json:"fromParticipantId"`
	FromSessionID     string          `json:"fromSessionId"`
	ToParticipantIDs  []string        `json:"toParticipantIds"`
	Kind              MessageKind     `json:"kind" jsonschema:"enum=note,enum=question,enum=request,enum=answer,enum=decision,enum=handoff"`
	Obligation        Obligation      `json:"obligation" jsonschema:"enum=none,enum=acknowledge,enum=reply"`
	Subject           string          `json:"subject"`
	Body              string          `json:"body"`
	InReplyTo         *string         `json:"inReplyTo"`
	Artifacts         []string        `json:"artifacts"`
	Handoff           *HandoffNote    `json:"handoff"`
	DecisionChange    *DecisionChange `json:"decisionChange"`
	SentAt            Time            `json:"sentAt"`
}

// HandoffStatus says how far the work got.
type HandoffStatus string

// HandoffStatuses are the allowed states of a handoff.
func HandoffStatuses() []string { return []string{"complete", "partial", "blocked"} }

// HandoffPartial is the default status of a handoff.
const HandoffPartial HandoffStatus = "partial"

// HandoffNote is what a finished session leaves to whoever goes on.
type HandoffNote struct {
	Status       HandoffStatus `json:"status" jsonschema:"enum=complete,enum=partial,enum=blocked"`
	Completed    []string      `json:"completed"`
	Remaining    []string      `json:"remaining"`
	Blockers     []string      `json:"blockers"`
	Verification []string      `json:"verification"`
	Git          *GitFacts     `json:"git"`
}

// ChangeAction says what a decision does to the ones it names.
type ChangeAction string

// The ways to change a decision.
const (
	Replace  ChangeAction = "replace"
	Withdraw ChangeAction = "withdraw"
)

// DecisionChange links a decision to the decisions it replaces or withdraws.
type DecisionChange struct {
	Action     ChangeAction `json:"action" jsonschema:"enum=replace,enum=withdraw"`
	MessageIDs []string     `json:"messageIds"`
}

// Validate holds the record to contract §5 and §6.
func (m *Message) Validate() error {
	v := checker{version: m.SchemaVersion}
	v.id("messageId", IDMessage, m.MessageID)
	v.id("threadId", IDMessage, m.ThreadID)
	v.line("clientMessageId", m.ClientMessageID, MaxKey)
	v.id("workspaceId", IDWorkspace, m.WorkspaceID)
	v.participant("fromParticipantId", m.FromParticipantID)
	v.id("fromSessionId", IDSession, m.FromSessionID)
	v.recipients("toParticipantIds", m.ToParticipantIDs)
	v.line("subject", m.Subject, MaxLine)
	v.body("body", m.Body)
	if m.InReplyTo != nil {
		v.id("inReplyTo", IDMessage, *m.InReplyTo)
	}
	v.that("threadId", (m.ThreadID == m.MessageID) == (m.InReplyTo == nil), "must be the messageId, except in an answer")
	v.items("artifacts", m.Artifacts)
	v.at("sentAt", m.SentAt)
	m.validateKind(&v)
	return v.err
}

// validateKind holds the parts that belong to one kind only.
func (m *Message) validateKind(v *checker) {
	v.that("obligation", AllowedObligation(m.Kind, m.Obligation, len(m.ToParticipantIDs) > 0),
		"does not fit the kind and the recipients")
	v.that("inReplyTo", (m.InReplyTo != nil) == (m.Kind == Answer), "belongs to an answer")
	v.that("handoff", (m.Handoff != nil) == (m.Kind == Handoff), "belongs to a handoff")
	v.that("decisionChange", m.DecisionChange == nil || m.Kind == Decision, "belongs to a decision")
	if h := m.Handoff; h != nil {
		v.oneOf("handoff.status", string(h.Status), HandoffStatuses()...)
		v.items("handoff.completed", h.Completed)
		v.items("handoff.remaining", h.Remaining)
		v.items("handoff.blockers", h.Blockers)
		v.items("handoff.verification", h.Verification)
		if h.Git != nil {
			v.add(h.Git.Validate())
		}
	}
	if c := m.DecisionChange; c != nil {
		c.validate(v, "decisionChange.")
	}
}

func (c *DecisionChange) validate(v *checker, prefix string) {
	v.oneOf(prefix+"action", string(c.Action), string(Replace), string(Withdraw))
	v.that(prefix+"messageIds", len(c.MessageIDs) > 0 && len(c.MessageIDs) <= MaxDecisionRefs && unique(c.MessageIDs),
		"must hold 1 to 16 different ids")
	for _, id := range c.MessageIDs {
		v.id(prefix+"messageIds", IDMessage, id)
	}
}

// AllowedObligation is the table of contract §6: which obligation a kind may
// carry, addressed to somebody or to the room.
func AllowedObligation(kind MessageKind, o Obligation, addressed bool) bool {
	switch kind {
	case Note:
		return o == OweNothing
	case Question, Request:
		return addressed && o == OweReply
	case Answer:
		return addressed && o == OweNothing
	case Decision:
		return o == OweNothing || addressed && o == OweAcknowledge
	case Handoff:
		return o == OweAcknowledge && addressed || o == OweNothing && !addressed
	}
	return false
}

// DefaultObligation is the obligation of a kind when the sender names none.
func DefaultObligation(kind MessageKind, addressed bool) Obligation {
	switch {
	case kind == Question || kind == Request:
		return OweReply
	case kind == Handoff && addressed:
		return OweAcknowledge
	}
	return OweNothing
}

func unique(items []string) bool {
	sorted := slices.Sorted(slices.Values(items))
	return len(slices.Compact(sorted)) == len(items)
}

// Key files a message under the idempotency key its sender chose.
type Key struct {
	SchemaVersion   int    `json:"schemaVersion"`
	ClientMessageID string `json:"clientMessageId"`
	MessageID       string `json:"messageId"`
}

// Validate holds the record to contract §6.
func (k *Key) Validate() error {
	v := checker{version: k.SchemaVersion}
	v.line("clientMessageId", k.ClientMessageID, MaxKey)
	v.id("messageId", IDMessage, k.MessageID)
	return v.err
}
