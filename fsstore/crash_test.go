package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore/crashdisk"
	"acc/schema"
)

// smallJournal is full after a few transactions, so that every run of the
// script has checkpoints in it.
const smallJournal = recordsStart + 8<<10

// play is one run of a script against a disk that fails at some point. It
// keeps what was acknowledged, and what was tried last.
type play struct {
	t    testing.TB
	dir  string
	env  Env
	set  settings
	s    *Store
	done []committed
	// tried is the transaction under way when the disk failed, nil for none.
	tried *committed

	alice, bob schema.Session
	asked      *schema.Message

	// rebuilt says that the number of the last id was lost and found anew.
	rebuilt bool
}

// committed is what a transaction wrote.
type committed struct {
	ops  []op
	next state
}

func newPlay(t testing.TB, d *crashdisk.Disk) *play {
	env := testEnv(newTestClock(), io.Discard)
	set := usual()
	set.journalSize = smallJournal
	return &play{t: t, dir: onDisk(t, d, &env), set: set, env: env}
}

// on goes on with another disk in the same directory.
func (p *play) on(d *crashdisk.Disk) {
	p.env.Disk = crashdisk.Instead(d)
}

func (p *play) open() (err error) {
	p.s, err = initialise(p.dir, p.env, p.set)
	return err
}

// die lets go of the locks, as the kernel does for a killed process.
func (p *play) die() {
	if p.s != nil {
		p.s.release()
		p.s = nil
	}
}

func (p *play) update(fn func(*Tx) error) error {
	p.tried = nil
	err := p.s.Update(context.Background(), func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		p.tried = &committed{slices.Clone(tx.operations()), tx.next}
		return nil
	})
	if err == nil && p.tried != nil {
		p.done = append(p.done, *p.tried)
		p.tried = nil
	}
	return err
}

// script is what happens in a room, step by step.
func (p *play) script() []func() error {
	return []func() error{
		p.open,
		func() error {
			return p.update(func(tx *Tx) (err error) { p.alice, err = joinTx(tx, "alice"); return err })
		},
		func() error {
			return p.update(func(tx *Tx) (err error) { p.bob, err = joinTx(tx, "bob"); return err })
		},
		func() error {
			return p.update(func(tx *Tx) error {
				_, err := sendTx(tx, p.alice, letter{kind: schema.Decision, obligation: schema.OweNothing})
				return err
			})
		},
		func() error {
			return p.update(func(tx *Tx) (err error) { p.asked, err = sendTx(tx, p.alice, question("bob")); return err })
		},
		func() error {
			return p.update(func(tx *Tx) error { return advanceTx(tx, p.bob, p.asked, schema.Retrieved) })
		},
		func() error {
			return p.update(func(tx *Tx) error {
				_, err := sendTx(tx, p.bob, letter{to: []string{"alice"}, kind: schema.Answer, obligation: schema.OweNothing, key: "k", replyTo: p.asked})
				return errors.Join(err, advanceTx(tx, p.bob, p.asked, schema.Acknowledged))
			})
		},
		func() error {
			return p.update(func(tx *Tx) error {
				for i := range 5 {
					if _, err := claimTx(tx, p.alice, schema.Resource(fmt.Sprintf("file:src/%d.go", i))); err != nil {
						return err
					}
				}
				return nil
			})
		},
		func() error {
			return p.update(func(tx *Tx) error {
				_, err := sendTx(tx, p.alice, letter{kind: schema.Decision, obligation: schema.OweNothing})
				return err
			})
		},
		func() error {
			return p.update(func(tx *Tx) error {
				_, err := sendTx(tx, p.bob, letter{to: []string{"alice", "bob"}, kind: schema.Note, obligation: schema.OweNothing, body: strings.Repeat("long ", 600)})
				return err
			})
		},
		func() error {
			return p.update(func(tx *Tx) error { _, err := finishTx(tx, p.alice, note("bob")); return err })
		},
		func() error {
			return p.update(func(tx *Tx) error {
				held, err := tx.Holdings()
				tx.DeleteMessage(p.asked, held[p.asked.MessageID])
				return err
			})
		},
		func() error { err := p.s.Close(); p.s = nil; return err },
	}
}

// run plays the script to its end or to the first failure.
func (p *play) run() error {
	for _, step := range p.script() {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// expected is the content of every record and log after some transactions.
func expected(done []committed) map[string]string {
	files := map[string]string{}
	for _, c := range done {
		for _, o := range c.ops {
			switch o.Kind {
			case opPut:
				files[o.Name] = string(o.data)
			case opRemove:
				delete(files, o.Name)
			case opAppend:
				files[o.Name] = files[o.Name][:o.Offset] + string(o.data)
			}
		}
	}
	return files
}

// records are the files of a disk that transactions write, the logs up to
// where they count.
func records(d *crashdisk.Disk, st state) map[string]string {
	files := d.Tree()
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(name, runDir+"/") || name == workspaceName || name == gitignoreName
	})
	for name, end := range map[string]int64{eventsName(max(st.Cursor, 1)): st.EventEnd, decisionsLog: st.GraphEnd} {
		if data, ok := files[name]; ok && int64(len(data)) >= end {
			files[name] = data[:end]
		}
		if files[name] == "" {
			delete(files, name)
		}
	}
	return files
}

// check reopens the room after a crash and holds it to the promises: all that
// was acknowledged is there, what was under way is there whole or not at all.
func (p *play) check(d *crashdisk.Disk) {
	p.t.Helper()
	p.on(d)
	if err := p.open(); err != nil {
		p.t.Fatalf("the room does not open again: %v (%v)", err, errors.Unwrap(err))
	}
	got, st := p.compare(d)
	if _, err := p.recoverAgain(); err != nil {
		p.t.Fatal(err)
	}
	if diff := cmp.Diff(got, records(d, st)); diff != "" {
		p.t.Fatalf("recovering twice is not recovering once (-once +twice):\n%s", diff)
	}
}

// compare holds the room, as its open store shows it, to the promises.
func (p *play) compare(d *crashdisk.Disk) (map[string]string, state) {
	p.t.Helper()
	var st state
	view(p.t, p.s, func(v *View) error {
		st = v.head.State
		checkRoom(p.t, v, func(sent, there int) bool { return there <= sent }) // the rest is compared below
		return nil
	})
	got := records(d, st)
	want := expected(p.done)
	if p.tried != nil && cmp.Diff(want, got) != "" {
		p.done = append(p.done, *p.tried)
		want = expected(p.done)
	}
	p.tried = nil
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Fatalf("the room is not what was acknowledged (-want +got):\n%s", diff)
	}
	if n := len(p.done); n > 0 {
		want := p.done[n-1].next
		if p.rebuilt && st.LastID > want.LastID {
			want.LastID = st.LastID
		}
		if diff := cmp.Diff(want, st); diff != "" {
			p.t.Fatalf("the numbers are not those of the last transaction (-want +got):\n%s", diff)
		}
	}
	return got, st
}

func (p *play) recoverAgain() (head, error) {
	e, err := p.s.enter(context.Background(), true)
	if err != nil {
		return head{}, err
	}
	defer e.leave()
	return p.s.recoverAll()
}

// checkWhole holds a room to what is true of every room: cursors without
// gaps, and messages, receipts and events that agree.
func checkWhole(t testing.TB, v *View) {
	t.Helper()
	checkRoom(t, v, func(sent, there int) bool { return there == sent })
}

// checkRoom is checkWhole for a room from which messages may have gone.
func checkRoom(t testing.TB, v *View, complete func(sent, there int) bool) {
	t.Helper()
	events, err := allEvents(v)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]bool{}
	for i, e := range events {
		if want := schema.FormatCursor(int64(i + 1)); e.Cursor != want {
			t.Fatalf("event %d has cursor %s", i+1, e.Cursor)
		}
		if e.Type == schema.EventMessageSent {
			sent[e.Payload.MessageID] = true
		}
	}
	if int64(len(events)) != v.Cursor() {
		t.Fatalf("%d events, cursor %d", len(events), v.Cursor())
	}
	refs, err := history(v)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(refs)) != v.MessageCount() || !complete(len(sent), len(refs)) {
		t.Fatalf("%d messages, counted %d, sent by the log %d", len(refs), v.MessageCount(), len(sent))
	}
	for _, ref := range refs {
		m, err := v.MessageByRef(ref)
		if err != nil || !sent[m.MessageID] {
			t.Fatalf("%s: %v, in the log: %v", ref.MessageID, err, sent[ref.MessageID])
		}
		for _, to := range m.ToParticipantIDs {
			if _, err := v.Receipt(to, &m); err != nil {
				t.Fatalf("no receipt of %s at %s: %v", m.MessageID, to, err)
			}
		}
	}
}

// TestPowerCutAnywhere cuts the power at every operation of the script, with
// several choices of what survives.
func TestPowerCutAnywhere(t *testing.T) {
	sweep(t, func(d *crashdisk.Disk, k int) *crashdisk.Disk {
		return d.AfterPowerCut(crashdisk.Some(rand.New(rand.NewPCG(uint64(k), 1))))
	})
	for seed := range uint64(4) {
		sweep(t, func(d *crashdisk.Disk, k int) *crashdisk.Disk {
			return d.AfterPowerCut(crashdisk.Some(rand.New(rand.NewPCG(uint64(k), seed+2))))
		})
	}
}

// TestKillAnywhere kills the process at every operation: what it did stays.
func TestKillAnywhere(t *testing.T) {
	sweep(t, func(d *crashdisk.Disk, _ int) *crashdisk.Disk { return d.AfterKill() })
}

func sweep(t *testing.T, crash func(d *crashdisk.Disk, k int) *crashdisk.Disk) {
	t.Helper()
	for k := 0; ; k++ {
		d := crashdisk.New(newTestClock().now)
		d.PowerOffAt = k
		p := newPlay(t, d)
		err := p.run()
		p.die()
		d = crash(d, k)
		p.check(d)
		p.die()
		if err == nil {
			t.Logf("%d operations", k)
			return
		}
	}
}

// TestKillBesideOthers kills a process at every operation while another one
// has the room open, which then goes on as if nothing had happened.
func TestKillBesideOthers(t *testing.T) {
	for k := 0; ; k++ {
		shared := crashdisk.New(newTestClock().now)
		p := newPlay(t, shared)
		if err := p.open(); err != nil {
			t.Fatal(err)
		}
		survivor := p.s
		doomed := shared.AfterKill() // sees the same files
		doomed.PowerOffAt = k
		p.on(doomed)
		err := p.run()
		p.die()

		p.s = survivor
		p.compare(shared)
		if err := p.update(func(tx *Tx) error { _, err := joinTx(tx, "carol"); return err }); err != nil {
			t.Fatal(err)
		}
		p.die()
		p.check(shared)
		p.die()
		if err == nil {
			return
		}
	}
}

// TestPowerCutInRecovery cuts the power during the recovery from a power cut,
// at every one of its operations.
func TestPowerCutInRecovery(t *testing.T) {
	for k := 20; ; k += 7 {
		random := rand.New(rand.NewPCG(uint64(k), 3))
		d := crashdisk.New(newTestClock().now)
		d.PowerOffAt = k
		p := newPlay(t, d)
		err := p.run()
		p.die()
		if err == nil {
			return
		}
		d = d.AfterPowerCut(crashdisk.Some(random))
		for j := 0; ; j++ {
			d.PowerOffAt = d.Ops + j
			p.on(d)
			openErr := p.open()
			if openErr == nil {
				openErr = p.s.View(context.Background(), func(*View) error { return nil })
			}
			p.die()
			d = d.AfterPowerCut(crashdisk.Some(random))
			if openErr == nil {
				break
			}
		}
		p.check(d)
		p.die()
	}
}

// TestCrashInRebuild removes index/ after a crash, wherever the script was,
// and crashes again at every operation of making it anew, which includes what
// the journal covered.
func TestCrashInRebuild(t *testing.T) {
	for steps := 5; steps <= 11; steps++ {
		for j := 0; ; j++ {
			random := rand.New(rand.NewPCG(uint64(j), uint64(steps)))
			crash := func(d *crashdisk.Disk) *crashdisk.Disk {
				if j%2 == 0 {
					return d.AfterKill()
				}
				return d.AfterPowerCut(crashdisk.Some(random))
			}
			if crashInRebuild(t, steps, j, crash) {
				break
			}
		}
	}
}

// crashInRebuild reports whether the rebuild came to its end.
func crashInRebuild(t *testing.T, steps, at int, crash func(*crashdisk.Disk) *crashdisk.Disk) (whole bool) {
	t.Helper()
	d := crashdisk.New(newTestClock().now)
	p := newPlay(t, d)
	for _, step := range p.script()[:steps] {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	p.die()
	d = crash(d)
	if err := d.Remove(decisionsLog); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	d.PowerOffAt = d.Ops + at
	p.on(d)
	p.rebuilt = true
	err := p.open()
	p.die()
	p.check(crash(d))
	p.die()
	return err == nil
}

// TestDiskFailsAnywhere lets every operation of the script fail once. What
// fails leaves nothing behind, and works when it is tried again.
func TestDiskFailsAnywhere(t *testing.T) {
	for _, failure := range []error{syscall.ENOSPC, syscall.EIO} {
		t.Run(failure.Error(), func(t *testing.T) {
			for k := 0; ; k++ {
				d := crashdisk.New(newTestClock().now)
				d.FailAt, d.FailWith = k, failure
				if !failOnce(t, d) {
					return
				}
			}
		})
	}
}

// failOnce plays the script, trying what fails a second time, and reports
// whether the disk failed at all.
func failOnce(t *testing.T, d *crashdisk.Disk) bool {
	t.Helper()
	p := newPlay(t, d)
	for i, step := range p.script() {
		err := step()
		if err == nil {
			continue
		}
		if e := schema.AsError(err); e.Code != schema.CodeData || e.Reason == schema.ReasonInternalUnexpected {
			t.Fatalf("%s, step %d: no clear error: %v", d.Failed, i, err)
		}
		d.FailAt = -1
		if p.s != nil && p.s.failed != nil {
			p.die() // the program is restarted
		}
		if closing := i == len(p.script())-1; closing {
			continue
		}
		if p.s != nil || i > 0 {
			p.tried = nil
			p.check(d)
		}
		if err := step(); err != nil {
			t.Fatalf("%s, step %d: fails again: %v", d.Failed, i, err)
		}
	}
	d.FailAt = -1
	p.check(d)
	p.die()
	return d.Failed != ""
}
