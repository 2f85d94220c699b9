package schema

// DecisionState is where a decision stands among those it is linked to.
type DecisionState string

// The states of a decision (contract §10).
const (
	DecisionCurrent    DecisionState = "current"
	DecisionWithdrawn  DecisionState = "withdrawn"
	DecisionSuperseded DecisionState = "superseded"
)

// DecisionStatus is derived from the graph of decisions and never stored. A
// head has no successor; several heads are a conflict that only people settle.
type DecisionStatus struct {
	State            DecisionState `json:"state"`
	IsHead           bool          `json:"isHead"`
	Conflicted       bool          `json:"conflicted"`
	HeadCount        int           `json:"headCount"`
	CurrentMessageID *string       `json:"currentMessageId"` // the only head, null when there are several
	GroupID          string        `json:"groupId"`          // the smallest id among the group's roots
}

// DecisionLink is one line of the decisions index: a decision and the ones it
// changes.
type DecisionLink struct {
	SchemaVersion int          `json:"schemaVersion"`
	MessageID     string       `json:"messageId"`
	Action        ChangeAction `json:"action,omitempty"`
	MessageIDs    []string     `json:"messageIds,omitempty"`
}

// Validate holds the line to contract §10.
func (l *DecisionLink) Validate() error {
	v := checker{version: l.SchemaVersion}
	v.id("messageId", IDMessage, l.MessageID)
	v.that("action", (l.Action != "") == (len(l.MessageIDs) > 0), "stands with messageIds or not at all")
	if l.Action != "" {
		(&DecisionChange{l.Action, l.MessageIDs}).validate(&v, "")
	}
	return v.err
}
