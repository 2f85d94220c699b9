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
// Whoever waits for the lock holds the gate, a second one, and nobody gets in
// who came later. Without it the readers of a busy room, whose shared locks
// overlap, would keep a writer out for good. Before the gate is the queue, in
// which everybody gets his turn.
type roomLock struct {
	path, gate string
	turn       chan struct{}     // holds a token while the lock is free in this process
	last       map[stage]*waiter // of the call before, which may have given up
}

// stage is what one waits for on the way to the lock.
type stage string

const (
	inQueue stage = "queue"
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
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-l.turn:
	case <-ctx.Done():
		return nil, lockTimeout()
	}
	unlock, err := l.pass(ctx, exclusive)
	if err != nil {
		l.turn <- struct{}{}
		return nil, err
	}
	return func() {
		unlock()
		l.turn <- struct{}{}
	}, nil
}

// pass goes through the queue and the gate, and takes the lock.
func (l *roomLock) pass(ctx context.Context, exclusive bool) (unlock func(), err error) {
	leave, err := l.reach(ctx, inQueue, func() *waiter {
		q := queueUp(l.gate)
		return begin(q.take, q.leave)
	})
	if err != nil {
		return nil, err
	}
	defer leave()
	open, err := l.reach(ctx, atGate, func() *waiter { return beginLock(l.gate, true) })
	if err != nil {
		return nil, err
	}
	defer open()
	last := toRead
	if exclusive {
		last = toWrite
	}
	return l.reach(ctx, last, func() *waiter { return beginLock(l.path, exclusive) })
}

// reach waits for one stage. A wait in the kernel cannot be called off: one
// that was given up goes on, and the next call takes it over. So a process
// never has more than one of a kind, however long the lock is held.
func (l *roomLock) reach(ctx context.Context, at stage, start func() *waiter) (giveBack func(), err error) {
	w, known := l.last[at]
	if !known || !w.want(true) {
		w = start()
	}
	l.last[at] = w
	return w.giveBack, w.wait(ctx)
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
