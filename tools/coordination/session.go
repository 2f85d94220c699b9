package coordination

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// defaultHarness names a client that did not introduce itself.
const defaultHarness = "mcp"

// resolve returns the caller's open session: the one of its pair, else the one
// of the last call, else the newest open one of the participant (two processes
// share it, a restart resumes it), else a new one.
func (r *Room) resolve(tx *fsstore.Tx, caller tools.Caller) (schema.Session, error) {
	if r.byPair() {
		me, err := r.proven(tx)
		if err != nil {
			return schema.Session{}, err
		}
		return r.follow(tx, me)
	}
	if id := r.session(); id != "" {
		me, err := tx.Session(id)
		if err == nil && me.State == schema.SessionOpen {
			return r.follow(tx, me)
		}
	}
	last, err := r.lastSession(tx)
	if err != nil {
		return schema.Session{}, err
	}
	if last != nil && last.State == schema.SessionOpen {
		return r.resume(tx, *last, caller)
	}
	return r.openSession(tx, last, caller)
}

// lastSession is the newest session of the participant, nil when it has none.
// Open ones come first: a participant has at most one of them over MCP. The
// session of a pair is the only one that its caller ever has.
func (r *Room) lastSession(v *fsstore.Tx) (*schema.Session, error) {
	if r.byPair() {
		s, err := r.authenticate(v)
		return &s, err
	}
	sessions, err := v.Sessions()
	if err != nil {
		return nil, err
	}
	var last *schema.Session
	for i, s := range sessions {
		if s.ParticipantID != r.cfg.ParticipantID {
			continue
		}
		if last == nil || s.State == schema.SessionOpen || last.State != schema.SessionOpen {
			last = &sessions[i]
		}
	}
	return last, nil
}

// resume goes on with an open session; where it works may have changed.
func (r *Room) resume(tx *fsstore.Tx, s schema.Session, caller tools.Caller) (schema.Session, error) {
	now := r.describe(s, caller)
	if now == s {
		return s, nil
	}
	return now, tx.PutSession(&now)
}

// moved reports whether the checkout that a session works in has changed
// branch since the session said so. A process in another checkout keeps out.
func (r *Room) moved(s schema.Session) bool {
	return s.CheckoutRoot == r.cfg.Workspace.Checkout && s.Branch != r.cfg.Workspace.Branch()
}

// follow keeps the branch of an open session up to date.
func (r *Room) follow(tx *fsstore.Tx, s schema.Session) (schema.Session, error) {
	if !r.moved(s) {
		return s, nil
	}
	s.Branch = r.cfg.Workspace.Branch()
	return s, tx.PutSession(&s)
}

// describe fills in what the process knows of the session's surroundings.
func (r *Room) describe(s schema.Session, caller tools.Caller) schema.Session {
	s.CheckoutRoot = r.cfg.Workspace.Checkout
	s.Branch = r.cfg.Workspace.Branch()
	if caller.Harness != "" {
		s.Harness = harnessName(caller.Harness)
	}
	return s
}

// harnessName is the client's self-declared name as a record may hold it.
func harnessName(name string) string {
	name = schema.CutRunes(strings.TrimSpace(schema.Visible(name, 100)), 100)
	if name == "" {
		return defaultHarness
	}
	return name
}

func (r *Room) openSession(tx *fsstore.Tx, last *schema.Session, caller tools.Caller) (schema.Session, error) {
	joined, err := r.join(tx)
	if err != nil {
		return schema.Session{}, err
	}
	id, err := tx.NewID(schema.IDSession)
	if err != nil {
		return schema.Session{}, err
	}
	generation, err := newGeneration(r.cfg.Env.Rand)
	if err != nil {
		return schema.Session{}, err
	}
	s := r.describe(schema.Session{
		SchemaVersion: schema.Version, SessionID: id, ParticipantID: r.cfg.ParticipantID, Generation: generation,
		Harness: defaultHarness, State: schema.SessionOpen, Enforcement: schema.Advisory, Lifecycle: schema.Manual,
		StartedAt: schema.At(tx.Now()),
	}, caller)
	if last != nil {
		if err := tx.RetireSession(last); err != nil {
			return s, err
		}
	}
	if err := tx.PutSession(&s); err != nil {
		return s, err
	}
	if joined {
		if err := tx.Event(schema.EventParticipantJoined, id, schema.Payload{ParticipantID: s.ParticipantID}); err != nil {
			return s, err
		}
	}
	return s, tx.Event(schema.EventSessionOpened, id, schema.Payload{ParticipantID: s.ParticipantID, SessionID: id})
}

// join makes the participant known; false when it was before.
func (r *Room) join(tx *fsstore.Tx) (bool, error) {
	id := r.cfg.ParticipantID
	_, err := tx.Participant(id)
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	known, err := tx.Participants()
	if err != nil {
		return false, err
	}
	for _, p := range known {
		if strings.EqualFold(p.ParticipantID, id) {
			return false, schema.Fail(schema.ReasonParticipantTaken,
				"the participant id %q differs from the known %q in letter case only; configure this server with another one.",
				id, p.ParticipantID)
		}
	}
	kind := schema.Agent
	if r.cfg.Human {
		kind = schema.Human
	}
	err = tx.PutParticipant(&schema.Participant{
		SchemaVersion: schema.Version, ParticipantID: id, DisplayName: id, Kind: kind, CreatedAt: schema.At(tx.Now()),
	})
	if err != nil {
		return false, err
	}
	return true, tx.DeliverImported(id)
}

// generationBytes is the length of the secret of a session: 128 random bits.
const generationBytes = 16

// newGeneration is a new secret.
func newGeneration(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	b := make([]byte, generationBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", schema.AsError(err)
	}
	return hex.EncodeToString(b), nil
}
