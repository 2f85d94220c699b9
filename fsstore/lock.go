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
// first, so that at most one goroutine waits in the kernel.
//
// Whoever waits for the lock holds the gate, a second one, and nobody gets in
// who came later. Without it the readers of a busy room, whose shared locks
// overlap, would keep a writer out for good.
type roomLock struct {
	path, gate string
	turn       chan struct{} // holds a token while the lock is free in this process
}

func newRoomLock(path, gate string) *roomLock {
	l := &roomLock{path: path, gate: gate, turn: make(chan struct{}, 1)}
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
	fl, err := l.pass(ctx, exclusive)
	if err != nil {
		l.turn <- struct{}{}
		return nil, err
	}
	return func() {
		_ = fl.Unlock()
		l.turn <- struct{}{}
	}, nil
}

// pass goes through the gate and takes the lock.
func (l *roomLock) pass(ctx context.Context, exclusive bool) (*flock.Flock, error) {
	gate, err := takeLock(ctx, l.gate, true)
	if err != nil {
		return nil, err
	}
	defer gate.Unlock()
	return takeLock(ctx, l.path, exclusive)
}

// takeLock gets the kernel lock on one file. It never polls: a wait is a
// blocking flock in a goroutine, which the kernel wakes.
func takeLock(ctx context.Context, path string, exclusive bool) (*flock.Flock, error) {
	fl := openLock(path)
	try, block := fl.TryLock, fl.Lock
	if !exclusive {
		try, block = fl.TryRLock, fl.RLock
	}
	if ok, err := try(); ok || err != nil {
		return fl, err
	}
	done := make(chan error, 1)
	go func() { done <- block() }()
	select {
	case err := <-done:
		return fl, err
	case <-ctx.Done():
		// The goroutine still waits in the kernel; when its turn comes, the
		// lock is given straight back.
		go func() { <-done; _ = fl.Close() }()
		return nil, lockTimeout()
	}
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
