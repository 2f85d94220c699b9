package fsstore

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"acc/schema"
)

// Participant returns a known participant, or fs.ErrNotExist.
func (v *View) Participant(id string) (schema.Participant, error) {
	var p schema.Participant
	err := v.load(participantName(id), &p)
	if err == nil && p.ParticipantID != id {
		err = fs.ErrNotExist // a file system that folds case found another one
	}
	return p, err
}

// Participants lists everybody known, sorted by id.
func (v *View) Participants() ([]schema.Participant, error) {
	return loadAll[schema.Participant](v, participantsDir, func(base string) bool {
		_, ok := parseParticipant(base)
		return ok
	})
}

// Session returns a session, open or closed, or fs.ErrNotExist.
func (v *View) Session(id string) (schema.Session, error) {
	var s schema.Session
	err := v.load(sessionName(id), &s)
	if errors.Is(err, fs.ErrNotExist) {
		err = v.load(closedName(id), &s)
	}
	return s, err
}

// Sessions lists, in the order in which they were opened, every open session
// and the last closed one of each participant. Older ones are in ClosedSessions.
func (v *View) Sessions() ([]schema.Session, error) {
	return loadAll[schema.Session](v, sessionsDir, parsesAs(schema.IDSession))
}

// ClosedSessions lists the sessions that later ones of the same participant
// replaced. It grows with history and is for forensics.
func (v *View) ClosedSessions() ([]schema.Session, error) {
	return loadAll[schema.Session](v, closedDir, parsesAs(schema.IDSession))
}

// Intents lists what sessions announced, by session.
func (v *View) Intents() (map[string]schema.Intent, error) {
	intents, err := loadAll[schema.Intent](v, intentsDir, parsesAs(schema.IDSession))
	bySession := make(map[string]schema.Intent, len(intents))
	for _, i := range intents {
		bySession[i.SessionID] = i
	}
	return bySession, err
}

// Presence returns the signs of life of all sessions, or of the named ones
// alone. A torn file is no sign.
func (v *View) Presence(sessions ...string) (map[string][]schema.Presence, error) {
	names, err := v.names(presenceDir, func(base string) bool {
		_, _, ok := parsePresence(base)
		return ok
	})
	if err != nil {
		return nil, err
	}
	signs := map[string][]schema.Presence{}
	for _, base := range names {
		if id, _, _ := parsePresence(base); len(sessions) > 0 && !slices.Contains(sessions, id) {
			continue
		}
		var p schema.Presence
		name := path.Join(presenceDir, base)
		data, err := v.read(name)
		if err == nil && schema.Decode(data, &p) == nil && belongs(name, &p) {
			signs[p.SessionID] = append(signs[p.SessionID], p)
		}
	}
	return signs, nil
}

// Heartbeat records that this process served a call of the session. It is
// not durable and needs no lock: every process has a file of its own. It
// fails with ErrNoRoom when the room was removed.
func (s *Store) Heartbeat(sessionID string) error {
	p := s.env.Process
	data, err := schema.Encode(&schema.Presence{
		SchemaVersion: schema.Version, SessionID: sessionID, Host: p.Host, PID: p.PID, ProcessStart: p.Start,
		HeartbeatAt: schema.At(s.env.Now()),
	})
	if err != nil {
		return err
	}
	if err := s.place(presenceName(sessionID, p.PID), data); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrNoRoom
		}
		return ioError("record presence", err)
	}
	return nil
}

// place writes a file that nobody has to find after a power cut.
func (s *Store) place(name string, data []byte) error {
	// The directory of temporary files is not made: without it the room is gone.
	temp := s.tempName()
	if err := s.disk.Create(temp, data, perm(name)); err != nil {
		return err
	}
	err := s.disk.Rename(temp, name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeDir(name); err == nil {
			err = s.disk.Rename(temp, name)
		}
	}
	if err != nil {
		_ = s.disk.Remove(temp)
	}
	return err
}

// Leave removes this process's sign of life of the session.
func (s *Store) Leave(sessionID string) {
	_ = s.disk.Remove(presenceName(sessionID, s.env.Process.PID))
}

// PutParticipant makes a participant known.
func (tx *Tx) PutParticipant(p *schema.Participant) error {
	return tx.put(participantName(p.ParticipantID), p)
}

// PutSession writes a session.
func (tx *Tx) PutSession(s *schema.Session) error { return tx.put(sessionName(s.SessionID), s) }

// RetireSession moves a closed session that another one replaces out of the
// way, so that listing sessions does not grow with history.
func (tx *Tx) RetireSession(s *schema.Session) error {
	tx.remove(sessionName(s.SessionID))
	return tx.put(closedName(s.SessionID), s)
}

// PutIntent announces what a session does.
func (tx *Tx) PutIntent(i *schema.Intent) error { return tx.put(intentName(i.SessionID), i) }

// DeleteIntent takes the announcement back; false when there was none.
func (tx *Tx) DeleteIntent(sessionID string) bool { return tx.removeIfThere(intentName(sessionID)) }
