package fsstore

import (
	"context"
	"sync"

	"github.com/gofrs/flock"
)

// kernelLock is a lock that the kernel keeps, or what is made of several.
type kernelLock interface {
	// take gets the lock. Without wait it reports false where it would have to
	// wait; the next take goes on from there.
	take(wait bool) (bool, error)
	// giveBack ends what was taken so far.
	giveBack()
}

// waiter gets one lock for whoever wants it. It never polls: a wait is a
// blocking call in a goroutine, which the kernel wakes.
type waiter struct {
	kernelLock
	done chan struct{} // closed when the lock was had, or could not be
	err  error         // set before done is closed

	mu            sync.Mutex
	wanted, ended bool
}

// begin asks for a lock, which giveBack will release.
func begin(l kernelLock) *waiter {
	w := &waiter{kernelLock: l, done: make(chan struct{}), wanted: true}
	if ok, err := l.take(false); ok || err != nil {
		w.end(err)
		return w
	}
	go func() {
		_, err := l.take(true)
		w.end(err)
	}()
	return w
}

// end gives a lock straight back that nobody wants any more.
func (w *waiter) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended, w.err = true, err
	if !w.wanted || err != nil {
		w.giveBack()
	}
	close(w.done)
}

// wait waits for the lock until ctx ends. Then the goroutine still waits in
// the kernel, wanted by nobody.
func (w *waiter) wait(ctx context.Context) error {
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
	}
	if w.want(false) {
		return lockTimeout()
	}
	return w.err
}

// want says whether somebody still wants the lock. It reports false when the
// wait is over, and changes nothing then.
func (w *waiter) want(wanted bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.wanted = wanted
	}
	return !w.ended
}

// drop gives the lock back, or the wait for it up.
func (w *waiter) drop() {
	if !w.want(false) {
		w.giveBack()
	}
}

// over reports whether the wait is.
func (w *waiter) over() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// fileLock is the kernel lock of one file.
type fileLock struct {
	*flock.Flock
	exclusive bool
}

func newFileLock(path string, exclusive bool) fileLock { return fileLock{openLock(path), exclusive} }

func (l fileLock) take(wait bool) (bool, error) {
	try, block := l.TryLock, l.Lock
	if !l.exclusive {
		try, block = l.TryRLock, l.RLock
	}
	if !wait {
		return try()
	}
	err := block()
	return err == nil, err
}

func (l fileLock) giveBack() { _ = l.Close() }
