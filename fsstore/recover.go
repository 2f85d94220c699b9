package fsstore

import (
	"bytes"
	"errors"
	"io/fs"

	"acc/schema"
)

// head returns where the journal stands; false when a process died between
// deciding a transaction and applying it, or in a checkpoint. A room that can
// only be read is shown as it lies there.
func (s *Store) head() (head, bool) {
	if s.readOnly {
		data, _ := s.disk.Read(headName)
		h, _ := parseHead(data)
		return h, true
	}
	h, ok := readHead(s.headFile)
	return h, ok && !s.journal.peek(h.Tail, h.Epoch, h.Seq+1)
}

// settledHead applies what a dead process left decided and returns the head.
// It needs the exclusive lock.
func (s *Store) settledHead() (head, error) {
	h, ok := readHead(s.headFile)
	if !ok {
		return s.recoverAll()
	}
	for s.journal.peek(h.Tail, h.Epoch, h.Seq+1) {
		r, end, err := s.journal.read(h.Tail, h.Epoch, h.Seq+1)
		if errors.Is(err, errNoRecord) {
			// Its writer was killed in the middle of writing it.
			return h, s.takeBack(h.Tail)
		}
		if err != nil {
			return head{}, ioError("read the journal", err)
		}
		// The record may be whole in memory and not on the disk: its writer died
		// before or after the sync. Its effects must not become visible first.
		if err := s.journal.f.Sync(); err != nil {
			return head{}, s.fail("sync the journal", err)
		}
		if h, err = s.replay(r, end); err != nil {
			return head{}, err
		}
	}
	return h, nil
}

func (s *Store) replay(r *record, end int64) (head, error) {
	for _, o := range r.Ops {
		if err := s.redo(o); err != nil {
			return head{}, ioError("finish an interrupted write", err)
		}
	}
	h := head{Epoch: r.Epoch, Seq: r.Seq, Tail: end, State: r.State}
	s.env.Log.Info("finished the write of a process that was killed", "seq", r.Seq)
	return h, s.setHead(h)
}

// takeBack removes a record that is not decided from the journal.
func (s *Store) takeBack(off int64) error {
	if err := s.journal.erase(off); err != nil {
		return s.fail("take back a write", err)
	}
	return nil
}

// recoverAll brings every file to the state that the journal decided, and
// makes the head anew. Running it twice changes nothing.
func (s *Store) recoverAll() (head, error) {
	h, last, err := s.scan()
	if err != nil {
		return head{}, err
	}
	if len(last) > 0 {
		if err := s.journal.f.Sync(); err != nil {
			return head{}, s.fail("sync the journal", err)
		}
	}
	for _, o := range last {
		if err := s.redo(o); err != nil {
			return head{}, ioError("finish an interrupted write", err)
		}
	}
	s.sweep()
	return h, s.setHead(h)
}

// scan reads the journal from its last checkpoint to the first record that is
// not whole. It returns the head and the operations that still count: the
// last put or remove of each name, and every append.
func (s *Store) scan() (head, []op, error) {
	header, err := s.journal.readHeader()
	if err != nil {
		return head{}, nil, damagedJournal(err)
	}
	h := head{Epoch: header.Epoch, Seq: header.Seq, Tail: recordsStart, State: header.State}
	var ops []op
	for {
		r, end, err := s.journal.read(h.Tail, h.Epoch, h.Seq+1)
		if errors.Is(err, errNoRecord) {
			break
		}
		if err != nil {
			return head{}, nil, ioError("read the journal", err)
		}
		ops = append(ops, r.Ops...)
		h = head{Epoch: r.Epoch, Seq: r.Seq, Tail: end, State: r.State}
	}
	// Going on as if what follows a gap had never been would write new events
	// and ids over decided ones.
	if lost, err := s.journal.goesOn(h.Tail, h.Epoch, h.Seq+2); lost || err != nil {
		return head{}, nil, damagedJournal(err)
	}
	return h, effective(ops), nil
}

func damagedJournal(cause error) error {
	return schema.Fail(schema.ReasonStoreFailed,
		"the journal of .acc/ cannot be read; remove .acc/run/ and open the room again: it is rebuilt from the records.").Because(cause)
}

// effective drops the puts and removes that later ones undo.
func effective(ops []op) []op {
	latest := map[string]int{}
	for i, o := range ops {
		if o.Kind != opAppend {
			latest[o.Name] = i
		}
	}
	var kept []op
	for i, o := range ops {
		if o.Kind == opAppend || latest[o.Name] == i {
			kept = append(kept, o)
		}
	}
	return kept
}

// redo makes one operation true. What is true already is left alone: it is as
// durable as the journal, which covers it until the next checkpoint.
func (s *Store) redo(o op) error {
	switch o.Kind {
	case opRemove:
		if err := s.disk.Remove(o.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case opAppend:
		if o.Name == decisionsLog && o.Offset > 0 {
			// One that was removed stays so until it is made anew from the start.
			if there, err := taken(s.disk, o.Name); !there || err != nil {
				return err
			}
		}
		return s.append(o)
	}
	if have, err := s.disk.Read(o.Name); err == nil && bytes.Equal(have, o.data) {
		return nil
	}
	// Both directories may have been removed since this process made them.
	temp := s.tempName()
	if err := errors.Join(s.makeDir(o.Name), s.makeDir(temp)); err != nil {
		return err
	}
	if err := s.disk.Create(temp, o.data, perm(o.Name)); err != nil {
		return err
	}
	return s.disk.Rename(temp, o.Name)
}
