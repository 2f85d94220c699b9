package fsstore

import (
	"time"

	"acc/schema"
)

// Tx is a transaction in the making. It reads what it wrote itself. Nothing
// it writes is visible to anybody before Update returns.
type Tx struct {
	View
	entry *entry
	now   time.Time
	next  state
	puts  []op
	logs  []op
	// outbox is what is published once the transaction is decided.
	outbox   []Publication
	imported []*schema.Message // decisions that came with the code, so far
	// meanwhile runs while the disk makes the decision durable.
	meanwhile []func()
}

func newTx(s *Store, e *entry, h head) *Tx {
	return &Tx{
		View:  View{store: s, head: h, staged: map[string][]byte{}},
		entry: e,
		now:   s.env.Now(),
		next:  h.State,
	}
}

// Now is the time of the transaction, by the clock.
func (tx *Tx) Now() time.Time { return tx.now }

// Meanwhile lets fn run once the transaction is complete, beside the disk that
// makes it durable: what only looks at the room costs no time there. fn reads
// alone, and has run when Update succeeds.
func (tx *Tx) Meanwhile(fn func()) { tx.meanwhile = append(tx.meanwhile, fn) }

func (tx *Tx) put(name string, r schema.Record) error {
	data, err := schema.Encode(r)
	if err != nil {
		return err
	}
	tx.putData(name, data)
	return nil
}

func (tx *Tx) putData(name string, data []byte) {
	tx.staged[name] = data
	tx.puts = append(tx.puts, op{Kind: opPut, Name: name, Size: len(data), data: data})
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
func (tx *Tx) operations() []op { return append(tx.logs, effective(tx.puts)...) }
