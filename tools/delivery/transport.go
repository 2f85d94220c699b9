package delivery

import (
	"context"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

// Transport hands a message to something outside.
type Transport interface {
	// Name is how receipts call it: a word of lower-case letters.
	Name() string
	// Label is how it is called before a person.
	Label() string
	// Offer hands one message over. "" says that it was accepted; what was not
	// accepted before ctx ended is TransportError.
	Offer(ctx context.Context, l coordination.Letter) schema.DeliveryError
}

// Outcome is what came of one offer, as one line of JSON says it.
type Outcome struct {
	Type      string               `json:"type"` // offered or refused
	MessageID string               `json:"messageId"`
	From      string               `json:"fromParticipantId"`
	Kind      schema.MessageKind   `json:"kind"`
	SessionID string               `json:"sessionId"`
	Transport string               `json:"transport"`
	ErrorCode schema.DeliveryError `json:"errorCode,omitempty"`
	RetryInMs int64                `json:"retryInMs,omitempty"`
	At        schema.Time          `json:"at"`
}

// RetryIn is how long the message waits before it is offered again.
func (o Outcome) RetryIn() time.Duration { return time.Duration(o.RetryInMs) * time.Millisecond }

// Report takes what an adapter has to say.
type Report interface {
	// Outcome is told of every offer, once it is recorded.
	Outcome(Outcome)
	// Note is told, in a sentence, when the state of the adapter changes.
	Note(text string)
}
