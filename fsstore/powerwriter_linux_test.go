//go:build powercut

package fsstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"acc/schema"
)

// powerPart holds the part of a child, powerRequired says that not to run is
// to fail.
const (
	powerPart     = "ACC_TEST_POWER"
	powerRequired = "ACC_POWERCUT_REQUIRED"
)

// part is what a child does in a room.
type part struct {
	Dir, Name string
	Seed      uint64
	Small     bool   // with a journal that is full after a few writes
	Actions   int    // how many until it leaves; 0 is none but to open the room
	Idle      bool   // it stays, and does nothing, when it has done them
	Stop      string // it stops for good at an operation of this kind, "" for any,
	At        int    // at the how manieth of them; 0 is never
}

// said is one line that a child reports to its parent. What is acknowledged is
// a promise, whatever happens then; opening and finishing are said before they are
// tried.
type said struct {
	What        happening
	Participant string
	Session     string
	Room        string            // the workspace, when it is open
	Messages    []string          `json:",omitempty"`
	Keys        map[string]string `json:",omitempty"` // key to message
	Settled     string            `json:",omitempty"` // a message that the sender acknowledged
	Claims      []string          `json:",omitempty"`
	Until       time.Time         `json:",omitzero"` // when their leases end
	Handoff     string            `json:",omitempty"`
}

// happening is what a line speaks of.
type happening string

const (
	opening   happening = "opening"
	opened    happening = "opened"
	joined    happening = "joined"
	did       happening = "did"
	finishing happening = "finishing"
	finished  happening = "finished"
	stopped   happening = "stopped"
	idle      happening = "idle"
	left      happening = "left"
)

// TestPowerChild is the part of a child and no test.
func TestPowerChild(t *testing.T) {
	text := os.Getenv(powerPart)
	if text == "" {
		return
	}
	w := &powerWriter{out: json.NewEncoder(os.NewFile(3, "acknowledged"))}
	err := json.Unmarshal([]byte(text), &w.part)
	if err == nil {
		err = w.play()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err, errors.Unwrap(err))
		os.Exit(1)
	}
	os.Exit(0)
}

type powerWriter struct {
	part
	out    *json.Encoder
	s      *Store
	random *rand.Rand
	me     schema.Session
	claims []*schema.Claim
	count  int
}

func (w *powerWriter) say(line said) error {
	line.Session, line.Participant = w.me.SessionID, w.Name
	if w.s != nil {
		line.Room = w.s.workspace.WorkspaceID
	}
	return w.out.Encode(line)
}

func (w *powerWriter) play() (err error) {
	w.random = rand.New(rand.NewPCG(w.Seed, 1))
	env, set := RealEnv(slog.New(slog.DiscardHandler)), usual()
	if w.Small {
		set.journalSize = smallJournal
	}
	if w.At > 0 {
		env.Disk = func(d disk) disk { return &stopDisk{d, &stopper{kind: w.Stop, say: w.say, at: int64(w.At)}} }
	}
	if err := w.say(said{What: opening}); err != nil {
		return err
	}
	if w.s, err = initialise(w.Dir, env, set); err != nil {
		return err
	}
	if err := w.say(said{What: opened}); err != nil {
		return err
	}
	if err := w.act(); err != nil {
		return err
	}
	if w.Idle {
		err := w.say(said{What: idle})
		<-context.Background().Done()
		return err
	}
	err = w.s.Close()
	return errors.Join(err, w.say(said{What: left}))
}

func (w *powerWriter) act() error {
	for range w.Actions {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// next does one thing that people do in rooms.
func (w *powerWriter) next() error {
	if w.me.SessionID == "" {
		return w.join()
	}
	_ = w.s.Heartbeat(w.me.SessionID)
	switch n := w.random.IntN(20); {
	case n < 6:
		return w.note()
	case n < 11:
		return w.askAndAnswer()
	case n < 13:
		return w.decide()
	case n < 15:
		return w.claim()
	case n < 19:
		return w.renew()
	}
	return w.finish()
}

func (w *powerWriter) update(fn func(*Tx) error) error { return w.s.Update(context.Background(), fn) }

func (w *powerWriter) join() error {
	var me schema.Session
	if err := w.update(func(tx *Tx) (err error) { me, err = joinTx(tx, w.Name); return err }); err != nil {
		return err
	}
	w.me, w.claims = me, nil
	return w.say(said{What: joined})
}

// note sends one with a key to be found by, sometimes a long one.
func (w *powerWriter) note() error {
	w.count++
	l := note("bob", w.Name)
	l.key = fmt.Sprintf("%d-%d", w.Seed, w.count)
	l.body = strings.Repeat("long ", w.random.IntN(2)*w.random.IntN(4000))
	var m *schema.Message
	if err := w.update(func(tx *Tx) (err error) { m, err = sendTx(tx, w.me, l); return err }); err != nil {
		return err
	}
	return w.say(said{What: did, Messages: []string{m.MessageID}, Keys: map[string]string{l.key: m.MessageID}})
}

// askAndAnswer asks itself, and answers and settles that in one transaction.
func (w *powerWriter) askAndAnswer() error {
	var q, a *schema.Message
	if err := w.update(func(tx *Tx) (err error) { q, err = sendTx(tx, w.me, question("bob", w.Name)); return err }); err != nil {
		return err
	}
	if err := w.say(said{What: did, Messages: []string{q.MessageID}}); err != nil {
		return err
	}
	err := w.update(func(tx *Tx) (err error) {
		a, err = sendTx(tx, w.me, letter{to: []string{"bob"}, kind: schema.Answer, obligation: schema.OweNothing, replyTo: q})
		return errors.Join(err, advanceTx(tx, w.me, q, schema.Acknowledged))
	})
	if err != nil {
		return err
	}
	return w.say(said{What: did, Messages: []string{a.MessageID}, Settled: q.MessageID})
}

func (w *powerWriter) decide() error {
	var m *schema.Message
	l := letter{kind: schema.Decision, obligation: schema.OweNothing}
	if err := w.update(func(tx *Tx) (err error) { m, err = sendTx(tx, w.me, l); return err }); err != nil {
		return err
	}
	return w.say(said{What: did, Messages: []string{m.MessageID}})
}

// claimBatch is how many claims are made at once: all of them or none.
const claimBatch = 3

func (w *powerWriter) claim() error {
	var batch []*schema.Claim
	err := w.update(func(tx *Tx) error {
		batch = nil
		for i := range claimBatch {
			c, err := claimTx(tx, w.me, schema.Resource(fmt.Sprintf("file:%s/%d-%d.go", w.me.SessionID, len(w.claims), i)))
			if err != nil {
				return err
			}
			batch = append(batch, c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.claims = append(w.claims, batch...)
	return w.sayClaims(batch)
}

func (w *powerWriter) sayClaims(claims []*schema.Claim) error {
	line := said{What: did, Until: claims[0].ExpiresAt.Time}
	for _, c := range claims {
		line.Claims = append(line.Claims, c.ClaimID)
	}
	return w.say(line)
}

// renew replaces files by others of the same length.
func (w *powerWriter) renew() error {
	if len(w.claims) == 0 {
		return w.claim()
	}
	c := *w.claims[w.random.IntN(len(w.claims))]
	err := w.update(func(tx *Tx) error {
		c.ExpiresAt = schema.At(tx.Now().Add(schema.DefaultLease))
		return tx.PutClaim(&c)
	})
	if err != nil {
		return err
	}
	return w.sayClaims([]*schema.Claim{&c})
}

// finish leaves a published handoff, lets go of all claims and ends the session.
func (w *powerWriter) finish() error {
	if err := w.say(said{What: finishing}); err != nil {
		return err
	}
	var m *schema.Message
	err := w.update(func(tx *Tx) (err error) {
		if m, err = finishTx(tx, w.me, note("bob")); err != nil {
			return err
		}
		return tx.Publish(m, Workspace{Root: w.Dir, Checkout: w.Dir})
	})
	if err != nil {
		return err
	}
	err = w.say(said{What: finished, Messages: []string{m.MessageID}, Handoff: m.MessageID})
	w.me = schema.Session{}
	return err
}

// stopper stops its process for good at one operation, and says so.
type stopper struct {
	kind string
	say  func(said) error
	at   int64
	seen atomic.Int64
}

func (s *stopper) step(kind string) {
	if s.kind != "" && s.kind != kind || s.seen.Add(1) != s.at {
		return
	}
	_ = s.say(said{What: stopped})
	select {}
}

// stopCheckpoint is every step of a checkpoint.
const stopCheckpoint = "checkpoint"

// stopDisk stops before or behind an operation that changes something.
type stopDisk struct {
	disk
	*stopper
}

func (d *stopDisk) Create(name string, data []byte, perm fs.FileMode) error {
	d.step("create")
	return d.disk.Create(name, data, perm)
}

func (d *stopDisk) Rename(from, to string) error {
	d.step("rename")
	return d.disk.Rename(from, to)
}

func (d *stopDisk) Remove(name string) error {
	d.step("remove")
	return d.disk.Remove(name)
}

func (d *stopDisk) SyncAll(names []string) error {
	d.step(stopCheckpoint)
	err := d.disk.SyncAll(names)
	d.step(stopCheckpoint)
	return err
}

func (d *stopDisk) Open(name string, create bool, perm fs.FileMode) (file, error) {
	f, err := d.disk.Open(name, create, perm)
	if err != nil {
		return nil, err
	}
	return &stopFile{f, d.stopper, name}, nil
}

func (d *stopDisk) Same(name string, f file) bool { return d.disk.Same(name, f.(*stopFile).file) }

type stopFile struct {
	file
	*stopper
	name string
}

func (f *stopFile) WriteAt(p []byte, off int64) (int, error) {
	kind := "write"
	if f.name == journalName && off < recordsStart {
		kind = stopCheckpoint // its header
	}
	f.step(kind)
	n, err := f.file.WriteAt(p, off)
	f.step(kind)
	return n, err
}

func (f *stopFile) Sync() error {
	f.step("sync")
	err := f.file.Sync()
	f.step("sync")
	return err
}
