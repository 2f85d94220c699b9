package coordination

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"

	"acc/fsstore"
	"acc/fsstore/crashdisk"
	"acc/schema"
)

// sweepActs goes through every act. At its operation 0, 1, 2 … the disk fails,
// or the process or the power goes, until a run comes through.
func sweepActs(t *testing.T, sweep func(*stage) (points int)) {
	t.Helper()
	var points atomic.Int64
	t.Cleanup(func() { t.Logf("%d acts, %d points", len(acts()), points.Load()) })
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			n := sweep(a.prepare(t))
			t.Logf("%d points", n)
			points.Add(int64(n))
		})
	}
}

func TestKillAnywhereInTools(t *testing.T) {
	sweepActs(t, func(s *stage) int {
		return s.crash("killed", func(d *crashdisk.Disk, _ int) *crashdisk.Disk { return d.AfterKill() })
	})
}

func TestPowerCutInTools(t *testing.T) {
	sweepActs(t, func(s *stage) (points int) {
		for left, choose := range survivals {
			points += s.crash("power cut, leaves "+left, func(d *crashdisk.Disk, k int) *crashdisk.Disk { return d.AfterPowerCut(choose(k)) })
		}
		return points
	})
}

// survivals are what a power cut may leave of what was not synced.
var survivals = map[string]func(k int) crashdisk.Survival{
	"nothing": func(int) crashdisk.Survival { return crashdisk.Nothing() },
	"names":   func(int) crashdisk.Survival { return crashdisk.NamesOnly() },
	"some":    some,
}

func some(k int) crashdisk.Survival { return crashdisk.Some(rand.New(rand.NewPCG(uint64(k), 1))) }

// crash lets the process of an act end at each of its operations, its first
// look at the room and its last one included.
func (s *stage) crash(label string, left func(*crashdisk.Disk, int) *crashdisk.Disk) (points int) {
	for k := 0; ; k++ {
		d := s.disk.Clone()
		d.PowerOffAt = k
		answer := s.perform(d)
		over := !d.Off
		at := label + " at " + d.Last
		got, next := s.reopen(left(d, k))
		s.again(at, next, s.wholeOrAbsent(at, answer, got))
		if over {
			return k
		}
	}
}

// TestDiskFailsInTools lets each operation of an act fail once: with a power
// cut right after the answer, and with the process going on. Odd operations
// find the disk full, the others get an I/O error.
func TestDiskFailsInTools(t *testing.T) {
	sweepActs(t, func(s *stage) (points int) {
		for s.fail(points, []error{syscall.EIO, syscall.ENOSPC}[points%2]) {
			points++
		}
		return points
	})
}

// fail reports whether there was an operation k to fail.
func (s *stage) fail(k int, failure error) bool {
	d := s.disk.Clone()
	d.FailAt, d.FailWith = k, failure
	c := s.start(d)
	answer := s.do(c)
	if d.Failed == "" {
		kill(d, c.room.Close)
		return false
	}
	at := d.Failed + " fails"
	if answer != nil && schema.AsError(answer).Reason == schema.ReasonInternalUnexpected {
		s.t.Errorf("%s: no clear error: %v", at, answer)
	}
	then := d.Clone()
	s.goOn(at, c, d, s.wholeOrAbsent(at, answer, s.beside(d)))
	cut, _ := s.reopen(then.AfterPowerCut(crashdisk.Nothing()))
	s.wholeOrAbsent(at+", then the power", answer, cut)
	return true
}

// beside is the room as another process finds it while the first one lives.
func (s *stage) beside(d *crashdisk.Disk) content {
	s.t.Helper()
	other := s.open(d)
	defer other.Close()
	if err := other.View(context.Background(), func(*fsstore.View) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	return roomOn(d)
}

// goOn repeats the call in the same process, or in the next one when that one
// may write no more.
func (s *stage) goOn(at string, c *client, d *crashdisk.Disk, whole bool) {
	s.t.Helper()
	answer := s.do(c)
	if schema.HasReason(answer, schema.ReasonStoreFailed) {
		_ = c.room.Close()
		c = s.start(d)
		answer = s.do(c)
	}
	kill(d, c.room.Close)
	s.repeated(at, d, whole, answer)
}

// TestPowerCutInRecoveryOfTools cuts the power at every fifth operation of an
// act. Then, in the recovery from that, every operation fails, or loses the
// power once more.
func TestPowerCutInRecoveryOfTools(t *testing.T) {
	sweepActs(t, func(s *stage) (points int) {
		for k := 3; ; k += 5 {
			d := s.disk.Clone()
			d.PowerOffAt = k
			answer := s.perform(d)
			over := !d.Off
			left := d.AfterPowerCut(some(k))
			for j := 0; s.disturbRecovery(left, j, answer); j++ {
				points += 2
			}
			if over {
				return points
			}
		}
	})
}

// disturbRecovery reports whether there was an operation j to disturb.
func (s *stage) disturbRecovery(left *crashdisk.Disk, j int, answer error) bool {
	s.t.Helper()
	cut, broken := left.Clone(), left.Clone()
	cut.PowerOffAt = j
	if s.recover(cut); !cut.Off {
		return false
	}
	at := "recovery at " + cut.Last
	got, _ := s.reopen(cut.AfterPowerCut(some(j)))
	s.wholeOrAbsent("power cut in "+at, answer, got)
	broken.FailAt, broken.FailWith = j, syscall.EIO
	s.recover(broken)
	got, _ = s.reopen(broken.AfterKill())
	s.wholeOrAbsent("failure in "+at, answer, got)
	return true
}

// recover opens the room as far as the disk lets it, and is killed.
func (s *stage) recover(d *crashdisk.Disk) {
	store, err := fsstore.Init(s.world.dir, s.env(d))
	if err == nil {
		off := d.Off
		kill(d, store.Close)
		d.Off = off
	}
}

// notSwept are the methods of Room that read, that write nothing durable, or
// that write what another one writes.
var notSwept = []string{
	"Attending", "Bind", "Blocked", "Brief", "Claim", "Close", "Denied", "GuardClaims", "Hooked", "KeepImporting", "LivePolicy", "Log",
	"SetLivePolicy", "SetShown", "Show", "Shown", "Unbind", "Watcher",
}

// TestNoActIsForgotten wants every tool, and all that the command line does
// without one, to be among the acts.
func TestNoActIsForgotten(t *testing.T) {
	swept := map[string]bool{}
	for _, a := range acts() {
		swept[a.what] = true
	}
	// A tool that only reads opens a session when it is the first one.
	for _, tool := range Tools(nil) {
		if !swept[tool.Name] {
			t.Errorf("%s is in no sweep", tool.Name)
		}
		delete(swept, tool.Name)
	}
	for m := range reflect.TypeFor[*Room]().Methods() {
		if !swept[m.Name] && !slices.Contains(notSwept, m.Name) {
			t.Errorf("Room.%s is in no sweep, and not among those that need none", m.Name)
		}
		delete(swept, m.Name)
	}
	for what := range swept {
		t.Errorf("%s is neither a tool nor a method of Room", what)
	}
}
