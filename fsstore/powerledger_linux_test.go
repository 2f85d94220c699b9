//go:build powercut

package fsstore

import (
	"bytes"
	"errors"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/schema"
)

// ledger is what the processes of a room were promised.
type ledger struct {
	mu       sync.Mutex
	changed  *sync.Cond
	heard    map[happening]int // lines of each kind since the room was last checked
	acks     int
	room     string
	messages map[string]bool
	keys     map[string]promisedKey
	settled  map[string]string // a message to who acknowledged it
	sessions map[string]*promisedSession
}

type promisedKey struct{ participant, message string }

// promisedSession is a session and what it holds until it ends.
type promisedSession struct {
	finishing bool // it may have ended
	handoff   string
	claims    map[string]time.Time // at least until when
}

func newLedger() *ledger {
	l := &ledger{
		heard: map[happening]int{}, messages: map[string]bool{}, keys: map[string]promisedKey{},
		settled: map[string]string{}, sessions: map[string]*promisedSession{},
	}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// enter takes a line of a child down.
func (l *ledger) enter(line said) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard[line.What]++
	if line.Room != "" && l.room == "" {
		l.room = line.Room
	}
	for _, id := range line.Messages {
		l.messages[id] = true
	}
	for key, id := range line.Keys {
		l.keys[key] = promisedKey{line.Participant, id}
	}
	if line.Settled != "" {
		l.settled[line.Settled] = line.Participant
	}
	l.enterSession(line)
	l.changed.Broadcast()
}

func (l *ledger) enterSession(line said) {
	s := l.sessions[line.Session]
	switch line.What {
	case joined:
		s = &promisedSession{claims: map[string]time.Time{}}
		l.sessions[line.Session] = s
	case finishing:
		s.finishing = true
		return
	case finished:
		s.handoff = line.Handoff
	case did:
	default:
		return // no promise
	}
	l.acks++
	for _, id := range line.Claims {
		s.claims[id] = line.Until
	}
}

// check holds an open room to what was promised.
func (l *ledger) check(t testing.TB, s *Store) {
	t.Helper()
	if got := s.workspace.WorkspaceID; l.room != "" && l.room != got {
		t.Fatalf("the room %s is gone, another one was made: %s", l.room, got)
	}
	view(t, s, func(v *View) error {
		checkWhole(t, v)
		_, err := v.Presence()
		return errors.Join(err, l.checkMessages(t, v), l.checkSessions(t, v), checkDecisions(t, v))
	})
}

func (l *ledger) checkMessages(t testing.TB, v *View) error {
	for id := range l.messages {
		if _, err := v.Message(id); err != nil {
			t.Errorf("%s was acknowledged: %v", id, err)
		}
	}
	for key, p := range l.keys {
		if m, err := v.KeyedMessage(p.participant, key); err != nil || m.MessageID != p.message {
			t.Errorf("the key %s of %s: %v", key, p.message, err)
		}
	}
	for id, who := range l.settled {
		m, err := v.Message(id)
		if err != nil {
			return err
		}
		if r, err := v.Receipt(who, &m); err != nil || r.State != schema.Acknowledged {
			t.Errorf("%s acknowledged %s, its receipt says %q: %v", who, id, r.State, err)
		}
	}
	return nil
}

func (l *ledger) checkSessions(t testing.TB, v *View) error {
	claims, err := v.Claims()
	if err != nil {
		return err
	}
	held := map[string]map[string]schema.Claim{}
	for _, c := range claims {
		if held[c.OwnerSessionID] == nil {
			held[c.OwnerSessionID] = map[string]schema.Claim{}
		}
		held[c.OwnerSessionID][c.ClaimID] = c
	}
	for id, s := range l.sessions {
		record, err := v.Session(id)
		if err != nil {
			t.Errorf("the session %s: %v", id, err)
			continue
		}
		s.check(t, v, record, held[id])
	}
	return nil
}

// check holds a session to all or nothing: it is closed, and holds no claim
// and left a handoff, or it is open and holds whole batches of claims.
func (p *promisedSession) check(t testing.TB, v *View, s schema.Session, held map[string]schema.Claim) {
	t.Helper()
	if s.State == schema.SessionClosed {
		p.checkClosed(t, v, s, held)
		return
	}
	if p.handoff != "" || len(held)%claimBatch != 0 {
		t.Errorf("%s is %s and holds %d claims; its handoff is %q", s.SessionID, s.State, len(held), p.handoff)
	}
	for id, until := range p.claims {
		if c, ok := held[id]; !ok || c.ExpiresAt.Before(until) {
			t.Errorf("the claim %s until %s: there is %v, until %s", id, until, ok, c.ExpiresAt)
		}
	}
}

func (p *promisedSession) checkClosed(t testing.TB, v *View, s schema.Session, held map[string]schema.Claim) {
	t.Helper()
	if !p.finishing || len(held) > 0 || s.HandoffID == nil {
		t.Errorf("%s is closed: asked for %v, holds %d claims, handoff %v", s.SessionID, p.finishing, len(held), s.HandoffID)
		return
	}
	m, err := v.Message(*s.HandoffID)
	if err != nil {
		t.Errorf("the handoff of %s: %v", s.SessionID, err)
		return
	}
	there, err := v.store.disk.Read(publishedName(m.MessageID, m.Kind))
	stored, _ := v.store.disk.Read(messageName(m.MessageID, m.Kind))
	if err != nil || !bytes.Equal(there, stored) {
		t.Errorf("the handoff %s is not published: %v", m.MessageID, err)
	}
}

// checkDecisions holds the index to the decisions there are.
func checkDecisions(t testing.TB, v *View) error {
	refs, err := history(v)
	if err != nil {
		return err
	}
	data, err := v.store.disk.Read(decisionsLog)
	if err != nil {
		return err
	}
	index := string(data[:min(int64(len(data)), v.head.State.GraphEnd)])
	count := 0
	for _, ref := range refs {
		if ref.Kind == schema.Decision {
			count++
			if strings.Count(index, ref.MessageID) != 1 {
				t.Errorf("the decision %s is not in the index once", ref.MessageID)
			}
		}
	}
	if lines := strings.Count(index, "\n"); lines != count {
		t.Errorf("%d decisions, %d in the index", count, lines)
	}
	return nil
}

// checkFiles holds every file of a room to its format. Signs of life may be
// torn.
func checkFiles(t testing.TB, dir string) {
	t.Helper()
	i, err := Inspect(dir, testEnv(newTestClock(), &testLog{}))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	i.Walk(func(it Item) {
		if it.Err != nil && path.Dir(it.Name) != presenceDir {
			t.Errorf("%s: %v", it.Name, it.Err)
		}
	})
}

// missing says how much of what was promised lies on the disk without recovery.
func (l *ledger) missing(dir string) (lost int) {
	i, err := Inspect(dir, testEnv(newTestClock(), &testLog{}))
	if err != nil {
		return len(l.messages)
	}
	defer i.Close()
	there := map[string]bool{}
	i.Walk(func(it Item) {
		if m, ok := it.Record.(*schema.Message); ok {
			there[m.MessageID] = true
		}
	})
	for id := range l.messages {
		if !there[id] {
			lost++
		}
	}
	return lost
}
