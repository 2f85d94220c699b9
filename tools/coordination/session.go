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
// of the last call, else the open one that lastSession finds (two processes
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
	last, err := r.lastSession(&tx.View, caller)
	if err != nil {
		return schema.Session{}, err
	}
	if last != nil && last.State == schema.SessionOpen {
		return r.resume(tx, *last, caller)
	}
	return r.openSession(tx, last, caller)
}

// lastSession is the session that the caller goes on with or comes after, nil
// when there is none. The session of a pair is the only one that its caller
// ever has; of any other caller's, the one that fits best is taken.
func (r *Room) lastSession(v *fsstore.View, caller tools.Caller) (*schema.Session, error) {
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
		if s.ParticipantID == r.cfg.ParticipantID && fit(s, caller) > 0 && (last == nil || fit(s, caller) >= fit(*last, caller)) {
			last = &sessions[i]
		}
	}
	if caller.Guessed && (last == nil || fit(*last, caller) < 3) {
		if there, err := r.hookedNow(v, caller); err != nil || there != nil {
			return there, err
		}
	}
	return last, nil
}

// hookedNow is the session of the caller's participant that shows life through
// hooks in this checkout, the one with the newest sign; nil when there is none.
func (r *Room) hookedNow(v *fsstore.View, caller tools.Caller) (*schema.Session, error) {
	sessions, err := r.hookedSessions(v)
	if err != nil {
		return nil, err
	}
	signs, err := newSampler(v, r.cfg.Env)
	if err != nil {
		return nil, err
	}
	var last *schema.Session
	for i, s := range sessions {
		if signs.of(s) != Online || s.CheckoutRoot != r.cfg.Workspace.Checkout || s.Harness != harnessName(caller.Harness) {
			continue
		}
		if last == nil || !signs.heartbeat(s).Before(signs.heartbeat(*last).Time) {
			last = &sessions[i]
		}
	}
	return last, nil
}

// resume goes on with an open session; where it works may have changed.
func (r *Room) resume(tx *fsstore.Tx, s schema.Session, caller tools.Caller) (schema.Session, error) {
	now := r.describe(s, caller)
	if unchanged(now, s) {
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
	return withClient(s, caller)
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
		s = keepNames(s, *last, caller)
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
