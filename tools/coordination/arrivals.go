package coordination

import (
	"context"
	"errors"
	"time"

	"acc/fsstore"
)

// catchUp imports what came with the code for a caller that only reads.
func (r *Room) catchUp(ctx context.Context) {
	r.mu.Lock()
	s := r.store
	r.mu.Unlock()
	if s != nil {
		r.takeIn(ctx, s)
	}
}

// takeIn imports what came with the code, once for each store that is opened
// to write: a handoff that a pull brought is there before the first answer. A
// call never fails over it.
func (r *Room) takeIn(ctx context.Context, s *fsstore.Store) {
	r.mu.Lock()
	first := r.imported != s
	r.imported = s
	r.mu.Unlock()
	if !first {
		return
	}
	r.importNow(ctx, s)
	r.opened.Do(func() { close(r.ready) })
}

func (r *Room) importNow(ctx context.Context, s *fsstore.Store) {
	defer func() { // what others wrote must not end a server that runs
		if p := recover(); p != nil && r.cfg.Env.Log != nil {
			r.cfg.Env.Log.Error("importing published files panicked", "panic", p)
		}
	}()
	_, err := s.Import(ctx, r.cfg.Workspace)
	if ctx.Err() != nil || errors.Is(err, fsstore.ErrNoRoom) {
		return
	}
	r.mu.Lock()
	news := err != nil && !r.importFailed // the same trouble every two seconds is none
	r.importFailed = err != nil
	r.mu.Unlock()
	if news && r.cfg.Env.Log != nil {
		r.cfg.Env.Log.Warn("published handoffs and decisions could not be imported; it is tried again", "error", err)
	}
}

// KeepImporting imports what comes with the code for as long as the room is in use,
// until ctx ends: after a pull or a merge nobody has to call anything. It does
// nothing before the first call has opened the room. poll is how often it looks
// when the system tells of no change, 0 for the usual time.
func (r *Room) KeepImporting(ctx context.Context, poll time.Duration) {
	select {
	case <-r.ready:
	case <-ctx.Done():
		return
	}
	changes, err := fsstore.Watch(ctx, r.cfg.Env.Log, poll, r.cfg.Workspace.PublishedDirs())
	if err != nil {
		r.cfg.Env.Log.Warn("published handoffs and decisions are not watched", "error", err)
		return
	}
	for range changes {
		r.mu.Lock()
		s := r.store
		r.mu.Unlock()
		if s != nil {
			r.importNow(ctx, s)
		}
	}
}
