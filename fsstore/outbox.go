package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path"
	"sync"

	"acc/schema"
)

// Unpublished lists what waits to be published, oldest first: a checkout was
// gone, or could not be written.
func (s *Store) Unpublished() ([]Publication, error) {
	entries, err := s.disk.List(outboxDir)
	if err != nil {
		return nil, ioError("read the room", err)
	}
	var waiting []Publication
	for _, e := range entries {
		name := path.Join(outboxDir, e.Name())
		var p Publication
		data, err := s.disk.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its author has published it meanwhile
		}
		if err == nil {
			err = schema.Decode(data, &p)
		}
		if err == nil && name != outboxName(p.MessageID) {
			err = errNotItsName
		}
		if err != nil {
			s.damage.report(name, err)
			continue
		}
		waiting = append(waiting, p)
	}
	return waiting, nil
}

// errNotItsName is a copy of a record under a name that is not its own.
var errNotItsName = errors.New("it holds another record than its name says")

// PublishLeft tries again whatever waits to be published. Opening a room does
// so, and so does Import.
func (s *Store) PublishLeft(ctx context.Context) {
	if s.readOnly {
		return
	}
	waiting, err := s.Unpublished()
	if err != nil {
		s.env.Log.Warn("what waits to be published cannot be read", "error", err)
		return
	}
	s.publishAll(ctx, waiting)
}

// Forget gives up publishing a message: its checkout will not come back. The
// message stays in the room.
func (s *Store) Forget(ctx context.Context, messageID string) error {
	return s.commit(ctx, func(tx *Tx) error {
		tx.removeIfThere(outboxName(messageID))
		return nil
	})
}

// publishAll publishes what it can and takes back the notes of that. The author
// of a message and a look at what was left may both be at it in one process:
// they take turns, and whoever comes second finds nothing to do.
func (s *Store) publishAll(ctx context.Context, waiting []Publication) {
	s.outbox.turn.Lock()
	defer s.outbox.turn.Unlock()
	var done []string
	for _, p := range waiting {
		if err := s.publishOne(p); err != nil {
			s.outbox.report(s.env.Log, p, err)
			continue
		}
		done = append(done, outboxName(p.MessageID))
	}
	if len(done) == 0 {
		return
	}
	err := s.commit(ctx, func(tx *Tx) error {
		for _, name := range done {
			tx.removeIfThere(name)
		}
		return nil
	})
	if err != nil {
		s.env.Log.Warn("what was published is not noted; the next use of the room notes it", "error", err)
	}
}

// outbox remembers what was reported, so that trying again makes no noise.
type outbox struct {
	turn     sync.Mutex // of those who publish
	mu       sync.Mutex
	reported map[string]bool
}

func (o *outbox) report(log *slog.Logger, p Publication, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.reported[p.MessageID] {
		return
	}
	if o.reported == nil {
		o.reported = map[string]bool{}
	}
	o.reported[p.MessageID] = true
	log.Warn("a message is in the room but could not be published in its author's checkout; it is tried again, and acc doctor shows it",
		"message", p.MessageID, "checkout", p.Checkout, "error", err)
}
