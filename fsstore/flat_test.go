package fsstore

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore/crashdisk"
	"acc/schema"
)

// cost is what was asked of a disk.
type cost struct {
	Opened, BytesRead, BytesWritten, Listed, Entries, Syncs int
}

// meter is a disk that counts what is asked of it.
type meter struct {
	disk
	cost *cost
}

func (m meter) Read(name string) ([]byte, error) {
	data, err := m.disk.Read(name)
	m.cost.Opened++
	m.cost.BytesRead += len(data)
	return data, err
}

func (m meter) ReadAt(name string, off int64, n int) ([]byte, error) {
	data, err := m.disk.ReadAt(name, off, n)
	m.cost.Opened++
	m.cost.BytesRead += len(data)
	return data, err
}

func (m meter) List(name string) ([]fs.DirEntry, error) {
	entries, err := m.disk.List(name)
	m.cost.Listed++
	m.cost.Entries += len(entries)
	return entries, err
}

func (m meter) Create(name string, data []byte, perm fs.FileMode) error {
	m.cost.Opened++
	m.cost.BytesWritten += len(data)
	return m.disk.Create(name, data, perm)
}

func (m meter) Open(name string, create bool, perm fs.FileMode) (file, error) {
	m.cost.Opened++
	f, err := m.disk.Open(name, create, perm)
	if err != nil {
		return nil, err
	}
	return meteredFile{f, m.cost}, nil
}

func (m meter) Same(name string, f file) bool { return m.disk.Same(name, f.(meteredFile).file) }

func (m meter) SyncAll(names []string) error {
	m.cost.Syncs++
	return m.disk.SyncAll(names)
}

type meteredFile struct {
	file
	cost *cost
}

func (f meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(p, off)
	f.cost.BytesRead += n
	return n, err
}

func (f meteredFile) WriteAt(p []byte, off int64) (int, error) {
	f.cost.BytesWritten += len(p)
	return f.file.WriteAt(p, off)
}

func (f meteredFile) Sync() error {
	f.cost.Syncs++
	return f.file.Sync()
}

// fill adds settled messages in large transactions.
func fill(t testing.TB, s *Store, me schema.Session, count int) {
	t.Helper()
	const batch = 500
	for done := 0; done < count; done += batch {
		update(t, s, func(tx *Tx) error {
			for range min(batch, count-done) {
				if _, err := settledTx(tx, me, "bob"); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// settledTx sends a note that its recipient has read already.
func settledTx(tx *Tx, me schema.Session, to string) (*schema.Message, error) {
	m, err := sendTx(tx, me, note())
	if err != nil {
		return nil, err
	}
	return m, tx.PutReceipt(m, "", &schema.Receipt{
		SchemaVersion: schema.Version, MessageID: m.MessageID, RecipientParticipantID: to,
		State: schema.Retrieved, UpdatedAt: m.SentAt,
	})
}

// TestCostDoesNotGrow holds the store to its promise that nothing but a page
// of history depends on how many messages are settled.
func TestCostDoesNotGrow(t *testing.T) {
	// The last file of the event log is equally long in both rooms: it has a
	// thousand events at most, and where one of them is found is searched.
	few, many := costs(t, 100), costs(t, settledMessages)
	page := "history page"
	t.Logf("%s: %+v, then %+v", page, few[page], many[page])
	if few[page].Opened != many[page].Opened || few[page].BytesRead != many[page].BytesRead {
		t.Errorf("a page of history opens more files: %+v, then %+v", few[page], many[page])
	}
	delete(few, page)
	delete(many, page)
	sameDigits := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".BytesWritten" },
		cmp.Comparer(func(a, b int) bool { return max(a, b)-min(a, b) < 32 })) // the numbers in the journal grow
	if diff := cmp.Diff(few, many, sameDigits); diff != "" {
		t.Errorf("cost grows with the number of messages (-few +many):\n%s", diff)
	}
	for what, c := range many {
		t.Logf("%s: %+v", what, c)
	}
}

// costs measures each operation in a room with some settled messages.
func costs(t *testing.T, settled int) map[string]cost {
	t.Helper()
	count := &cost{}
	env := testEnv(newTestClock(), &testLog{})
	s, err := Init(onDisk(t, meter{crashdisk.New(newTestClock().now), count}, &env), env)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	me := join(t, s, "alice")
	join(t, s, "bob")
	fill(t, s, me, settled)
	for range 30 {
		send(t, s, me, note("bob"))
	}
	update(t, s, func(tx *Tx) error { _, err := claimTx(tx, me, "file:a.go"); return err })

	all := map[string]cost{}
	for what, do := range map[string]func(*View) error{
		"inbox page": func(v *View) error { return readInbox(v, "bob", 20) },
		"events":     func(v *View) error { _, err := v.Events(v.Cursor()-50, 50); return err },
		"claims":     func(v *View) error { _, err := v.Claims(); return err },
		"history page": func(v *View) error {
			read := 0
			for ref, err := range v.History("") {
				if err != nil {
					return err
				}
				if _, err := v.MessageByRef(ref); err != nil {
					return err
				}
				if read++; read == 20 {
					break
				}
			}
			return nil
		},
	} {
		*count = cost{}
		view(t, s, do)
		all[what] = *count
	}
	*count = cost{}
	send(t, s, me, letter{to: []string{"bob"}, kind: schema.Note, obligation: schema.OweNothing, key: "a key"})
	all["send"] = *count
	return all
}

// readInbox reads what a page of the inbox shows.
func readInbox(v *View, who string, limit int) error {
	entries, err := v.Inbox(who)
	if err != nil {
		return err
	}
	for _, e := range entries[max(0, len(entries)-limit):] {
		if _, err := v.MessageByRef(MessageRef{e.MessageID, e.Kind}); err != nil {
			return err
		}
		if _, err := v.OpenReceipt(who, e); err != nil {
			return err
		}
	}
	return nil
}
