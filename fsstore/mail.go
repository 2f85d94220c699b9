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

// Message returns a message by id, or fs.ErrNotExist. The kind, which is part
// of the name, is found by trying the six there are.
func (v *View) Message(id string) (schema.Message, error) {
	for _, kind := range schema.MessageKinds() {
		m, err := v.MessageByRef(MessageRef{MessageID: id, Kind: kind})
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	return schema.Message{}, fs.ErrNotExist
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
				ref, ok := parseMessage(base)
				return ok && dayName(ref.MessageID) == day
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
	entries, err := v.list(messagesDir)
	if err != nil {
		return nil, err
	}
	var days []string
	for _, e := range entries {
		switch {
		case !e.IsDir():
			v.store.damage.report(path.Join(messagesDir, e.Name()), errNotDirectory)
		case before == "" || e.Name() <= dayName(before):
			days = append(days, e.Name())
		}
	}
	return days, nil
}

// Inbox lists the open receipts of a participant, oldest first, by name only.
func (v *View) Inbox(participant string) ([]InboxEntry, error) {
	names, err := v.names(inboxFolder(participant), func(base string) bool {
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
		if !state.Pending(m.Obligation) {
			continue
		}
		e := InboxEntry{m.MessageID, m.Kind, m.Obligation, state}
		r, err := v.OpenReceipt(participant, e)
		if !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	var r schema.Receipt
	err := v.load(receiptName(participant, m.MessageID), &r)
	return r, err
}

// OpenReceipt returns the receipt of an inbox entry.
func (v *View) OpenReceipt(participant string, e InboxEntry) (schema.Receipt, error) {
	var r schema.Receipt
	err := v.load(e.name(participant), &r)
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
	name := keyName(participant, key)
	if err := v.load(name, &k); err != nil {
		return schema.Message{}, err
	}
	m, err := v.Message(k.MessageID)
	if err == nil && (m.FromParticipantID != participant || m.ClientMessageID != key) {
		err = schema.Fail(schema.ReasonRecordDamaged,
			"the index entry of this clientMessageId is damaged; remove .acc/index/ and it is made again, or choose another key.")
		v.store.damage.report(name, err)
	}
	return m, err
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
	settled, err := loadAll[schema.Receipt](v, receiptFolder(participant), parsesAs(schema.IDMessage))
	if err != nil {
		return nil, err
	}
	open, err := loadAll[schema.Receipt](v, inboxFolder(participant), func(base string) bool {
		_, ok := parseInbox(base)
		return ok
	})
	return append(settled, open...), err
}
