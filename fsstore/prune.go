package fsstore

import (
	"errors"
	"io/fs"
	"path"

	"acc/schema"
)

// KeptFor lists the sessions that expired claims are kept for.
func (v *View) KeptFor() ([]string, error) {
	entries, err := v.list(expiredDir)
	if err != nil {
		return nil, err
	}
	var sessions []string
	for _, e := range entries {
		if e.IsDir() && schema.ValidID(schema.IDSession, e.Name()) {
			sessions = append(sessions, e.Name())
		}
	}
	return sessions, nil
}

// DeleteSession takes a session away, with its secret.
func (tx *Tx) DeleteSession(id string) {
	tx.removeIfThere(sessionName(id))
	tx.removeIfThere(closedName(id))
}

// DeleteParticipant makes a participant unknown.
func (tx *Tx) DeleteParticipant(id string) { tx.removeIfThere(participantName(id)) }

// DeleteMessage takes a message away, with its receipts and its key.
func (tx *Tx) DeleteMessage(m *schema.Message, receipts []Holding) {
	if !tx.removeIfThere(messageName(m.MessageID, m.Kind)) {
		return
	}
	tx.next.Messages--
	for _, h := range receipts {
		tx.removeIfThere(h.name())
	}
	var k schema.Key
	name := keyName(m.FromParticipantID, m.ClientMessageID)
	if m.ClientMessageID != GeneratedKey(m.MessageID) && tx.load(name, &k) == nil && k.MessageID == m.MessageID {
		tx.remove(name)
	}
}

// ForgetPresence removes a sign of life that says nothing any more.
func (s *Store) ForgetPresence(p *schema.Presence) error {
	err := s.disk.Remove(presenceName(p.SessionID, p.PID))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("remove a sign of life", err)
	}
	return nil
}

// ForgetPair removes the saved pair of a session that is gone.
func (s *Store) ForgetPair(participant, sessionID string) {
	var p schema.SavedPair
	name := savedName(participant)
	if data, err := s.disk.Read(name); err == nil && schema.Decode(data, &p) == nil && p.SessionID == sessionID {
		_ = s.disk.Remove(name)
	}
}

// Reached is the number of the last event, those of this transaction included.
func (tx *Tx) Reached() int64 { return tx.next.Cursor }

// grouped are the directories that hold one directory for each day, session
// or participant.
var grouped = []string{messagesDir, inboxDir, receiptsDir, expiredDir, keysDir}

// Tidy removes the empty directories that deleting left behind. It runs under
// the exclusive lock, so that nobody is about to put something there.
func (tx *Tx) Tidy() error {
	for _, dir := range grouped {
		entries, err := tx.list(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if !e.IsDir() {
				continue
			}
			if inside, err := tx.store.disk.List(name); err == nil && len(inside) == 0 {
				_ = tx.store.disk.Remove(name)
			}
		}
	}
	return nil
}
