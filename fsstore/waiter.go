package fsstore

import (
	"context"
	"sync"
)

// take gets one lock. Without wait it reports false where it would have to
// wait.
type take func(wait bool) (bool, error)

// waiter gets one kernel lock, or what is made of several, for whoever wants it. It never polls: a wait is
// a blocking call in a goroutine, which the kernel wakes.
type waiter struct {
	take     take
	giveBack func()
	done     chan struct{} // closed when the lock was had, or could not be
	err      error         // set before done is closed

	mu            sync.Mutex
	wanted, ended bool
}

// begin asks for a lock, which giveBack will release.
func begin(get take, giveBack func()) *waiter {
	w := &waiter{take: get, giveBack: giveBack, done: make(chan struct{}), wanted: true}
	if ok, err := get(false); ok || err != nil {
		w.end(err)
		return w
	}
	go func() {
		_, err := get(true)
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

// beginLock asks for the kernel lock on one file.
func beginLock(path string, exclusive bool) *waiter {
	fl := openLock(path)
	try, block := fl.TryLock, fl.Lock
	if !exclusive {
		try, block = fl.TryRLock, fl.RLock
	}
	return begin(func(wait bool) (bool, error) {
		if !wait {
			return try()
		}
		err := block()
		return err == nil, err
	}, func() { _ = fl.Close() })
}
