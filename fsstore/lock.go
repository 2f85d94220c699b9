package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"acc/schema"
)

// LockWait is how long View and Update wait for the lock of the room before
// they give up with reason lock_timeout.
const LockWait = 10 * time.Second

// roomLock is a kernel lock on one file: it ends with its process, however
// that ends, so there are no stale locks. Within the process a turn comes
// first, so that at most one goroutine is on its way to the lock.
//
// Before the lock is a gate, a second lock, which whoever waits for the lock
// holds: nobody gets in who came later. Without it the readers of a busy room,
// whose shared locks overlap, would keep a writer out for good. At the gate
// everybody gets his turn.
type roomLock struct {
	path, gate string
	turn       chan struct{}     // holds a token while the lock is free in this process
	last       map[stage]*waiter // of the call before, which may have given up
}

// stage is what one waits for on the way to the lock.
type stage string

const (
	atGate  stage = "gate"
	toRead  stage = "shared lock"
	toWrite stage = "exclusive lock"
)

func newRoomLock(path, gate string) *roomLock {
	l := &roomLock{path: path, gate: gate, turn: make(chan struct{}, 1), last: map[stage]*waiter{}}
	l.turn <- struct{}{}
	return l
}

// acquire takes the lock, shared or exclusive, and returns its release. It
// fails with reason lock_timeout after wait, or when ctx ends.
func (l *roomLock) acquire(ctx context.Context, exclusive bool, wait time.Duration) (release func(), err error) {
	e, err := l.enter(ctx, exclusive, wait)
	if err != nil {
		return nil, err
	}
	if err := e.wait(); err != nil {
		e.leave()
		return nil, err
	}
	if !exclusive {
		e.letNextIn()
	}
	return e.leave, nil
}

// entry is the place of somebody who is through the gate: nobody comes after
// him before he lets them.
type entry struct {
	of     *roomLock
	ctx    context.Context
	cancel context.CancelFunc
	gate   *waiter
	lock   *waiter
	// onLeave ends what goes with the lock. What it returns can wait until
	// the lock is given back.
	onLeave func() (after func())
}

// enter goes through the gate and asks for the lock, which may not be free
// yet. It fails as acquire does.
func (l *roomLock) enter(ctx context.Context, exclusive bool, wait time.Duration) (*entry, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	select {
	case <-l.turn:
	case <-ctx.Done():
		cancel()
		return nil, lockTimeout()
	}
	e := &entry{of: l, ctx: ctx, cancel: cancel}
	if err := e.pass(exclusive); err != nil {
		e.leave()
		return nil, err
	}
	return e, nil
}

func (e *entry) pass(exclusive bool) (err error) {
	e.gate, err = e.of.ask(atGate, func() (kernelLock, error) { return newGate(e.of.gate) })
	if err != nil {
		return err
	}
	if err := e.gate.wait(e.ctx); err != nil {
		return err
	}
	how := toRead
	if exclusive {
		how = toWrite
	}
	e.lock, err = e.of.ask(how, func() (kernelLock, error) { return newFileLock(e.of.path, exclusive), nil })
	return err
}

// ask begins to wait. A wait in the kernel cannot be called off: one that was
// given up goes on, and the next call takes it over. So a process never has
// more than one of a kind, however long the lock is held.
func (l *roomLock) ask(at stage, open func() (kernelLock, error)) (*waiter, error) {
	w, known := l.last[at]
	if !known || !w.want(true) {
		lock, err := open()
		if err != nil {
			return nil, err
		}
		w = begin(lock)
	}
	l.last[at] = w
	return w, nil
}

// wait waits for the lock.
func (e *entry) wait() error { return e.lock.wait(e.ctx) }

// locked reports whether the lock is there without a wait.
func (e *entry) locked() bool { return e.lock.over() }

// letNextIn gives the gate back.
func (e *entry) letNextIn() {
	if e.gate != nil {
		e.gate.drop()
		e.gate = nil
	}
}

// leave gives everything back. The gate comes last: whoever is next finds the
// lock free.
func (e *entry) leave() {
	after := func() {}
	if e.onLeave != nil {
		after = e.onLeave()
	}
	if e.lock != nil {
		e.lock.drop()
	}
	e.letNextIn()
	e.cancel()
	after()
	e.of.turn <- struct{}{}
}

// openLock never creates the file, never follows a link and never waits for a
// pipe: the store made the file through its root.
func openLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_RDONLY|noFollow|nonBlock))
}

func lockTimeout() error {
	return schema.Fail(schema.ReasonLockTimeout,
		"another process is writing to this room and did not finish in time; nothing was changed, try again.")
}

// ioError turns a failure of the file system into the error a caller may see.
// The path stays in the cause.
func ioError(what string, err error) error {
	var known *schema.Error
	switch {
	case errors.As(err, &known):
		return err
	case isFull(err):
		return schema.Fail(schema.ReasonStoreFull,
			"could not %s: no space is left for .acc/; nothing was changed. Free some space and try again.", what).Because(err)
	case errors.Is(err, fs.ErrPermission) || isReadOnly(err):
		return schema.Fail(schema.ReasonStoreReadOnly,
			"could not %s: .acc/ in this workspace cannot be written; nothing was changed. "+
				"Make it writable for this user and try again.", what).Because(err)
	}
	return schema.Fail(schema.ReasonStoreFailed,
		"could not %s: the file system reported an error; see the server's stderr, then try again.", what).Because(err)
}
