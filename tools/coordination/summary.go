package coordination

import (
	"bytes"

	"acc/fsstore"
	"acc/schema"
)

// Summary is what lists show of a message: never its body.
type Summary struct {
	MessageID         string                 `json:"messageId"`
	ThreadID          string                 `json:"threadId"`
	FromParticipantID string                 `json:"fromParticipantId"`
	FromSessionID     string                 `json:"fromSessionId"`
	Kind              schema.MessageKind     `json:"kind"`
	Obligation        schema.Obligation      `json:"obligation"`
	Subject           string                 `json:"subject"`
	SentAt            schema.Time            `json:"sentAt"`
	InReplyTo         *string                `json:"inReplyTo"`
	BodyBytes         int                    `json:"bodyBytes"`
	ArtifactCount     int                    `json:"artifactCount"`
	Trust             string                 `json:"trust"`
	DecisionStatus    *schema.DecisionStatus `json:"decisionStatus,omitempty"`
}

// untrusted marks every summary: whoever reads it must not obey it.
const untrusted = "untrusted peer content"

func summarise(v *fsstore.View, m *schema.Message) (Summary, error) {
	status, err := statusOf(v, m.MessageID, m.Kind)
	return Summary{
		MessageID: m.MessageID, ThreadID: m.ThreadID, FromParticipantID: m.FromParticipantID, FromSessionID: m.FromSessionID,
		Kind: m.Kind, Obligation: m.Obligation, Subject: schema.CutBytes(m.Subject, schema.MaxSubjectBytes), SentAt: m.SentAt,
		InReplyTo: m.InReplyTo, BodyBytes: len(m.Body), ArtifactCount: len(m.Artifacts), Trust: untrusted, DecisionStatus: status,
	}, err
}

// Limits of a page (contract §8).
const (
	defaultPage  = 20
	maxPageBytes = 12000
)

// page collects items up to a number and up to the bytes of its formatted
// JSON. The envelope is measured with a cursor in it, so that a page that
// turns out to have a successor still fits.
type page[T any] struct {
	items []T
	limit int
	room  int
	more  bool // an item was left out
}

func newPage[T any](limit int, envelope any) (*page[T], error) {
	if limit == 0 {
		limit = defaultPage
	}
	empty, err := schema.Format(envelope)
	// Around the items stand one line break and the indent of the bracket.
	return &page[T]{items: []T{}, limit: limit, room: maxPageBytes - len(empty) - len("\n  ")}, err
}

// add takes an item, or reports that the page is full.
func (p *page[T]) add(item T) (bool, error) {
	text, err := schema.Format(item)
	if err != nil {
		return false, err
	}
	// On the page every line of the item is indented twice, and a comma stands
	// before it.
	size := len(text) + bytes.Count(text, []byte("\n"))*len("    ") + len(",")
	if len(p.items) == p.limit || size > p.room {
		p.more = true
		return false, nil
	}
	p.items, p.room = append(p.items, item), p.room-size
	return true, nil
}

// cursorWidth stands in for a cursor while an envelope is measured.
const cursorWidth = "message_00000000000000000000000000"
