package coordination

import (
	"context"
	"errors"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// What a client signals of its own life through hooks. A session of which it
// does is one with an automatic lifecycle.

// Visit is what a hook learns of the session that its client has here.
type Visit struct {
	SessionID     string
	ClientVersion string // as far as the client has told, be it here or over MCP
}

func visit(s schema.Session) Visit {
	return Visit{SessionID: s.SessionID, ClientVersion: s.ClientVersion}
}

// Begin resolves the session of a client that has just started, or gone on.
// cleared says that the client started afresh under a new name in a session
// that it had: the session stays the same one.
//
// Sessions of the same participant whose client has gone and that hold no
// claim are closed, so that their number does not grow.
func (r *Room) Begin(ctx context.Context, caller tools.Caller, cleared bool) (Visit, error) {
	if cleared {
		if err := r.rename(ctx, caller); err != nil {
			return Visit{}, err
		}
	}
	var out Visit
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		out = visit(me)
		if err := r.closeLeft(tx, me); err != nil {
			return err
		}
		enforcement := schema.Advisory // until a hook before a tool runs
		if cleared {
			enforcement = me.Enforcement
		}
		return setSigns(tx, me, schema.Automatic, enforcement)
	})
	return out, err
}

// rename gives the session that its client has just cleared the client's new
// name for it.
func (r *Room) rename(ctx context.Context, caller tools.Caller) error {
	return r.update(ctx, func(tx *fsstore.Tx) error {
		sessions, err := r.hookedSessions(&tx.View)
		if err != nil {
			return err
		}
		signs, err := newSampler(&tx.View, r.cfg.Env)
		if err != nil {
			return err
		}
		var last *schema.Session
		for i, s := range sessions {
			switch {
			case slices.Contains(s.ClientSessions, clientSession(caller)):
				return nil
			case s.CheckoutRoot != r.cfg.Workspace.Checkout || s.Harness != harnessName(caller.Harness):
			case last == nil || !signs.heartbeat(s).Before(signs.heartbeat(*last).Time):
				last = &sessions[i]
			}
		}
		if last == nil {
			return nil
		}
		s := withClient(*last, caller)
		return tx.PutSession(&s)
	})
}

// hookedSessions are the open sessions of the caller's participant with a
// client that signals its life.
func (r *Room) hookedSessions(v *fsstore.View) ([]schema.Session, error) {
	all, err := v.Sessions()
	return slices.DeleteFunc(all, func(s schema.Session) bool {
		return s.ParticipantID != r.cfg.ParticipantID || s.State != schema.SessionOpen || s.Lifecycle != schema.Automatic
	}), err
}

// closeLeft closes the sessions that clients have left for good.
func (r *Room) closeLeft(tx *fsstore.Tx, me schema.Session) error {
	sessions, err := r.hookedSessions(&tx.View)
	if err != nil {
		return err
	}
	signs, err := newSampler(&tx.View, r.cfg.Env)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if s.SessionID == me.SessionID || signs.of(s) != Offline {
			continue
		}
		held, err := heldBy(&tx.View, s)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(held, func(c schema.Claim) bool { return c.LiveAt(tx.Now()) }) {
			continue
		}
		if err := closeSession(tx, s, ""); err != nil {
			return err
		}
	}
	return retireClosed(tx, me.ParticipantID)
}

func setSigns(tx *fsstore.Tx, me schema.Session, l schema.Lifecycle, e schema.Enforcement) error {
	if me.Lifecycle == l && me.Enforcement == e {
		return nil
	}
	me.Lifecycle, me.Enforcement = l, e
	return tx.PutSession(&me)
}

// Attending reports whether the caller's client has an open session here. It
// changes nothing. One that has finished its session gets no new one because
// some hook of it still runs.
func (r *Room) Attending(ctx context.Context, caller tools.Caller) (bool, error) {
	var me schema.Session
	err := r.view(ctx, func(v *fsstore.View) (err error) {
		me, err = r.attending(v, caller)
		return err
	})
	return me.SessionID != "", err
}

// attending is the caller's open session, an empty one where there is none.
func (r *Room) attending(v *fsstore.View, caller tools.Caller) (schema.Session, error) {
	s, err := r.lastSession(v, caller)
	if err != nil || s == nil || s.State != schema.SessionOpen {
		return schema.Session{}, err
	}
	return *s, nil
}

// Hooked records that the caller's client signals its own life: one of its
// hooks has just run.
func (r *Room) Hooked(ctx context.Context, caller tools.Caller) (Visit, error) {
	return r.signal(ctx, caller, func(me schema.Session) schema.Enforcement { return me.Enforcement })
}

// Guarded records that edits of the caller's client are checked: a hook has
// just run before one of its tools. Claims that the session takes from now on
// are guarded ones.
func (r *Room) Guarded(ctx context.Context, caller tools.Caller) (Visit, error) {
	return r.signal(ctx, caller, func(schema.Session) schema.Enforcement { return schema.Guarded })
}

func (r *Room) signal(ctx context.Context, caller tools.Caller, enforcement func(schema.Session) schema.Enforcement) (Visit, error) {
	var out Visit
	done := false
	err := r.observe(ctx, caller, func(_ *fsstore.View, me schema.Session) error {
		out = visit(me)
		done = me.Lifecycle == schema.Automatic && me.Enforcement == enforcement(me)
		return nil
	})
	if done || err != nil {
		return out, err
	}
	return out, r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		return setSigns(tx, me, schema.Automatic, enforcement(me))
	})
}

// End records that the caller's client has gone: its session is offline and
// stays open, so that the client can go on with it, and its claims stand until
// their lease ends. Where the client had no session, none is made.
func (r *Room) End(ctx context.Context, caller tools.Caller, adapterID string) error {
	var me schema.Session
	err := r.view(ctx, func(v *fsstore.View) (err error) {
		me, err = r.attending(v, caller)
		return err
	})
	if me.SessionID == "" || err != nil {
		return nilIfNoRoom(err)
	}
	if me.Enforcement == schema.Guarded {
		err = r.update(ctx, func(tx *fsstore.Tx) error { return setSigns(tx, me, me.Lifecycle, schema.Advisory) })
	}
	return errors.Join(err, r.withStore(fsstore.Open, func(s *fsstore.Store) error {
		s.Leave(me.SessionID)
		s.Unbind(me.SessionID, adapterID)
		return nil
	}))
}

func nilIfNoRoom(err error) error {
	if errors.Is(err, fsstore.ErrNoRoom) {
		return nil
	}
	return err
}
