package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"syscall"

	"github.com/gofrs/flock"

	"acc/schema"
)

// ErrNoRoom says that the directory holds no initialised room. Reading then
// has nothing to show; the first write makes the room.
var ErrNoRoom = errors.New("no initialised room here")

// Store is an open room. It is safe for concurrent use.
type Store struct {
	settings
	dir       string // the workspace, which holds .acc
	env       Env
	disk      disk
	lock      *roomLock
	live      *flock.Flock
	journal   journal
	headFile  file
	workspace schema.Workspace
	readOnly  bool
	closed    atomic.Bool
	failed    error // set once a sync failed: nothing is written any more
	logs      logCache
	graph     decisionGraph
	damage    damageLog
	outbox    outbox
	imports   imports
	owners    sessionOwners

	tempPrefix string
	tempCount  atomic.Int64
}

// Workspace is the record that marks the room.
func (s *Store) Workspace() schema.Workspace { return s.workspace }

// Env is the environment the room was opened with.
func (s *Store) Env() Env { return s.env }

// View runs fn over a consistent state of the room. Writers wait meanwhile,
// so fn is short and reads no more than it shows.
func (s *Store) View(ctx context.Context, fn func(*View) error) error {
	for {
		whole, err := s.tryView(ctx, fn)
		if whole || err != nil {
			return err
		}
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
}

// tryView runs fn unless a dead process left something to finish first.
func (s *Store) tryView(ctx context.Context, fn func(*View) error) (whole bool, err error) {
	e, err := s.enter(ctx, false)
	if err != nil {
		return false, err
	}
	defer e.leave() // also when fn panics
	if err := s.wait(e); err != nil {
		return false, err
	}
	e.letNextIn()
	h, whole := s.head()
	if !whole {
		return false, nil
	}
	return true, fn(&View{store: s, head: h})
}

// Update runs fn and commits what it wrote as one transaction, durably. An
// error of fn, or a fn that writes nothing, changes nothing.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	var publish []Publication
	err := s.build(ctx, func(tx *Tx) error {
		err := fn(tx)
		publish = tx.outbox
		return err
	})
	if err == nil && len(publish) > 0 {
		s.publishAll(ctx, publish)
	}
	return err
}

// settle makes the room whole.
func (s *Store) settle(ctx context.Context) error {
	return s.whileWhole(ctx, func(head) error { return nil })
}

// whileWhole runs fn under the exclusive lock, on a room that was made whole.
func (s *Store) whileWhole(ctx context.Context, fn func(head) error) error {
	return s.asWriter(ctx, func(e *entry) error {
		h, err := s.lockedHead(e)
		if err != nil {
			return err
		}
		return fn(h)
	})
}

// asWriter runs fn for somebody who is through the gate and has asked for the
// exclusive lock.
func (s *Store) asWriter(ctx context.Context, fn func(*entry) error) error {
	if s.readOnly {
		return ioError("write to the room", fs.ErrPermission)
	}
	e, err := s.enter(ctx, true)
	if err != nil {
		return err
	}
	defer e.leave()
	if s.failed != nil {
		return s.failed
	}
	return fn(e)
}

// lockedHead waits for the lock, and makes the room whole.
func (s *Store) lockedHead(e *entry) (head, error) {
	if err := s.wait(e); err != nil {
		return head{}, err
	}
	return s.settledHead()
}

// enter goes through the gate of the room, and asks for its lock. It fails
// with ErrNoRoom when there is none any more, or this process has left it, and
// when its indexes are gone: they are made with the room.
func (s *Store) enter(ctx context.Context, exclusive bool) (*entry, error) {
	e, err := s.lock.enter(ctx, exclusive, s.lockWait)
	if err != nil {
		return nil, s.lockError(err)
	}
	if s.closed.Load() {
		e.leave()
		return nil, ErrNoRoom
	}
	s.keepDirs(e)
	if indexed, err := taken(s.disk, decisionsLog); s.headFile != nil && !indexed && err == nil {
		e.leave()
		return nil, ErrNoRoom
	}
	return e, nil
}

// wait waits for the lock. A room that was removed or made anew meanwhile is
// ErrNoRoom: what this store has open is not what the names stand for.
func (s *Store) wait(e *entry) error {
	if err := e.wait(); err != nil {
		return s.lockError(err)
	}
	if s.headFile != nil && !s.disk.Same(headName, s.headFile) {
		return ErrNoRoom
	}
	return nil
}

func (s *Store) lockError(err error) error {
	gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	if gone || s.headFile != nil && !s.disk.Same(headName, s.headFile) {
		return ErrNoRoom // what could not be locked is at most the lock of another room
	}
	return ioError("lock the room", err)
}
