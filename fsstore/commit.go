package fsstore

import (
	"errors"
	"io/fs"

	"acc/schema"
)

// commit stages, decides and applies. Until the record is synced every error
// leaves the room as it was.
func (tx *Tx) commit() error {
	ops := tx.operations()
	if len(ops) == 0 {
		err := tx.confirm()
		if err == nil {
			tx.look()
		}
		return err
	}
	r := &record{Epoch: tx.head.Epoch, Seq: tx.head.Seq + 1, State: tx.next, Ops: ops}
	h, temps, err := tx.stageAndDecide(r)
	if err != nil {
		tx.store.discard(temps)
		return err
	}
	return tx.store.apply(h, r, temps)
}

func (tx *Tx) stageAndDecide(r *record) (h head, temps []string, err error) {
	if temps, err = tx.store.stage(r.Ops); err != nil {
		return h, temps, ioError("write to the room", err)
	}
	if err = tx.confirm(); err != nil {
		return h, temps, err
	}
	h, err = tx.decide(r)
	return h, temps, err
}

// decide writes the record and syncs it. Meanwhile the next transaction is
// built, and what was to run meanwhile runs.
func (tx *Tx) decide(r *record) (head, error) {
	h, err := tx.store.writeRecord(tx.head, r)
	if err != nil {
		return h, err
	}
	tx.entry.letNextIn()
	looked := tx.beginLook()
	defer looked()
	return h, tx.store.syncRecord(r)
}

// look runs what was to run meanwhile.
func (tx *Tx) look() {
	for _, fn := range tx.meanwhile {
		fn()
	}
}

// beginLook is look in a goroutine of its own; looked waits for its end. A
// panic of it is one of the caller.
func (tx *Tx) beginLook() (looked func()) {
	if len(tx.meanwhile) == 0 {
		return func() {}
	}
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		tx.look()
	}()
	return func() {
		if p := <-done; p != nil {
			panic(p)
		}
	}
}

// stage writes the new files where nobody looks, so that a full disk shows
// before anything is decided.
func (s *Store) stage(ops []op) (temps []string, err error) {
	temps = make([]string, len(ops))
	for i, o := range ops {
		if err := s.stageable(o); err != nil {
			return temps, err
		}
		if o.Kind != opPut {
			continue
		}
		temp := s.tempName()
		if err := s.create(temp, o.data, perm(o.Name)); err != nil {
			return temps, err
		}
		temps[i] = temp
	}
	return temps, nil
}

// stageable makes the directory of a name and refuses what could not be
// applied once it is decided: something foreign stands in the way.
func (s *Store) stageable(o op) error {
	mode, err := s.disk.Type(o.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.makeDir(o.Name)
	case err == nil && !mode.IsRegular():
		s.damage.report(o.Name, errNotRegular)
		return schema.Fail(schema.ReasonRecordDamaged,
			"%s in .acc/ is no file; it was left as it is. Move it away, then try again.", o.Name)
	}
	return err
}

func (s *Store) discard(temps []string) {
	for _, temp := range temps {
		if temp != "" {
			_ = s.disk.Remove(temp)
		}
	}
}

// writeRecord writes the record to the journal. It returns the head as it will be
// once the record is applied. A journal that is full is cut first.
func (s *Store) writeRecord(h head, r *record) (head, error) {
	data, err := r.encode()
	if err != nil {
		return h, err
	}
	if h.Tail+int64(len(data)) > s.journalSize && h.Tail > recordsStart {
		if err := s.checkpoint(h); err != nil {
			return h, err
		}
		h = head{Epoch: h.Epoch + 1, Seq: h.Seq, Tail: recordsStart}
		r.Epoch = h.Epoch
		if data, err = r.encode(); err != nil {
			return h, err
		}
	}
	r.Off = h.Tail
	if _, err := s.journal.f.WriteAt(data, r.Off); err != nil {
		if err := s.takeBack(r.Off); err != nil {
			return h, err
		}
		return h, ioError("write to the room", err)
	}
	return head{Epoch: r.Epoch, Seq: r.Seq, Tail: h.Tail + int64(len(data)), State: r.State}, nil
}

// syncRecord makes a record durable.
func (s *Store) syncRecord(r *record) error {
	err := s.journal.f.Sync()
	if err == nil {
		return nil
	}
	// No second sync: it would report success for data that is gone.
	_ = s.journal.blank(r.Off)
	return s.fail("make the write durable", err)
}

// apply makes a decided transaction visible. A log that cannot grow is found
// out before any file has moved, and the decision is taken back.
//
// Any later failure is not one of the transaction: it is durable, and whoever
// takes the lock next completes it before anybody sees half of it.
func (s *Store) apply(h head, r *record, temps []string) error {
	for _, o := range r.Ops {
		if o.Kind != opAppend {
			continue
		}
		if err := s.append(o); err != nil {
			return s.retract(r, temps, err)
		}
	}
	for i, o := range r.Ops {
		if err := s.publishOp(o, temps[i]); err != nil {
			s.discard(temps[i:])
			s.env.Log.Error("a decided write could not be applied; the next use of the room tries again", "error", err)
			return nil
		}
	}
	if err := s.setHead(h); err != nil {
		s.env.Log.Error("a decided write is applied and not noted; the next use of the room notes it", "error", err)
	}
	return nil
}

// publishOp applies one operation of a transaction that was just staged.
func (s *Store) publishOp(o op, temp string) error {
	if o.Kind == opAppend {
		return nil
	}
	if o.Kind == opPut && s.disk.Rename(temp, o.Name) == nil {
		return nil
	}
	return s.redo(o) // a directory was removed by hand, perhaps
}

// retract undoes a decision of which nothing is visible yet.
func (s *Store) retract(r *record, temps []string, cause error) error {
	if err := s.takeBack(r.Off); err != nil {
		return err
	}
	for _, o := range r.Ops {
		if o.Kind == opAppend {
			s.cutLog(o)
		}
	}
	s.discard(temps)
	return ioError("write to the room", cause)
}
