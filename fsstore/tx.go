package fsstore

import (
	"errors"
	"io/fs"
	"time"

	"acc/schema"
)

// Tx is a transaction in the making. It reads what it wrote itself. Nothing
// it writes is visible to anybody before Update returns.
type Tx struct {
	View
	now  time.Time
	next state
	puts []op
	logs []op
}

func newTx(s *Store, h head) *Tx {
	return &Tx{
		View: View{store: s, head: h, staged: map[string][]byte{}},
		now:  s.env.Now(),
		next: h.State,
	}
}

// Now is the time of the transaction, by the clock.
func (tx *Tx) Now() time.Time { return tx.now }

func (tx *Tx) put(name string, r schema.Record) error {
	data, err := schema.Encode(r)
	if err != nil {
		return err
	}
	tx.staged[name] = data
	tx.puts = append(tx.puts, op{Kind: opPut, Name: name, Size: len(data), data: data})
	return nil
}

func (tx *Tx) remove(name string) {
	tx.staged[name] = nil
	tx.puts = append(tx.puts, op{Kind: opRemove, Name: name})
}

// appendLog adds bytes to a log that now ends at end.
func (tx *Tx) appendLog(name string, end int64, data []byte) {
	if n := len(tx.logs); n > 0 && tx.logs[n-1].Name == name {
		last := &tx.logs[n-1]
		last.data = append(last.data, data...)
		last.Size = len(last.data)
		return
	}
	tx.logs = append(tx.logs, op{Kind: opAppend, Name: name, Offset: end, Size: len(data), data: data})
}

// operations are what the journal records, the logs first: they are the only
// ones that need new space once the transaction is decided.
func (tx *Tx) operations() []op {
	latest := map[string]int{}
	for i, o := range tx.puts {
		latest[o.Name] = i
	}
	return append(tx.logs, live(tx.puts, latest)...)
}

// commit stages, decides and applies. Until the record is synced every error
// leaves the room as it was.
func (tx *Tx) commit() error {
	ops := tx.operations()
	if len(ops) == 0 {
		return nil
	}
	s := tx.store
	temps, err := s.stage(ops)
	if err != nil {
		s.discard(temps)
		return ioError("write to the room", err)
	}
	r := &record{Epoch: tx.head.Epoch, Seq: tx.head.Seq + 1, State: tx.next, Ops: ops}
	h, err := s.decide(tx.head, r)
	if err != nil {
		s.discard(temps)
		return err
	}
	return s.apply(h, r, temps)
}

// stage writes the new files where nobody looks, so that a full disk shows
// before anything is decided.
func (s *Store) stage(ops []op) (temps []string, err error) {
	temps = make([]string, len(ops))
	for i, o := range ops {
		if err := s.ensureDir(o.Name); err != nil {
			return temps, err
		}
		if o.Kind != opPut {
			continue
		}
		temp := s.tempName()
		if err := s.disk.Create(temp, o.data, perm(o.Name)); err != nil {
			return temps, err
		}
		temps[i] = temp
	}
	return temps, nil
}

func (s *Store) discard(temps []string) {
	for _, temp := range temps {
		if temp != "" {
			_ = s.disk.Remove(temp)
		}
	}
}

// decide writes the record and syncs it. It returns the head as it will be
// once the record is applied. A journal that is full is cut first.
func (s *Store) decide(h head, r *record) (head, error) {
	data, err := r.encode()
	if err != nil {
		return h, err
	}
	if h.Tail+int64(len(data)) > journalSize && h.Tail > recordsStart {
		if err := s.checkpoint(h); err != nil {
			return h, err
		}
		h = head{Epoch: h.Epoch + 1, Seq: h.Seq, Tail: recordsStart}
		r.Epoch = h.Epoch
		if data, err = r.encode(); err != nil {
			return h, err
		}
	}
	if _, err := s.journal.f.WriteAt(data, h.Tail); err != nil {
		_ = s.journal.erase(h.Tail)
		return h, ioError("write to the room", err)
	}
	if err := s.journal.f.Sync(); err != nil {
		_ = s.journal.erase(h.Tail)
		return h, s.fail("make the write durable", err)
	}
	return head{Epoch: r.Epoch, Seq: r.Seq, Tail: h.Tail + int64(len(data)), State: r.State}, nil
}

// apply makes a decided transaction visible. A log that cannot grow is found
// out before any file has moved, and the decision is taken back.
func (s *Store) apply(h head, r *record, temps []string) error {
	for i, o := range r.Ops {
		var err error
		switch o.Kind {
		case opAppend:
			if err = s.append(o); err != nil {
				return s.retract(h, r, temps, err)
			}
		case opPut:
			err = s.disk.Rename(temps[i], o.Name)
		case opRemove:
			if err = s.disk.Remove(o.Name); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err != nil {
			return ioError("finish a write that is decided; the next write completes it", err)
		}
	}
	if err := writeHead(s.headFile, h); err != nil {
		return ioError("finish a write that is decided; the next write completes it", err)
	}
	return nil
}

// retract undoes a decision of which nothing is visible yet.
func (s *Store) retract(h head, r *record, temps []string, cause error) error {
	size := int64(0)
	if data, err := r.encode(); err == nil {
		size = int64(len(data))
	}
	if err := s.journal.erase(h.Tail - size); err != nil {
		return s.fail("take back a write", err)
	}
	s.discard(temps)
	return ioError("write to the room", cause)
}
