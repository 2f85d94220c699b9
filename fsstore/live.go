package fsstore

import (
	"context"
	"time"
)

// run/live is locked, shared, by every process that has the room open for
// writing. Whoever can have it alone is alone, and must expect that a power
// cut came before: the head and the files may be older than the journal.
//
// Its exclusive lock is taken and given back only under the exclusive lock of
// the room. So a process that sees others in the room knows that they, or
// somebody before them, have made it whole.

// closeWait is how long a process that leaves waits for the lock of the room.
const closeWait = 500 * time.Millisecond

// arrive makes the room whole when nobody else is in it, and joins those who
// are. It needs the exclusive lock.
func (s *Store) arrive(ctx context.Context) error {
	alone, err := s.alone(ctx)
	if err != nil {
		return s.damagedRun(err)
	}
	if alone {
		if _, err := s.recoverAll(); err != nil {
			return err
		}
		// Not every system turns an exclusive lock into a shared one.
		if err := s.live.Unlock(); err != nil {
			return ioError("open the room", err)
		}
	}
	if err := s.live.RLock(); err != nil {
		return ioError("open the room", err)
	}
	return nil
}

// alone reports whether this process now holds run/live alone.
func (s *Store) alone(ctx context.Context) (bool, error) {
	if ok, err := s.live.TryLock(); ok || err != nil {
		return ok, err
	}
	// Others are in the room, or one that was killed in its recovery still
	// holds the exclusive lock while the kernel buries it. When a shared lock
	// is granted, the dead one is gone.
	ctx, cancel := context.WithTimeout(ctx, s.lockWait)
	defer cancel()
	shared := begin(newFileLock(s.live.Path(), false))
	if err := shared.wait(ctx); err != nil {
		return false, err
	}
	shared.giveBack()
	return s.live.TryLock()
}

// Close gives the room back. The last process to leave cuts the journal: the
// next one has nothing to check, and what people change in the files while
// nobody is there is not taken for damage by a power cut.
func (s *Store) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	defer s.release()
	if s.readOnly || s.closed.Load() {
		return nil
	}
	e, err := s.enter(ctx, true)
	s.closed.Store(true)
	if err != nil {
		return nil // the room is gone or busy: others see to the journal
	}
	defer e.leave()
	if s.wait(e) != nil {
		return nil
	}
	_ = s.live.Unlock()
	if last, err := s.live.TryLock(); err != nil || !last || s.failed != nil {
		return nil
	}
	h, err := s.settledHead()
	if err != nil || h.Tail == recordsStart {
		return err
	}
	return s.checkpoint(h)
}

func (s *Store) release() {
	_ = s.live.Close()
	s.logs.close()
	for _, f := range []file{s.journal.f, s.headFile} { // either may be missing
		if f != nil {
			_ = f.Close()
		}
	}
	_ = s.disk.Close()
}
