// Package coordination is the toolset of the room: the eleven acc_* tools,
// three resources, and the rules behind them. It implements
// docs/protocol.md.
package coordination

import (
	"context"
	"errors"
	"sync"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Config is what a server is launched with. It comes from the person who
// configured the client, never from the client.
type Config struct {
	Workspace     fsstore.Workspace
	ParticipantID string
	Env           fsstore.Env
}

// Room is one participant's place in the room. The store is opened by the
// first call that needs it: connecting and listing touch no file.
type Room struct {
	cfg Config

	mu        sync.Mutex
	store     *fsstore.Store
	sessionID string    // the session of the last call, "" when there was none
	lastBeat  time.Time // when this process last recorded presence
	senders   map[string]string
}

// NewRoom prepares a room. It opens nothing.
func NewRoom(cfg Config) *Room { return &Room{cfg: cfg} }

// Close takes back this process's sign of life and gives the store back.
func (r *Room) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store == nil {
		return nil
	}
	if r.sessionID != "" {
		r.store.Leave(r.sessionID)
	}
	err := r.store.Close()
	r.store = nil
	return err
}

// update runs fn as one transaction, making the room when there is none.
func (r *Room) update(ctx context.Context, fn func(*fsstore.Tx) error) error {
	return r.withStore(fsstore.Init, func(s *fsstore.Store) error { return s.Update(ctx, fn) })
}

// view runs fn over a consistent state; fsstore.ErrNoRoom when there is none.
func (r *Room) view(ctx context.Context, fn func(*fsstore.View) error) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.View(ctx, fn) })
}

// withStore runs fn on the open store. A room that was removed or made anew
// behind the back of this process is opened once more.
func (r *Room) withStore(open func(string, fsstore.Env) (*fsstore.Store, error), fn func(*fsstore.Store) error) error {
	for retry := true; ; retry = false {
		s, err := r.open(open)
		if err != nil {
			return err
		}
		err = fn(s)
		if !errors.Is(err, fsstore.ErrNoRoom) || !retry {
			return err
		}
		r.drop(s)
	}
}

func (r *Room) open(open func(string, fsstore.Env) (*fsstore.Store, error)) (*fsstore.Store, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store != nil {
		return r.store, nil
	}
	s, err := open(r.cfg.Workspace.Root, r.cfg.Env)
	if err != nil {
		return nil, err
	}
	r.store = s
	return s, nil
}

func (r *Room) drop(s *fsstore.Store) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store == s {
		_ = s.Close()
		r.store, r.sessionID = nil, ""
	}
}

func (r *Room) now() time.Time { return r.cfg.Env.Now() }

// act runs fn as the caller, in one transaction with whatever resolving the
// caller's session writes. Every act is a sign of life.
func (r *Room) act(ctx context.Context, caller tools.Caller, fn func(*fsstore.Tx, schema.Session) error) error {
	var me schema.Session
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		var err error
		if me, err = r.resolve(tx, caller); err != nil {
			return err
		}
		return fn(tx, me)
	})
	if err != nil {
		return err
	}
	return r.stay(me.SessionID)
}

// observe runs fn as the caller over a consistent state. It writes nothing
// but presence, unless the caller has no open session yet.
func (r *Room) observe(ctx context.Context, caller tools.Caller, fn func(*fsstore.View, schema.Session) error) error {
	for {
		if r.session() == "" {
			if err := r.act(ctx, caller, func(*fsstore.Tx, schema.Session) error { return nil }); err != nil {
				return err
			}
		}
		id := r.session()
		if err := r.stay(id); err != nil {
			return err
		}
		gone := false
		err := r.view(ctx, func(v *fsstore.View) error {
			me, err := v.Session(id)
			if err != nil || me.State != schema.SessionOpen {
				gone = true
				return nil
			}
			return fn(v, me)
		})
		if !gone {
			return err
		}
		r.leave(id)
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
	}
	if r.sessionID == sessionID {
		r.sessionID = ""
	}
}
