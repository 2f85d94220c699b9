package fsstore

import (
	"errors"
	"io"
	"math"

	"golang.org/x/sys/unix"
)

// The file of the gate has room for a queue: byte n is locked by whoever has
// place n, for as long as he has it. Locks are all there is, nothing is
// written, so who dies leaves the queue.
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

// queue is a place in the queue, or the wait for one. A file on which it
// cannot be kept, such as one that may only be read, has none: it is about
// fairness alone.
type queue struct {
	fd    int // -1 without a queue
	place int64
	ahead int64 // the place before this one that was taken, 0 for none
}

// queueUp prepares a place in the queue of a gate.
func queueUp(gate string) *queue {
	fd, err := unix.Open(gate, unix.O_RDWR|unix.O_CLOEXEC|noFollow|nonBlock, 0)
	if err != nil {
		fd = -1
	}
	return &queue{fd: fd}
}

// take gets to the head of the queue.
func (q *queue) take(wait bool) (bool, error) {
	for q.fd >= 0 && (q.place == 0 || q.ahead > 0) {
		ok, err := q.step(wait)
		if err != nil {
			q.leave()
		} else if !ok {
			return false, nil
		}
	}
	return true, nil
}

// step gets a place, and then waits for the one ahead.
func (q *queue) step(wait bool) (bool, error) {
	if q.place == 0 {
		return q.enter(wait)
	}
	ok, err := q.lock(unix.F_RDLCK, q.ahead, wait)
	if ok {
		q.ahead = 0
	}
	return ok, err
}

// enter takes the place behind the last one that is taken.
func (q *queue) enter(wait bool) (bool, error) {
	if ok, err := q.lock(unix.F_WRLCK, doorByte, wait); !ok {
		return false, err
	}
	last, err := q.last()
	if err != nil {
		return false, err
	}
	if ok, err := q.lock(unix.F_WRLCK, last+1, false); !ok {
		return false, errors.Join(err, errNoQueue)
	}
	q.place, q.ahead = last+1, last
	return q.lock(unix.F_UNLCK, doorByte, false)
}

// last is the last place that is taken, 0 for none.
func (q *queue) last() (last int64, err error) {
	for {
		l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: last + 1, Len: math.MaxInt64 - last - 1}
		if err := unix.FcntlFlock(uintptr(q.fd), unix.F_OFD_GETLK, &l); err != nil {
			return 0, err
		}
		if l.Type == unix.F_UNLCK {
			return last, nil
		}
		if l.Len == 0 {
			return 0, errNoQueue
		}
		last = l.Start + l.Len - 1
	}
}

// lock locks or unlocks one byte.
func (q *queue) lock(how int16, at int64, wait bool) (bool, error) {
	command := unix.F_OFD_SETLK
	if wait {
		command = unix.F_OFD_SETLKW
	}
	for {
		l := unix.Flock_t{Type: how, Whence: io.SeekStart, Start: at, Len: 1}
		switch err := unix.FcntlFlock(uintptr(q.fd), command, &l); err {
		case nil:
			return true, nil
		case unix.EINTR:
		case unix.EAGAIN, unix.EACCES:
			return false, nil
		default:
			return false, err
		}
	}
}

// leave gives the place back: closing the file unlocks its bytes.
func (q *queue) leave() {
	if q.fd >= 0 {
		_ = unix.Close(q.fd)
		q.fd = -1
	}
}
