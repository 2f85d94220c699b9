package fsstore

import "acc/schema"

// checkpoint makes every applied file durable and starts a new epoch. The
// head is invalid in between, so a crash here leads to a recovery.
func (s *Store) checkpoint(h head) error {
	if err := invalidateHead(s.headFile); err != nil {
		return ioError("cut the journal", err)
	}
	_, ops, err := s.scan()
	if err != nil {
		return err
	}
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = o.Name
	}
	if err := s.disk.SyncAll(names); err != nil {
		return s.fail("make the room durable", err)
	}
	if err := s.journal.writeHeader(&header{Epoch: h.Epoch + 1, Seq: h.Seq, State: h.State}); err != nil {
		return s.fail("cut the journal", err)
	}
	return s.setHead(head{Epoch: h.Epoch + 1, Seq: h.Seq, Tail: recordsStart, State: h.State})
}

func (s *Store) setHead(h head) error {
	if err := writeHead(s.headFile, h); err != nil {
		return ioError("note where the journal stands", err)
	}
	return nil
}

// fail makes the store refuse every further write: after a failed sync the
// kernel may have dropped the data, and a second sync would not say so.
func (s *Store) fail(what string, err error) error {
	s.env.Log.Error("the store stops writing", "what", what, "error", err)
	s.failed = schema.Fail(schema.ReasonStoreFailed,
		"could not %s: the disk reported a failure. Nothing more is written by this process; check the disk, then restart it.", what).Because(err)
	return s.failed
}
