package fsstore

import (
	"path"
	"slices"
	"sync"

	"acc/schema"
)

// sessionOwners remembers whose session an id is. No session changes hands, so
// each record is read once a process to know that it is somebody else's.
type sessionOwners struct {
	mu sync.Mutex
	of map[string]string // participant by session
}

// mostOwners bounds the memory of the cache.
const mostOwners = 4096

func (o *sessionOwners) known(session string) (participant string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	participant, ok = o.of[session]
	return participant, ok
}

func (o *sessionOwners) note(s schema.Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil || len(o.of) >= mostOwners {
		o.of = map[string]string{}
	}
	o.of[s.SessionID] = s.ParticipantID
}

// SessionsOf lists the sessions of some participants as Sessions lists those
// of all. Its cost grows with how many sessions these have: of the others only
// the names are read.
func (v *View) SessionsOf(participants ...string) ([]schema.Session, error) {
	names, err := v.names(sessionsDir, parsesAs(schema.IDSession))
	if err != nil {
		return nil, err
	}
	var sessions []schema.Session
	for _, base := range names {
		id, _ := parseID(schema.IDSession, base)
		if owner, known := v.store.owners.known(id); known && !slices.Contains(participants, owner) {
			continue
		}
		var s schema.Session
		if v.load(path.Join(sessionsDir, base), &s) != nil {
			continue
		}
		v.store.owners.note(s)
		if slices.Contains(participants, s.ParticipantID) {
			sessions = append(sessions, s)
		}
	}
	return sessions, nil
}
