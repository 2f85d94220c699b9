package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"acc/schema"
)

// A batch of imports is one transaction: large enough to be quick, small
// enough not to keep others waiting.
const (
	importBatch      = 64
	importBatchBytes = 512 << 10
)

// takeIn records arrivals, batch by batch.
func (s *Store) takeIn(ctx context.Context, found []arrival) (imported int, err error) {
	for len(found) > 0 {
		n, size := 0, 0
		for n < len(found) && n < importBatch && (n == 0 || size+len(found[n].data) <= importBatchBytes) {
			size += len(found[n].data)
			n++
		}
		count := 0
		err := s.commit(ctx, func(tx *Tx) (err error) {
			count, err = tx.takeIn(found[:n])
			return err
		})
		if err != nil {
			return imported, err
		}
		imported, found = imported+count, found[n:]
	}
	return imported, nil
}

func (tx *Tx) takeIn(batch []arrival) (count int, err error) {
	for i := range batch {
		a := &batch[i]
		if i > 0 && batch[i-1].message.MessageID == a.message.MessageID {
			continue // it lies in several checkouts; the next look compares them
		}
		known, err := tx.store.messageTaken(a.message.MessageID)
		if err != nil {
			return count, err
		}
		if known {
			continue // another process was first; the next look compares the two
		}
		if err := tx.addImported(a); err != nil {
			return count, err
		}
		count++
	}
	if count > 0 {
		// Whoever published these has seen to .gitattributes.
		_, err = tx.markAttributes()
	}
	return count, err
}

// messageTaken reports whether a name of that message stands for anything,
// whatever its kind.
func (s *Store) messageTaken(id string) (bool, error) {
	for _, kind := range schema.MessageKinds() {
		if there, err := taken(s.disk, messageName(id, kind)); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// addImported records one message of another room. It is filed under no key:
// an idempotency key speaks of one room. The event names the session of its
// author, who may be nobody here.
func (tx *Tx) addImported(a *arrival) error {
	m := &a.message
	tx.putData(messageName(m.MessageID, m.Kind), a.data)
	tx.next.Messages++
	tx.next.LastID = laterID(tx.next.LastID, m.MessageID, tx.now)
	if m.Kind == schema.Decision {
		if err := tx.addDecision(m); err != nil {
			return err
		}
		if err := tx.relink(m.MessageID); err != nil {
			return err
		}
		tx.imported = append(tx.imported, m)
	}
	for _, to := range m.ToParticipantIDs {
		switch _, err := tx.Participant(to); {
		case errors.Is(err, fs.ErrNotExist) || schema.HasReason(err, schema.ReasonRecordDamaged):
			continue
		case err != nil:
			return err
		}
		if err := tx.queueImported(m, to); err != nil {
			return err
		}
	}
	return tx.Event(schema.EventMessageImported, m.FromSessionID, schema.Payload{MessageID: m.MessageID, Kind: m.Kind})
}

// queueImported gives the addressee of a message of another room a receipt,
// unless there is one.
func (tx *Tx) queueImported(m *schema.Message, to string) error {
	if _, err := tx.Receipt(to, m); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return tx.PutReceipt(m, "", &schema.Receipt{
		SchemaVersion: schema.Version, MessageID: m.MessageID, RecipientParticipantID: to,
		State: schema.Queued, UpdatedAt: schema.At(tx.now),
	})
}

// DeliverImported queues for a participant who is new here what was addressed
// to it and came with the code before: a handoff to bob waits for bob in every
// clone. It looks at every handoff and decision, once in a participant's life.
func (tx *Tx) DeliverImported(participant string) error {
	for ref, err := range tx.History("") {
		if err != nil {
			return err
		}
		if publishedName(ref.MessageID, ref.Kind) == "" {
			continue
		}
		m, err := tx.MessageByRef(ref)
		if err != nil || !slices.Contains(m.ToParticipantIDs, participant) {
			continue
		}
		if err := tx.queueImported(&m, participant); err != nil {
			return err
		}
	}
	return nil
}

// maxAhead is how far in the future an imported id may lie and still move the
// ids of this room. One far ahead, by accident or on purpose, would give every
// later message a false time.
const maxAhead = 24 * time.Hour

// laterID is the later one of the last id given out and a message's.
func laterID(last, messageID string, now time.Time) string {
	if schema.IDTime(messageID).Sub(now) > maxAhead {
		return last
	}
	return max(last, schema.IDSuffix(messageID))
}
