package fsstore

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"acc/schema"
)

func isStoreFailed(err error) bool { return schema.HasReason(err, schema.ReasonStoreFailed) }

// twoStores opens one room twice; the second one waits only briefly for locks.
func twoStores(t *testing.T) (first, second *Store, dir string) {
	t.Helper()
	first, dir = realRoom(t)
	second = openTestRoom(t, dir, io.Discard)
	second.lockWait = 10 * time.Millisecond
	return first, second, dir
}

func TestLockTimeout(t *testing.T) {
	first, second, _ := twoStores(t)
	ctx := context.Background()
	update(t, first, func(*Tx) error {
		err := second.Update(ctx, func(*Tx) error { return errors.New("it got in") })
		if !schema.HasReason(err, schema.ReasonLockTimeout) {
			t.Errorf("a second writer: %v", err)
		}
		err = second.View(ctx, func(*View) error { return errors.New("it got in") })
		if !schema.HasReason(err, schema.ReasonLockTimeout) {
			t.Errorf("a reader beside a writer: %v", err)
		}
		return nil
	})
	// The lock that was had too late was given back.
	second.lockWait = LockWait
	update(t, second, func(*Tx) error { return nil })
	update(t, first, func(*Tx) error { return nil })
}

func TestReadersShareTheLock(t *testing.T) {
	first, second, _ := twoStores(t)
	view(t, first, func(*View) error {
		view(t, second, func(*View) error { return nil })
		return nil
	})
}

func TestLockEndsWithTheContext(t *testing.T) {
	first, second, _ := twoStores(t)
	second.lockWait = LockWait
	update(t, first, func(*Tx) error {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := second.View(ctx, func(*View) error { return nil }); !schema.HasReason(err, schema.ReasonLockTimeout) {
			t.Errorf("%v", err)
		}
		return nil
	})
}

// TestPanicReleasesTheLock: a panic in a tool is an error of that tool alone.
func TestPanicReleasesTheLock(t *testing.T) {
	first, second, _ := twoStores(t)
	for _, broken := range []func() error{
		func() error { return first.View(context.Background(), func(*View) error { panic("view") }) },
		func() error { return first.Update(context.Background(), func(*Tx) error { panic("update") }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = broken()
		}()
	}
	update(t, second, func(*Tx) error { return nil })
	update(t, first, func(*Tx) error { return nil })
}

// TestReadersDoNotKeepAWriterOut: the shared locks of busy readers overlap, so
// that the lock is never free by itself.
func TestReadersDoNotKeepAWriterOut(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 6 {
		reader := openTestRoom(t, dir, io.Discard)
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := reader.View(context.Background(), func(v *View) error { return readInbox(v, "bob", 20) }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 20 {
		send(t, s, me, note("bob"))
	}
	close(stop)
	readers.Wait()
}

func TestUseAfterCloseIsNoRoom(t *testing.T) {
	s, _ := realRoom(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.View(context.Background(), func(*View) error { return nil }); !errors.Is(err, ErrNoRoom) {
		t.Error(err)
	}
	if err := s.Update(context.Background(), func(*Tx) error { return nil }); !errors.Is(err, ErrNoRoom) {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
