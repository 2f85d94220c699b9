package schema

import "slices"

// ReceiptState is how far a message got with one recipient. States only move
// forward.
type ReceiptState string

// The states of a receipt, in order (contract §7).
const (
	Queued       ReceiptState = "queued"       // written with the message
	Offered      ReceiptState = "offered"      // a transport accepted the bytes
	Retrieved    ReceiptState = "retrieved"    // the recipient read it by id
	Acknowledged ReceiptState = "acknowledged" // the recipient replied or acknowledged
)

// ReceiptStates are all states in order.
func ReceiptStates() []ReceiptState {
	return []ReceiptState{Queued, Offered, Retrieved, Acknowledged}
}

// Rank orders states; an unknown one is -1.
func (s ReceiptState) Rank() int {
	for i, known := range ReceiptStates() {
		if s == known {
			return i
		}
	}
	return -1
}

// Offer records how a message was handed to a client.
type Offer struct {
	Transport string `json:"transport"`
	At        Time   `json:"at"`
}

// Receipt is what is known of one message at one recipient.
type Receipt struct {
	SchemaVersion          int          `json:"schemaVersion"`
	MessageID              string       `json:"messageId"`
	RecipientParticipantID string       `json:"recipientParticipantId"`
	State                  ReceiptState `json:"state" jsonschema:"enum=queued,enum=offered,enum=retrieved,enum=acknowledged"`
	UpdatedAt              Time         `json:"updatedAt"`
	Offered                *Offer       `json:"offered"`
	Attempt                *Attempt     `json:"attempt,omitempty"` // the last attempt that failed, while none succeeded
}

// Validate holds the record to contract §5.
func (r *Receipt) Validate() error {
	v := checker{version: r.SchemaVersion}
	v.id("messageId", IDMessage, r.MessageID)
	v.participant("recipientParticipantId", r.RecipientParticipantID)
	v.that("state", r.State.Rank() >= 0, "is not in the vocabulary")
	v.at("updatedAt", r.UpdatedAt)
	if r.Offered != nil {
		v.line("offered.transport", r.Offered.Transport, MaxLine)
		v.at("offered.at", r.Offered.At)
	}
	if a := r.Attempt; a != nil {
		v.line("attempt.transport", a.Transport, MaxLine)
		v.at("attempt.at", a.At)
		v.that("attempt.errorCode", slices.Contains(DeliveryErrors(), a.ErrorCode), "is not in the vocabulary")
	}
	return v.err
}

// Pending reports whether a message with this obligation still belongs into
// the recipient's inbox: not read yet, or read and still owed an answer.
func (s ReceiptState) Pending(o Obligation) bool {
	return s == Queued || s == Offered || s == Retrieved && o != OweNothing
}
