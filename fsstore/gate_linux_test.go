package fsstore

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// waitInLine gets a place for each name and reports who is at the head, when he is.
func waitInLine(t *testing.T, file string, places int) (gates []*gate, heads chan int) {
	t.Helper()
	heads = make(chan int, places)
	for i := range places {
		g := openGate(t, file)
		ok, err := g.take(false)
		if err != nil || g.place != int64(i+firstPlace) || ok != (i == 0) {
			t.Fatalf("place %d is %d, at the head: %v, %v", i, g.place, ok, err)
		}
		gates = append(gates, g)
		go func() {
			if ok, err := g.take(true); !ok || err != nil {
				t.Errorf("place %d: %v, %v", i, ok, err)
			}
			heads <- i
		}()
	}
	return gates, heads
}

func openGate(t *testing.T, file string) *gate {
	t.Helper()
	g, err := newGate(file)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func gateFile(t *testing.T) string {
	t.Helper()
	gate := filepath.Join(t.TempDir(), "gate")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return gate
}

func TestQueueIsFirstComeFirstServed(t *testing.T) {
	const places = 20
	gates, heads := waitInLine(t, gateFile(t), places)
	for i := range places {
		if got := <-heads; got != i {
			t.Fatalf("%d is at the head, not %d", got, i)
		}
		select {
		case early := <-heads:
			t.Fatalf("%d is at the head beside %d", early, i)
		default:
		}
		gates[i].giveBack()
	}
}

// TestQueueStartsAnew: places are given again when nobody is there.
func TestQueueStartsAnew(t *testing.T) {
	gate := gateFile(t)
	for range 3 {
		gates, heads := waitInLine(t, gate, 1)
		<-heads
		gates[0].giveBack()
	}
	if info, err := os.Stat(gate); err != nil || info.Size() != 0 {
		t.Errorf("the file of the queue was written: %v, %v", info, err)
	}
}

// TestRoomWithoutAQueue: where there can be none, the gate alone has to do.
func TestRoomWithoutAQueue(t *testing.T) {
	unwritable, locked := t.TempDir(), gateFile(t)
	f, err := os.OpenFile(locked, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	endless := unix.Flock_t{Type: unix.F_WRLCK, Start: firstPlace}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &endless); err != nil {
		t.Fatal(err)
	}
	for name, gate := range map[string]string{
		"what cannot be opened to write":               unwritable,
		"one of which another program locks all bytes": locked,
	} {
		release, err := newRoomLock(gateFile(t), gate).acquire(context.Background(), true, time.Second)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		release()
	}
}
