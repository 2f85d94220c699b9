package fsstore

import (
	"context"

	"acc/schema"
)

// What takes long in a transaction is the disk that makes it durable. So the
// next one is built meanwhile, by whoever is next at the gate: upon the files
// as they are and, over them, what the journal says that they will be. Only
// with the lock it goes on, when the one before it is durable and visible. If
// that one never is, neither is what was built upon it.

// build runs fn, while another transaction may be on its way to the disk, and
// commits what it wrote.
func (s *Store) build(ctx context.Context, fn func(*Tx) error) error {
	return s.asWriter(ctx, func(e *entry) error {
		tx, err := s.begin(e)
		if err != nil {
			return err
		}
		return tx.run(fn)
	})
}

// commit is build with the lock from the beginning.
func (s *Store) commit(ctx context.Context, fn func(*Tx) error) error {
	return s.asWriter(ctx, func(e *entry) error {
		h, err := s.lockedHead(e)
		if err != nil {
			return err
		}
		return newTx(s, e, h).run(fn)
	})
}

func (tx *Tx) run(fn func(*Tx) error) error {
	if err := fn(tx); err != nil {
		// Nobody is refused for what might never be.
		if notYet := tx.confirm(); notYet != nil {
			return notYet
		}
		return err
	}
	return tx.commit()
}

// begin starts a transaction on what is there and what is decided.
func (s *Store) begin(e *entry) (*Tx, error) {
	if !e.locked() {
		if tx, ok := s.ahead(e); ok {
			return tx, nil
		}
	}
	h, err := s.lockedHead(e)
	if err != nil {
		return nil, err
	}
	return newTx(s, e, h), nil
}

// ahead starts a transaction upon the one that another process has written to
// the journal. It reports false where that cannot be read: the lock will tell.
//
// The head may be written at this moment. Its sum shows that.
func (s *Store) ahead(e *entry) (*Tx, bool) {
	h, ok := readHead(s.headFile)
	if !ok {
		return nil, false
	}
	tx := newTx(s, e, h)
	for s.journal.peek(tx.head.Tail, tx.head.Epoch, tx.head.Seq+1) {
		r, end, err := s.journal.read(tx.head.Tail, tx.head.Epoch, tx.head.Seq+1)
		if err != nil {
			return nil, false
		}
		tx.expect(r)
		tx.head = head{Epoch: r.Epoch, Seq: r.Seq, Tail: end, State: r.State}
	}
	tx.next = tx.head.State
	tx.lockFirst = tx.confirm
	return tx, true
}

// expect lays what a transaction will have written over the files.
func (tx *Tx) expect(r *record) {
	for _, o := range r.Ops {
		switch o.Kind {
		case opPut:
			tx.staged[o.Name] = o.data
		case opRemove:
			tx.staged[o.Name] = nil
		}
	}
}

// confirm waits for the lock. It fails when what the transaction was built upon
// has not come true.
func (tx *Tx) confirm() error {
	if tx.lockFirst == nil {
		return nil
	}
	h, err := tx.store.lockedHead(tx.entry)
	if err != nil {
		return err
	}
	if h != tx.head {
		return schema.Fail(schema.ReasonStoreFailed,
			"the write before this one failed, and this one was built upon it; nothing was changed, try again.")
	}
	tx.lockFirst = nil
	return nil
}
