package fsstore

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"acc/fsstore/crashdisk"
	"acc/schema"
)

// syncDisk calls onSync, once, when the journal is about to be synced. What
// that returns is what became of the sync. From then on the disk may be dead:
// it fails at every operation, as for a process that was killed.
type syncDisk struct {
	disk
	onSync atomic.Pointer[func() error]
	dead   atomic.Bool
}

var errKilled = errors.New("the process was killed")

func (d *syncDisk) Open(name string, create bool, perm fs.FileMode) (file, error) {
	f, err := d.disk.Open(name, create, perm)
	if err != nil {
		return nil, err
	}
	return &syncFile{f, d, name}, nil
}

func (d *syncDisk) Same(name string, f file) bool { return d.disk.Same(name, f.(*syncFile).file) }

func (d *syncDisk) Remove(name string) error {
	if d.dead.Load() {
		return errKilled
	}
	return d.disk.Remove(name)
}

type syncFile struct {
	file
	d    *syncDisk
	name string
}

func (f *syncFile) WriteAt(p []byte, off int64) (int, error) {
	if f.d.dead.Load() {
		return 0, errKilled
	}
	return f.file.WriteAt(p, off)
}

func (f *syncFile) Sync() error {
	if act := f.d.onSync.Load(); act != nil && f.name == journalName {
		f.d.onSync.Store(nil)
		if err := (*act)(); err != nil {
			return err
		}
	}
	return f.file.Sync()
}

// overlap is a room with two processes in it: the second one builds while the
// disk of the first one syncs.
type overlap struct {
	t             *testing.T
	dir           string
	slow          *syncDisk // of the first
	first, second *Store
	alice, bob    schema.Session
	mayFail       bool // the second may be over before the first: its disk fails
}

func newOverlap(t *testing.T) *overlap {
	o := &overlap{t: t, dir: t.TempDir()}
	env := testEnv(newTestClock(), io.Discard)
	env.Disk = func(real disk) disk {
		o.slow = &syncDisk{disk: real}
		return o.slow
	}
	var err error
	if o.first, err = Init(o.dir, env); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.first.Close() })
	o.second = openTestRoom(t, o.dir, io.Discard)
	o.alice, o.bob = join(t, o.first, "alice"), join(t, o.first, "bob")
	return o
}

// run lets the first send while the second runs fn, all of it before the disk
// says what became of the first. It returns the errors of both; the second one
// does not start where the first one never gets to its sync.
func (o *overlap) run(fn func(tx *Tx, before *schema.Message) error, outcome func() error) (first, second error) {
	o.t.Helper()
	var before *schema.Message
	answer := make(chan error, 1)
	act := func() error {
		built := make(chan struct{})
		go func() {
			answer <- o.second.Update(context.Background(), func(tx *Tx) error {
				defer close(built)
				return fn(tx, before)
			})
		}()
		select {
		case <-built:
			o.waits(answer)
		case err := <-answer:
			answer <- err
		}
		return outcome()
	}
	o.slow.onSync.Store(&act)
	first = o.first.Update(context.Background(), func(tx *Tx) (err error) {
		before, err = sendTx(tx, o.alice, question("bob"))
		return err
	})
	if o.slow.onSync.Load() != nil {
		return first, errNotStarted
	}
	return first, <-answer
}

var errNotStarted = errors.New("the first one did not come so far")

// waits gives the second every chance to be over too soon.
func (o *overlap) waits(answer chan error) {
	for range 200 {
		runtime.Gosched()
		select {
		case err := <-answer:
			if !o.mayFail {
				o.t.Errorf("it was over before the one that it was built upon: %v", err)
			}
			answer <- err
			return
		default:
		}
	}
}

func sendsTo(who string, me schema.Session) func(*Tx, *schema.Message) error {
	return func(tx *Tx, _ *schema.Message) error {
		_, err := sendTx(tx, me, note(who))
		return err
	}
}

func succeeds() error { return nil }

// whole holds the room to what is true of every one, and counts its messages.
func (o *overlap) whole(messages int64) {
	o.t.Helper()
	for _, s := range []*Store{o.second, openTestRoom(o.t, o.dir, io.Discard)} {
		view(o.t, s, func(v *View) error {
			checkWhole(o.t, v)
			if got := v.MessageCount(); got != messages {
				o.t.Errorf("%d messages, not %d", got, messages)
			}
			return nil
		})
	}
}

// TestNextIsBuiltMeanwhile: while the disk makes one transaction durable, the
// next one is built upon it.
func TestNextIsBuiltMeanwhile(t *testing.T) {
	o := newOverlap(t)
	first, second := o.run(func(tx *Tx, before *schema.Message) error {
		if got := tx.MessageCount(); got != 1 {
			t.Errorf("%d messages", got)
		}
		if m, err := tx.Message(before.MessageID); err != nil || m.Body != before.Body {
			t.Errorf("the message before: %+v, %v", m, err)
		}
		if inbox, err := tx.Inbox("bob"); err != nil || len(inbox) != 1 {
			t.Errorf("the inbox: %v, %v", inbox, err)
		}
		return errors.Join(advanceTx(tx, o.bob, before, schema.Retrieved), sendsTo("alice", o.bob)(tx, before))
	}, succeeds)
	if first != nil || second != nil {
		t.Fatal(first, second)
	}
	o.whole(2)
	view(t, o.first, func(v *View) error {
		inbox, err := v.Inbox("bob")
		if len(inbox) != 1 || inbox[0].State != schema.Retrieved {
			t.Errorf("the inbox: %+v", inbox)
		}
		return err
	})
}

// TestNobodyIsRefusedTooSoon: what a refusal says is true when it is said.
func TestNobodyIsRefusedTooSoon(t *testing.T) {
	for name, fn := range map[string]func(*Tx, *schema.Message) error{
		"refused":        func(*Tx, *schema.Message) error { return errors.New("refused") },
		"nothing to do":  func(*Tx, *schema.Message) error { return nil },
		"it looked only": func(tx *Tx, before *schema.Message) error { _, err := tx.Message(before.MessageID); return err },
	} {
		o := newOverlap(t)
		first, second := o.run(fn, succeeds)
		if first != nil || (second != nil) != (name == "refused") {
			t.Errorf("%s: %v, %v", name, first, second)
		}
		o.whole(1)
	}
}

// TestLogsAreReadWithTheLock: what the journal says of a log is not in it yet.
func TestLogsAreReadWithTheLock(t *testing.T) {
	o := newOverlap(t)
	asked := make(chan struct{})
	answer := make(chan error, 1)
	act := func() error {
		go func() {
			answer <- o.second.Update(context.Background(), func(tx *Tx) error {
				close(asked)
				events, noEvents := tx.Events(0, 100)
				refs, noHistory := history(&tx.View)
				if n := len(events); len(refs) != 1 || n == 0 || events[n-1].Payload.MessageID != refs[0].MessageID {
					t.Errorf("messages %v, events %+v", refs, events)
				}
				return errors.Join(noEvents, noHistory, sendsTo("alice", o.bob)(tx, nil))
			})
		}()
		<-asked
		return nil
	}
	o.slow.onSync.Store(&act)
	send(t, o.first, o.alice, note("bob"))
	if err := <-answer; err != nil {
		t.Error(err)
	}
	o.whole(2)
}

// TestBuiltUponWhatFailed: what was built upon a write that failed is no write
// either, and no refusal.
func TestBuiltUponWhatFailed(t *testing.T) {
	broken := errors.New("broken disk")
	for name, fn := range map[string]func(o *overlap) func(*Tx, *schema.Message) error{
		"a write": func(o *overlap) func(*Tx, *schema.Message) error { return sendsTo("alice", o.bob) },
		"a refusal": func(*overlap) func(*Tx, *schema.Message) error {
			return func(*Tx, *schema.Message) error { return broken }
		},
	} {
		o := newOverlap(t)
		first, second := o.run(fn(o), func() error { return broken })
		if !isStoreFailed(first) || !isStoreFailed(second) || errors.Is(second, broken) {
			t.Errorf("%s: %v, %v", name, first, second)
		}
		o.whole(0)
		send(t, o.second, o.alice, note("bob"))
		o.whole(1)
	}
}

// TestBuiltUponTheDead: whoever is next completes what a killed process had
// written, and it counts.
func TestBuiltUponTheDead(t *testing.T) {
	o := newOverlap(t)
	first, second := o.run(sendsTo("alice", o.bob), func() error {
		o.slow.dead.Store(true)
		return errKilled
	})
	if first == nil || second != nil {
		t.Fatal(first, second)
	}
	o.whole(2)
}

// TestBuiltTooLong: who gives up waiting for the one before leaves nothing.
func TestBuiltTooLong(t *testing.T) {
	o := newOverlap(t)
	o.second.lockWait = 10 * time.Millisecond
	gaveUp := make(chan struct{})
	answer := make(chan error, 1)
	act := func() error {
		go func() {
			defer close(gaveUp)
			answer <- o.second.Update(context.Background(), func(tx *Tx) error { return sendsTo("alice", o.bob)(tx, nil) })
		}()
		<-gaveUp
		return nil
	}
	o.slow.onSync.Store(&act)
	send(t, o.first, o.alice, note("bob"))
	if err := <-answer; !schema.HasReason(err, schema.ReasonLockTimeout) {
		t.Error(err)
	}
	o.second.lockWait = LockWait
	o.whole(1)
	send(t, o.second, o.bob, note("alice"))
	o.whole(2)
}

// TestBuiltInARoomThatWent: what is removed meanwhile is written to no more.
func TestBuiltInARoomThatWent(t *testing.T) {
	o := newOverlap(t)
	run := filepath.Join(o.dir, ".acc", "run")
	_, second := o.run(sendsTo("alice", o.bob), func() error { return os.Rename(run, run+".old") })
	if !errors.Is(second, ErrNoRoom) {
		t.Error(second)
	}
	found, err := filepath.Glob(filepath.Join(o.dir, ".acc", "inbox", "alice", "*"))
	if err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

// TestCutWhileBuilding cuts the power at every operation of a transaction
// and of the one that is built upon it.
func TestCutWhileBuilding(t *testing.T) {
	for k := 0; ; k++ {
		cut := false
		for seed := range uint64(3) {
			cut = cutWhileBuilding(t, k, seed) || cut
		}
		if !cut {
			t.Logf("%d operations", k)
			return
		}
	}
}

func cutWhileBuilding(t *testing.T, k int, seed uint64) (cut bool) {
	t.Helper()
	d := crashdisk.New(newTestClock().now)
	p := newPlay(t, d)
	o := &overlap{t: t, dir: p.dir, mayFail: true}
	env := p.env
	env.Disk = func(real disk) disk {
		o.slow = &syncDisk{disk: p.env.Disk(real)}
		return o.slow
	}
	var err1, err2 error
	o.first, err1 = initialise(p.dir, env, usual())
	o.second, err2 = initialise(p.dir, p.env, usual())
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	o.alice, o.bob = join(t, o.first, "alice"), join(t, o.first, "bob")
	d.PowerOffAt = d.Ops + k
	first, second := o.run(sendsTo("alice", o.bob), succeeds)
	o.first.release()
	o.second.release()

	sent := 0
	for _, err := range []error{first, second} {
		if err == nil {
			sent++
		}
	}
	p.on(d.AfterPowerCut(crashdisk.Some(rand.New(rand.NewPCG(uint64(k), seed)))))
	if err := p.open(); err != nil {
		t.Fatalf("operation %d: the room does not open again: %v", k, err)
	}
	defer p.die()
	view(t, p.s, func(v *View) error {
		checkWhole(t, v)
		if got := int(v.MessageCount()); got < sent {
			t.Errorf("operation %d: %d messages of %d that were sent", k, got, sent)
		}
		return nil
	})
	return sent < 2
}
