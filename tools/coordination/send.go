package coordination

import (
	"errors"
	"io/fs"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// draft is a message before it has an id. Recipients are resolved.
type draft struct {
	to         []string
	kind       schema.MessageKind
	obligation schema.Obligation
	subject    string
	body       string
	key        string // the sender's idempotency key, "" when it gave none
	replyTo    *schema.Message
	handoff    *schema.HandoffNote
	change     *schema.DecisionChange
	receipts   []string // who gets a receipt, when that is more than to
}

// keyed finds the message that the sender filed under the key of a draft. Nil
// means that the key is free. The same key with other content is refused:
// quietly sending or quietly dropping it would both be wrong.
func keyed(v *fsstore.View, me schema.Session, d draft) (*schema.Message, error) {
	if d.key == "" {
		return nil, nil
	}
	m, err := v.KeyedMessage(me.ParticipantID, d.key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !sameContent(&m, d) {
		return nil, keyReused(&m)
	}
	return &m, nil
}

func keyReused(m *schema.Message) error {
	return schema.Fail(schema.ReasonKeyReused,
		"clientMessageId was already used for %s with other content; repeat that call exactly, or choose a new key.", m.MessageID).
		With("messageId", m.MessageID)
}

// sameContent compares what a sender means, not what the room added: ids,
// times and the state of the code are left out.
func sameContent(m *schema.Message, d draft) bool {
	return m.Kind == d.kind && m.Obligation == d.obligation && m.Subject == d.subject && m.Body == d.body &&
		slices.Equal(m.ToParticipantIDs, d.to) && replyID(m.InReplyTo) == replyOf(d.replyTo) &&
		sameHandoff(m.Handoff, d.handoff) && sameChange(m.DecisionChange, d.change)
}

func replyID(id *string) string {
	if id == nil {
		return ""
	}
	return *id
}

func replyOf(m *schema.Message) string {
	if m == nil {
		return ""
	}
	return m.MessageID
}

func sameHandoff(a, b *schema.HandoffNote) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Status == b.Status && slices.Equal(a.Completed, b.Completed) &&
		slices.Equal(a.Remaining, b.Remaining) && slices.Equal(a.Blockers, b.Blockers)
}

func sameChange(a, b *schema.DecisionChange) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Action == b.Action && slices.Equal(a.MessageIDs, b.MessageIDs)
}

// send writes the message, a receipt for each recipient and the event, and
// lets what goes with the code appear in the caller's checkout.
func (r *Room) send(tx *fsstore.Tx, me schema.Session, d draft) (*schema.Message, error) {
	m, err := d.message(tx, me)
	if err != nil {
		return nil, err
	}
	if err := tx.AddMessage(m); err != nil {
		return nil, err
	}
	if err := tx.Publish(m, r.cfg.Workspace); err != nil {
		return nil, err
	}
	for _, recipient := range slices.Concat(d.to, d.receipts) {
		receipt := &schema.Receipt{
			SchemaVersion: schema.Version, MessageID: m.MessageID, RecipientParticipantID: recipient,
			State: schema.Queued, UpdatedAt: m.SentAt,
		}
		if err := tx.PutReceipt(m, "", receipt); err != nil {
			return nil, err
		}
	}
	return m, tx.Event(schema.EventMessageSent, me.SessionID, schema.Payload{MessageID: m.MessageID, Kind: m.Kind})
}

// message makes the record. It is sent at the time its id carries, so that
// the order of times and of ids is one, whatever the clock does.
func (d draft) message(tx *fsstore.Tx, me schema.Session) (*schema.Message, error) {
	id, err := tx.NewID(schema.IDMessage)
	if err != nil {
		return nil, err
	}
	m := &schema.Message{
		SchemaVersion: schema.Version, MessageID: id, ThreadID: id, ClientMessageID: d.key,
		WorkspaceID: tx.Workspace().WorkspaceID, FromParticipantID: me.ParticipantID, FromSessionID: me.SessionID,
		ToParticipantIDs: d.to, Kind: d.kind, Obligation: d.obligation, Subject: d.subject, Body: d.body,
		Artifacts: []string{}, Handoff: d.handoff, DecisionChange: d.change, SentAt: schema.At(schema.IDTime(id)),
	}
	if d.key == "" {
		m.ClientMessageID = fsstore.GeneratedKey(id)
	}
	if d.replyTo != nil {
		m.ThreadID, m.InReplyTo = d.replyTo.ThreadID, &d.replyTo.MessageID
	}
	return m, nil
}
