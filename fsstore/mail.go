package fsstore

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"acc/schema"
)

// Message returns a message by id, or fs.ErrNotExist. The id must be valid;
// the kind, which is part of the name, is found by trying the six there are.
func (v *View) Message(id string) (schema.Message, error) {
	var m schema.Message
	for _, kind := range schema.MessageKinds() {
		err := v.load(messageName(id, kind), &m)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && (m.MessageID != id || m.Kind != kind) {
			err = schema.Fail(schema.ReasonRecordDamaged, "the record %s is damaged: it holds another message.", id)
		}
		return m, err
	}
	return m, fs.ErrNotExist
}

// MessageByRef returns a message whose kind is known.
func (v *View) MessageByRef(ref MessageRef) (schema.Message, error) {
	var m schema.Message
	err := v.load(messageName(ref.MessageID, ref.Kind), &m)
	return m, err
}

// History yields the messages before an id, newest first; from "" it starts
// with the newest. It lists one day at a time and opens no message.
func (v *View) History(before string) iter.Seq2[MessageRef, error] {
	return func(yield func(MessageRef, error) bool) {
		days, err := v.days(before)
		if err != nil {
			yield(MessageRef{}, err)
			return
		}
		for _, day := range slices.Backward(days) {
			names, err := v.names(path.Join(messagesDir, day), func(base string) bool {
				_, ok := parseMessage(base)
				return ok
			})
			if err != nil {
				yield(MessageRef{}, err)
				return
			}
			for _, base := range slices.Backward(names) {
				ref, _ := parseMessage(base)
				if before != "" && ref.MessageID >= before {
					continue
				}
				if !yield(ref, nil) {
					return
				}
			}
		}
	}
}

// days are the folders up to the one that holds an id, oldest first.
func (v *View) days(before string) ([]string, error) {
	entries, err := v.store.disk.List(messagesDir)
	if err != nil {
		return nil, ioError("read the room", err)
	}
	var days []string
	for _, e := range entries {
		if e.IsDir() && (before == "" || e.Name() <= dayName(before)) {
			days = append(days, e.Name())
		}
	}
	return days, nil
}

// Inbox lists the open receipts of a participant, oldest first, by name only.
func (v *View) Inbox(participant string) ([]InboxEntry, error) {
	names, err := v.names(path.Join(inboxDir, participant), func(base string) bool {
		_, ok := parseInbox(base)
		return ok
	})
	entries := make([]InboxEntry, len(names))
	for i, base := range names {
		entries[i], _ = parseInbox(base)
	}
	return entries, err
}

// Receipt returns what is known of a message at a recipient, open or settled,
// or fs.ErrNotExist when the message was never addressed to it.
func (v *View) Receipt(participant string, m *schema.Message) (schema.Receipt, error) {
	for _, state := range schema.ReceiptStates() {
		e := InboxEntry{m.MessageID, m.Kind, m.Obligation, state}
		r, err := v.receipt(e.name(participant), participant, m.MessageID)
		if !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	return v.receipt(receiptName(participant, m.MessageID), participant, m.MessageID)
}

// OpenReceipt returns the receipt of an inbox entry.
func (v *View) OpenReceipt(participant string, e InboxEntry) (schema.Receipt, error) {
	return v.receipt(e.name(participant), participant, e.MessageID)
}

func (v *View) receipt(name, participant, messageID string) (schema.Receipt, error) {
	var r schema.Receipt
	err := v.load(name, &r)
	if err == nil && (r.MessageID != messageID || r.RecipientParticipantID != participant) {
		err = schema.Fail(schema.ReasonRecordDamaged, "the receipt %s is damaged: it belongs elsewhere.", path.Base(name))
		v.store.damage.report(name, err)
	}
	return r, err
}

// KeyedMessage returns the message that a participant sent under an
// idempotency key, or fs.ErrNotExist.
func (v *View) KeyedMessage(participant, key string) (schema.Message, error) {
	if id, ok := generatedKeyMessage(key); ok {
		m, err := v.Message(id)
		if err == nil && m.FromParticipantID == participant && m.ClientMessageID == key {
			return m, nil
		}
	}
	var k schema.Key
	if err := v.load(keyName(participant, key), &k); err != nil {
		return schema.Message{}, err
	}
	return v.Message(k.MessageID)
}

// generatedKey starts the key of a message whose sender gave none. Such a key
// names its message, so it needs no index.
const generatedKey = "auto_"

// GeneratedKey is the key of a message whose sender gave none.
func GeneratedKey(messageID string) string { return generatedKey + schema.IDSuffix(messageID) }

func generatedKeyMessage(key string) (messageID string, ok bool) {
	suffix, ok := strings.CutPrefix(key, generatedKey)
	id := string(schema.IDMessage) + "_" + suffix
	return id, ok && schema.ValidID(schema.IDMessage, id)
}

// AddMessage writes a new message and files it under its key.
func (tx *Tx) AddMessage(m *schema.Message) error {
	if err := tx.put(messageName(m.MessageID, m.Kind), m); err != nil {
		return err
	}
	tx.next.Messages++
	if m.Kind == schema.Decision {
		if err := tx.addDecision(m); err != nil {
			return err
		}
	}
	if m.ClientMessageID == GeneratedKey(m.MessageID) {
		return nil
	}
	return tx.put(keyName(m.FromParticipantID, m.ClientMessageID), keyOf(m))
}

func keyOf(m *schema.Message) *schema.Key {
	return &schema.Key{SchemaVersion: schema.Version, ClientMessageID: m.ClientMessageID, MessageID: m.MessageID}
}

// PutReceipt moves the receipt of a message from one state to its new one: in
// the inbox while it is pending, under receipts/ once it is settled. was is
// the state on disk, "" for a new receipt.
func (tx *Tx) PutReceipt(m *schema.Message, was schema.ReceiptState, r *schema.Receipt) error {
	place := func(state schema.ReceiptState) string {
		if state.Pending(m.Obligation) {
			return InboxEntry{m.MessageID, m.Kind, m.Obligation, state}.name(r.RecipientParticipantID)
		}
		return receiptName(r.RecipientParticipantID, m.MessageID)
	}
	if was != "" && place(was) != place(r.State) {
		tx.remove(place(was))
	}
	return tx.put(place(r.State), r)
}

// Receipts lists every receipt of a participant, settled ones too. It grows
// with history and is for forensics.
func (v *View) Receipts(participant string) ([]schema.Receipt, error) {
	settled, err := loadAll[schema.Receipt](v, path.Join(receiptsDir, participant), parsesAs(schema.IDMessage))
	if err != nil {
		return nil, err
	}
	open, err := loadAll[schema.Receipt](v, path.Join(inboxDir, participant), func(base string) bool {
		_, ok := parseInbox(base)
		return ok
	})
	return append(settled, open...), err
}
