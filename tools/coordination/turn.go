package coordination

import (
	"context"
	"errors"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// act runs fn as the caller, in one transaction with whatever resolving the
// caller's session writes. Every act is a sign of life.
func (r *Room) act(ctx context.Context, caller tools.Caller, fn func(*fsstore.Tx, schema.Session) error) error {
	if err := r.identified(); err != nil {
		return err
	}
	r.turnTo(caller)
	var me schema.Session
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		var err error
		if me, err = r.resolve(tx, caller); err != nil {
			return err
		}
		return fn(tx, me)
	})
	if err == nil || r.isMine(me) && schema.AsError(err).Code != schema.CodeUsage {
		r.beat(me.SessionID)
	}
	return err
}

// isMine reports whether the caller had this session before the act: one that
// was made in an act that failed does not exist.
func (r *Room) isMine(s schema.Session) bool { return s.SessionID != "" && s.SessionID == r.session() }

// beat records presence after an act. What the act did stands, so a failure
// here is not the caller's concern.
func (r *Room) beat(sessionID string) {
	if err := r.stay(sessionID); err != nil && r.cfg.Env.Log != nil {
		r.cfg.Env.Log.Warn("presence was not recorded", "error", err)
	}
}

// before runs a check over the room as it is, so that a first call that is
// bound to be refused leaves nothing behind. Where there is no room yet, the
// call is refused with missing. A caller with a session needs none of this,
// nor does one who can have none made for it.
func (r *Room) before(ctx context.Context, missing error, check func(*fsstore.View) error) error {
	if r.session() != "" || r.cfg.ParticipantID == "" {
		return nil
	}
	err := r.view(ctx, check)
	var refusal *schema.Error
	switch {
	case errors.Is(err, fsstore.ErrNoRoom):
		return missing
	case errors.As(err, &refusal):
		return refusal
	}
	return nil // what else is wrong, the call itself will mend or meet
}

// anyRoom is the check that asks for nothing but a room.
func anyRoom(*fsstore.View) error { return nil }

// observe runs fn as the caller over a consistent state. It writes nothing
// but presence, unless the caller has no open session yet, or its checkout
// has changed branch.
func (r *Room) observe(ctx context.Context, caller tools.Caller, fn func(*fsstore.View, schema.Session) error) error {
	if err := r.identified(); err != nil {
		return err
	}
	r.turnTo(caller)
	for {
		if r.session() == "" {
			if err := r.enter(ctx, caller); err != nil {
				return err
			}
		}
		id := r.session()
		gone, moved := false, false
		err := r.stay(id)
		if err == nil {
			err = r.view(ctx, func(v *fsstore.View) error {
				me, err := v.Session(id)
				gone = err != nil || me.State != schema.SessionOpen
				moved = !gone && r.moved(me)
				if gone || moved {
					return nil
				}
				return fn(v, me)
			})
		}
		switch {
		case errors.Is(err, fsstore.ErrNoRoom):
			r.forget() // the room was removed; the next turn makes it anew
		case err != nil:
			return err
		case gone:
			r.leave(id)
		case moved:
			if err := r.arrive(ctx, caller); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// arrive resolves the caller's session and does nothing else.
func (r *Room) arrive(ctx context.Context, caller tools.Caller) error {
	return r.act(ctx, caller, func(*fsstore.Tx, schema.Session) error { return nil })
}

// turnTo forgets the session of the last call when this one is of another
// session of the client: one server may serve several.
func (r *Room) turnTo(caller tools.Caller) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id := clientSession(caller); id != r.client {
		r.sessionID, r.client = "", id
	}
}

func (r *Room) session() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessionID
}

// beatEvery is how often a busy process records its presence. Presence counts
// in minutes, so a second less makes no difference.
const beatEvery = time.Second

// stay records that this process serves the session.
func (r *Room) stay(sessionID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	since := now.Sub(r.lastBeat)
	if r.sessionID == sessionID && since >= 0 && since < beatEvery {
		return nil
	}
	if r.store == nil {
		return nil
	}
	r.sessionID, r.lastBeat = sessionID, now
	return r.store.Heartbeat(sessionID)
}

// leave forgets the session: it was closed, here or by another process.
func (r *Room) leave(sessionID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store != nil {
		r.store.Leave(sessionID)
		if err := r.store.ForgetAdapters(sessionID); err != nil && r.cfg.Env.Log != nil {
			r.cfg.Env.Log.Warn("routes into a session that is over were left", "error", err)
		}
	}
	if r.sessionID == sessionID {
		r.sessionID = ""
	}
}
