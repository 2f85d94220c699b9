package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/schema"
)

// holderRole is a child that holds the lock of the room until its stdin ends,
// in the middle of a transaction.
const holderRole = "holder"

// hold is the part of a child: it has the lock when it says so.
func hold(dir, name string) error {
	s, err := Init(dir, RealEnv(slog.New(slog.NewTextHandler(os.Stderr, nil))))
	if err != nil {
		return err
	}
	me, err := enroll(s, name)
	if err != nil {
		return err
	}
	err = s.Update(context.Background(), func(tx *Tx) error {
		_, first := sendTx(tx, me, note("bob"))
		fmt.Println("holding")
		_, _ = io.Copy(io.Discard, os.Stdin)
		_, second := sendTx(tx, me, note("bob"))
		return errors.Join(first, second)
	})
	return errors.Join(err, s.Close())
}

// heldRoom is a room whose lock another process holds, opened several times
// before.
func heldRoom(t *testing.T, times int) (stores []*Store, holder *child) {
	t.Helper()
	dir := t.TempDir()
	for range times {
		stores = append(stores, openTestRoom(t, dir, io.Discard))
	}
	holder = startChild(t, dir, "holder", holderRole)
	t.Cleanup(func() {
		holder.stdin.Close()
		_ = holder.cmd.Wait()
	})
	eachSays(t, []*child{holder}, "holding")
	return stores, holder
}

// someoneWaits returns when a goroutine is on its way to the lock, which
// another process has.
func someoneWaits(t *testing.T, s *Store) {
	t.Helper()
	for end := time.Now().Add(LockWait); len(s.lock.turn) > 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("nobody waits for the lock")
		}
	}
}

// TestKilledHolderLetsTheNextIn: the lock goes with its process.
func TestKilledHolderLetsTheNextIn(t *testing.T) {
	stores, holder := heldRoom(t, 1)
	s := stores[0]
	count := make(chan int64, 1)
	go func() {
		defer close(count)
		if err := s.Update(context.Background(), func(tx *Tx) error { count <- tx.MessageCount(); return nil }); err != nil {
			t.Error(err)
		}
	}()
	someoneWaits(t, s)
	killed := time.Now()
	if err := holder.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if got, in := <-count; in && got != 0 {
		t.Errorf("%d messages of a transaction that was not decided", got)
	}
	if took := time.Since(killed); took > LockWait/4 {
		t.Errorf("the next one got in after %v", took)
	}
}

// TestTimeoutsLeaveNothing: however often a process gives up, a few goroutines
// at most wait in the kernel for it, and none when the lock is free again.
func TestTimeoutsLeaveNothing(t *testing.T) {
	stores, holder := heldRoom(t, 1)
	s := stores[0]
	s.lockWait = time.Millisecond
	const waits, files = 2, 2 // to read and to write; the gate and the lock
	goroutines, descriptors := runtime.NumGoroutine(), openDescriptors(t)
	for range 100 {
		for _, use := range []func() error{
			func() error {
				return s.Update(context.Background(), func(*Tx) error { return errors.New("it got in") })
			},
			func() error {
				return s.View(context.Background(), func(*View) error { return errors.New("it got in") })
			},
		} {
			if err := use(); !schema.HasReason(err, schema.ReasonLockTimeout) {
				t.Fatal(err)
			}
		}
	}
	if now := runtime.NumGoroutine(); now > goroutines+waits {
		t.Errorf("%d goroutines, %d before", now, goroutines)
	}
	if now := openDescriptors(t); now > descriptors+waits*files {
		t.Errorf("%d descriptors, %d before", now, descriptors)
	}
	holder.stdin.Close()
	s.lockWait = LockWait
	for end := time.Now().Add(LockWait); ; {
		view(t, s, func(*View) error { return nil })
		if runtime.NumGoroutine() <= goroutines && openDescriptors(t) <= descriptors {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines and %d descriptors, %d and %d before", runtime.NumGoroutine(), openDescriptors(t), goroutines, descriptors)
		}
	}
}

// openDescriptors is 0 where the system does not tell.
func openDescriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Logf("NOT MEASURED: %v", err)
	}
	return len(open)
}

// TestReadersBesideALongWriter: they wait, and see all of what it wrote.
func TestReadersBesideALongWriter(t *testing.T) {
	stores, holder := heldRoom(t, 8)
	var readers sync.WaitGroup
	for _, reader := range stores {
		readers.Go(func() {
			err := reader.View(context.Background(), func(v *View) error {
				if got := v.MessageCount(); got != 2 {
					t.Errorf("a reader saw %d messages of 2", got)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	someoneWaits(t, stores[0])
	holder.stdin.Close()
	readers.Wait()
}

// TestReadersBesideBusyWriters: each gets in after about one turn of everybody
// else, and sees whole transactions only.
func TestReadersBesideBusyWriters(t *testing.T) {
	const writers, views = 4, 40
	s, dir := realRoom(t)
	var children []*child
	for i := range writers {
		children = append(children, startChild(t, dir, fmt.Sprintf("writer-%d", i), contenderRole))
	}
	eachSays(t, children, "ready")
	for _, c := range children {
		fmt.Fprintln(c.stdin, 1)
	}
	eachSays(t, children, "enough")
	var passed []int64
	for last := int64(-1); len(passed) < views; {
		view(t, s, func(v *View) error {
			refs, err := history(v)
			if err == nil && int64(len(refs)) != v.MessageCount() {
				err = fmt.Errorf("%s %d messages, counted %d", unwhole, len(refs), v.MessageCount())
			}
			if last >= 0 {
				passed = append(passed, v.MessageCount()-last)
			}
			last = v.MessageCount()
			return err
		})
	}
	for _, c := range children {
		c.stdin.Close()
	}
	acked := map[string]bool{}
	for _, c := range children {
		for _, turn := range c.turns(t) {
			acked[turn.message] = true
		}
	}
	checkAcked(t, dir, acked, len(acked))
	slices.Sort(passed)
	t.Logf("between two views of a reader %d writers wrote %d times (median), at most %d", writers, passed[views/2], passed[views-1])
	if passed[views/2] > 2*writers {
		t.Errorf("%d writers got in %d times before one reader did", writers, passed[views/2])
	}
}

// TestReadersOfManyProcessesDoNotKeepAWriterOut is the case of overlapping
// shared locks, in processes of their own.
func TestReadersOfManyProcessesDoNotKeepAWriterOut(t *testing.T) {
	const readers = 6
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	for range readers {
		c := startChild(t, dir, readerName, "")
		c.begin(endless)
		var drained sync.WaitGroup
		drained.Go(func() {
			for c.lines.Scan() {
				if line := c.lines.Text(); strings.HasPrefix(line, unwhole) {
					t.Error(line)
				}
			}
		})
		t.Cleanup(func() {
			_ = c.cmd.Process.Kill()
			drained.Wait()
			_ = c.cmd.Wait()
		})
	}
	s.lockWait = LockWait / 4
	for range 50 {
		send(t, s, me, note("bob"))
	}
}
