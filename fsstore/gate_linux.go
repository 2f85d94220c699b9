package fsstore

import (
	"errors"
	"io"
	"math"

	"golang.org/x/sys/unix"
)

// The file of the gate has room for a queue: byte n is locked by whoever has
// place n, for as long as he has it. Locks are all there is, nothing is
// written, so who dies leaves the queue. The lock of the whole file, which is
// of another kind, is the gate itself.
//
// The kernel wakes all who wait for one lock and lets them race, and a process
// that runs already wins each race. In the queue everybody waits for the lock
// of the one before him, so that there is nothing to race for.
const (
	doorByte   = 0 // locked to find the end of the queue
	firstPlace = 1
)

// errNoQueue says that somebody else locks bytes of the file.
var errNoQueue = errors.New("the queue is not ours alone")

// gate is the passage through the gate, or the wait for it. On a file on which
// a queue cannot be kept, such as one that may only be read, one waits for the
// gate alone: the queue is about fairness and nothing else.
type gate struct {
	fd       int
	unqueued bool
	place    int64
	ahead    int64 // the place before this one that was taken, 0 for none
}

// newGate opens the file of a gate. It never creates it, never follows a link
// and never waits for a pipe.
func newGate(path string) (*gate, error) {
	const flags = unix.O_CLOEXEC | noFollow | nonBlock
	fd, err := unix.Open(path, unix.O_RDWR|flags, 0)
	if err == nil {
		return &gate{fd: fd}, nil
	}
	fd, err = unix.Open(path, unix.O_RDONLY|flags, 0)
	return &gate{fd: fd, unqueued: true}, err
}

// take gets to the head of the queue and through the gate.
func (g *gate) take(wait bool) (bool, error) {
	for !g.unqueued && (g.place == 0 || g.ahead > 0) {
		ok, err := g.step(wait)
		if err != nil {
			g.unqueue()
		} else if !ok {
			return false, nil
		}
	}
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	return granted(retry(func() error { return unix.Flock(g.fd, how) }))
}

// step gets a place, and then waits for the one ahead.
func (g *gate) step(wait bool) (bool, error) {
	if g.place == 0 {
		return g.enter(wait)
	}
	ok, err := g.lock(unix.F_RDLCK, g.ahead, wait)
	if ok {
		g.ahead = 0
	}
	return ok, err
}

// enter takes the place behind the last one that is taken.
func (g *gate) enter(wait bool) (bool, error) {
	if ok, err := g.lock(unix.F_WRLCK, doorByte, wait); !ok {
		return false, err
	}
	last, err := g.last()
	if err != nil {
		return false, err
	}
	if ok, err := g.lock(unix.F_WRLCK, last+1, false); !ok {
		return false, errors.Join(err, errNoQueue)
	}
	g.place, g.ahead = last+1, last
	return g.lock(unix.F_UNLCK, doorByte, false)
}

// last is the last place that is taken, 0 for none. It steps over more and
// more places, so that many who wait take few calls.
func (g *gate) last() (last int64, err error) {
	for step := int64(1); ; {
		end, err := g.takenFrom(last + step)
		switch {
		case err != nil:
			return 0, err
		case end > 0:
			last, step = end, 2*step
		case step == 1:
			return last, nil
		default:
			step = 1
		}
	}
}

// takenFrom is a place that is taken, from a place on; 0 for none.
func (g *gate) takenFrom(place int64) (end int64, err error) {
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: place, Len: math.MaxInt64 - place}
	if err := unix.FcntlFlock(uintptr(g.fd), unix.F_OFD_GETLK, &l); err != nil || l.Type == unix.F_UNLCK {
		return 0, err
	}
	if l.Len == 0 {
		return 0, errNoQueue
	}
	return l.Start + l.Len - 1, nil
}

// lock locks or unlocks one byte.
func (g *gate) lock(how int16, at int64, wait bool) (bool, error) {
	command := unix.F_OFD_SETLK
	if wait {
		command = unix.F_OFD_SETLKW
	}
	return granted(retry(func() error {
		l := unix.Flock_t{Type: how, Whence: io.SeekStart, Start: at, Len: 1}
		return unix.FcntlFlock(uintptr(g.fd), command, &l)
	}))
}

// unqueue gives all bytes back and does without a queue.
func (g *gate) unqueue() {
	all := unix.Flock_t{Type: unix.F_UNLCK, Whence: io.SeekStart}
	_ = unix.FcntlFlock(uintptr(g.fd), unix.F_OFD_SETLK, &all)
	g.unqueued = true
}

// giveBack lets the next one through: closing the file ends all of its locks.
func (g *gate) giveBack() {
	if g.fd >= 0 {
		_ = unix.Close(g.fd)
		g.fd = -1
	}
}

// granted tells a lock that somebody else has from one that cannot be had.
func granted(err error) (bool, error) {
	if err == unix.EAGAIN || err == unix.EACCES {
		return false, nil
	}
	return err == nil, err
}
