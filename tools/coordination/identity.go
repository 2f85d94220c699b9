package coordination

import (
	"context"
	"crypto/subtle"
	"errors"
	"io/fs"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Credentials name exactly one session and prove the right to act as it.
type Credentials struct {
	SessionID  string
	Generation string
}

// byPair reports whether the caller acts as exactly one session.
func (r *Room) byPair() bool { return r.cfg.Credentials != nil }

// identified refuses a caller who cannot be anybody: one without an identity,
// and one whose pair cannot belong to a room that does not exist. It is asked
// before anything is made.
func (r *Room) identified() error {
	switch {
	case r.byPair():
		if !r.cfg.Workspace.Initialised {
			return unresolved(*r.cfg.Credentials)
		}
	case r.cfg.ParticipantID == "":
		return unresolved(Credentials{})
	}
	return nil
}

// unresolved says how to become somebody. Of a pair that is wrong it does not
// say which half is: an id is no secret, and a guess shall learn nothing.
func unresolved(c Credentials) error {
	problem := "this needs to know who is calling, and no session was given."
	switch {
	case c.SessionID != "" && c.Generation != "":
		problem = "the given session and generation are no pair of this room."
	case c.SessionID != "" || c.Generation != "":
		problem = "a session and its generation go together, and only one of them was given."
	}
	return schema.Fail(schema.ReasonCallerUnresolved, "%s Type: acc attach --participant NAME, "+
		"then pass what it prints as --session and --generation, or in ACC_SESSION and ACC_GENERATION.", problem)
}

// sessions is what a pair is checked against: a view or a transaction.
type sessions interface {
	Session(id string) (schema.Session, error)
}

// authenticate finds the session of the caller's pair, open or closed.
func (r *Room) authenticate(v sessions) (schema.Session, error) {
	c := *r.cfg.Credentials
	s, err := v.Session(c.SessionID)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return schema.Session{}, err
	}
	want := s.Generation
	if err != nil {
		want = strings.Repeat("-", 2*generationBytes) // as long as a real one
	}
	if subtle.ConstantTimeCompare([]byte(want), []byte(c.Generation)) != 1 || err != nil {
		return schema.Session{}, unresolved(c)
	}
	return s, nil
}

// proven is the session of the caller's pair, which must be open.
func (r *Room) proven(v sessions) (schema.Session, error) {
	s, err := r.authenticate(v)
	if err == nil && s.State != schema.SessionOpen {
		err = r.over(s)
	}
	return s, err
}

// over refuses a session that has ended, and says how to go on.
func (r *Room) over(s schema.Session) error {
	how := "was closed"
	if s.HandoffID != nil {
		how = "is finished, and its handoff is " + *s.HandoffID
	}
	next := "any other tool call opens a new session."
	if r.byPair() {
		next = "attach again: acc attach --participant " + s.ParticipantID + "."
	}
	e := schema.Fail(schema.ReasonSessionFinished, "this session %s; %s", how, next)
	if s.HandoffID != nil {
		e.With("messageId", *s.HandoffID)
	}
	return e
}

// enter makes sure that the caller has a session before it reads.
func (r *Room) enter(ctx context.Context, caller tools.Caller) error {
	if !r.byPair() {
		return r.arrive(ctx, caller)
	}
	var me schema.Session
	err := r.view(ctx, func(v *fsstore.View) error {
		var err error
		me, err = r.proven(v)
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		return unresolved(*r.cfg.Credentials)
	}
	if err == nil {
		r.beat(me.SessionID)
		r.catchUp(ctx)
	}
	return err
}

// look runs fn for a caller who may be nobody, and is then given no session.
// It fails with fsstore.ErrNoRoom when nobody looks at a room that is not
// there: it is not made for that.
func (r *Room) look(ctx context.Context, caller tools.Caller, fn func(*fsstore.View, *schema.Session) error) error {
	if r.byPair() || r.cfg.ParticipantID != "" {
		return r.observe(ctx, caller, func(v *fsstore.View, me schema.Session) error { return fn(v, &me) })
	}
	return r.view(ctx, func(v *fsstore.View) error { return fn(v, nil) })
}
