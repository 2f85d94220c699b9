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
)

// Config says where the room is and who is calling. It comes from the person
// who configured the client, or from the options of a command, never from a
// client's own words.
//
// With a ParticipantID the room makes and resumes the sessions of that
// participant. With Credentials it acts as exactly that session and makes
// none. With neither the caller is nobody, who may read what is public.
type Config struct {
	Workspace     fsstore.Workspace
	ParticipantID string
	Human         bool // the participant, when it is new here, is a person
	Credentials   *Credentials
	Env           fsstore.Env
}

// Room is one participant's place in the room. The store is opened by the
// first call that needs it: connecting and listing touch no file.
type Room struct {
	cfg Config

	mu        sync.Mutex
	store     *fsstore.Store
	sessionID string    // the session of the last call, "" when there was none
	client    string    // the client session that sessionID was found for
	lastBeat  time.Time // when this process last recorded presence
	senders   map[string]string
	imported  *fsstore.Store // the store that the published files were imported into

	guardClaims  bool // claims of this room are guarded whatever the session is
	importFailed bool // the last import failed, and that was reported

	opened sync.Once
	ready  chan struct{} // closed once the room is in use
}

// NewRoom prepares a room. It opens nothing.
func NewRoom(cfg Config) *Room { return &Room{cfg: cfg, ready: make(chan struct{})} }

// GuardClaims makes the claims that are acquired from now on guarded ones: the
// hooks of other clients are asked to refuse edits there.
func (r *Room) GuardClaims() { r.guardClaims = true }

// Close takes back this process's sign of life and gives the store back. A
// pair outlives the processes that use it, and so does its sign of life; that
// of a process without a number, such as a hook, counts until its time is up.
func (r *Room) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store == nil {
		return nil
	}
	if r.sessionID != "" && !r.byPair() && r.cfg.Env.Process.PID > 0 {
		r.store.Leave(r.sessionID)
	}
	err := r.store.Close()
	r.store = nil
	return err
}

// update runs fn as one transaction, making the room when there is none.
func (r *Room) update(ctx context.Context, fn func(*fsstore.Tx) error) error {
	return r.withStore(fsstore.Init, func(s *fsstore.Store) error {
		r.takeIn(ctx, s)
		return s.Update(ctx, fn)
	})
}

// view runs fn over a consistent state; fsstore.ErrNoRoom when there is none.
func (r *Room) view(ctx context.Context, fn func(*fsstore.View) error) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.View(ctx, fn) })
}

// withStore runs fn on the open store. A room that was removed or made anew
// behind the back of this process is opened once more, and so is one that
// could not be written when it was opened.
func (r *Room) withStore(open func(string, fsstore.Env) (*fsstore.Store, error), fn func(*fsstore.Store) error) error {
	for retry := true; ; retry = false {
		s, err := r.open(open)
		if err != nil {
			return err
		}
		err = fn(s)
		outdated := errors.Is(err, fsstore.ErrNoRoom) || schema.HasReason(err, schema.ReasonStoreReadOnly)
		if !outdated || !retry {
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

// drop gives a store back that turned out to be of no use.
func (r *Room) drop(s *fsstore.Store) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s != nil && r.store == s {
		_ = s.Close()
		r.store, r.sessionID = nil, ""
	}
}

// forget drops whatever store is open.
func (r *Room) forget() {
	r.mu.Lock()
	s := r.store
	r.mu.Unlock()
	r.drop(s)
}

func (r *Room) now() time.Time { return r.cfg.Env.Now() }
