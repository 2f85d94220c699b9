package fsstore

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"

	"github.com/gofrs/flock"
)

// offersDir holds the locks of messages that are being handed to a client.
const offersDir = "run/offers"

// offerLocks is how many locks there are. Messages share them, so that there
// is no file a message; whoever meets a lock that is held comes again later.
const offerLocks = 64

func offerName(participant, messageID string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(participant + "/" + messageID))
	return fmt.Sprintf("%s/%02x.lock", offersDir, h.Sum32()%offerLocks)
}

func parseOffer(base string) bool {
	var n int
	count, err := fmt.Sscanf(base, "%02x.lock", &n)
	return err == nil && count == 1 && n >= 0 && n < offerLocks && base == fmt.Sprintf("%02x.lock", n)
}

// Offering is the right to hand messages to the client of one participant,
// until Close. It is a kernel lock and ends with its process.
type Offering struct {
	store       *Store
	participant string
	locks       map[string]*flock.Flock // by name
}

// Offer prepares to hand messages to a participant. The Offering outlives the
// view.
func (v *View) Offer(participant string) *Offering {
	return &Offering{store: v.store, participant: participant, locks: map[string]*flock.Flock{}}
}

// Take gets the right to hand over one message; false while another adapter
// has it. It never waits.
func (o *Offering) Take(messageID string) (bool, error) {
	name := offerName(o.participant, messageID)
	if o.locks[name] != nil {
		return true, nil
	}
	lock, err := o.store.tryLock(name)
	if lock == nil || err != nil {
		return false, err
	}
	o.locks[name] = lock
	return true, nil
}

// Close gives up the right to every message.
func (o *Offering) Close() {
	for _, lock := range o.locks {
		_ = lock.Close()
	}
	clear(o.locks)
}

// tryLock takes the exclusive lock of a file, which it makes where there is
// none; nil while another has it.
func (s *Store) tryLock(name string) (*flock.Flock, error) {
	lock := openLock(s.lockPath(name))
	ok, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeLock(name); err == nil {
			ok, err = lock.TryLock()
		}
	}
	if ok && err == nil {
		return lock, nil
	}
	_ = lock.Close()
	if err != nil {
		err = ioError("take the right to deliver", err)
	}
	return nil, err
}

// makeLock makes an empty file to lock, through the root of the room.
func (s *Store) makeLock(name string) error {
	if err := s.makeDir(name); err != nil {
		return err
	}
	f, err := s.disk.Open(name, true, perm(name))
	if err != nil {
		return err
	}
	return f.Close()
}
