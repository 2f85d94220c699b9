package fsstore

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"acc/schema"
)

// contenderRole is a child that sends until its stdin ends.
const contenderRole = "contender"

// A package variable because a flag must exist before flags are parsed.
var turns = flag.Int("turns", 8, "how many messages each writer of TestNoWriterWaitsLong sends at least")

// contend is the part of a child: it is ready, it is told how many sends are
// enough, it says when it had them, and it goes on until its stdin ends, so
// that all run for as long as any is measured. Then it reports every send: the
// message, when it asked for the lock, and when it had it.
func contend(dir, name string) error {
	s, err := Init(dir, RealEnv(slog.New(slog.NewTextHandler(os.Stderr, nil))))
	if err != nil {
		return err
	}
	me, err := enroll(s, name)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewReader(os.Stdin)
	var enough int
	if _, err := fmt.Fscanln(in, &enough); err != nil {
		return err
	}
	var ended atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, in)
		ended.Store(true)
	}()
	var report strings.Builder
	for sent := 0; sent < enough || !ended.Load(); sent++ {
		if sent == enough {
			fmt.Println("enough")
		}
		if err := timedSend(s, me, &report); err != nil {
			return err
		}
	}
	fmt.Print(report.String())
	return s.Close()
}

func enroll(s *Store, name string) (me schema.Session, err error) {
	err = s.Update(context.Background(), func(tx *Tx) (err error) {
		me, err = joinTx(tx, name)
		return err
	})
	return me, err
}

func timedSend(s *Store, me schema.Session, report io.Writer) error {
	asked := time.Now()
	var got time.Time
	var m *schema.Message
	err := s.Update(context.Background(), func(tx *Tx) (err error) {
		got = time.Now()
		m, err = sendTx(tx, me, note("bob"))
		return err
	})
	if err == nil {
		fmt.Fprintln(report, m.MessageID, asked.UnixNano(), got.UnixNano())
	}
	return err
}

// turn is one send of a contender.
type turn struct {
	message    string
	asked, got int64 // nanoseconds since 1970: the processes share a clock
}

// TestNoWriterWaitsLong has 64 processes write as fast as they can. While all
// of them do, no wait for the lock is longer than ten times the median of all
// waits, and each writes about as often as any other.
func TestNoWriterWaitsLong(t *testing.T) {
	const writers, longest = 64, 10
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: there is no queue")
	}
	dir := t.TempDir()
	var children []*child
	for i := range writers {
		children = append(children, startChild(t, dir, fmt.Sprintf("writer-%d", i), contenderRole))
	}
	eachSays(t, children, "ready")
	for _, c := range children {
		fmt.Fprintln(c.stdin, *turns)
	}
	eachSays(t, children, "enough")
	stop := time.Now().UnixNano()
	for _, c := range children {
		c.stdin.Close()
	}
	acked := map[string]bool{}
	all := make([][]turn, writers)
	for i, c := range children {
		all[i] = c.turns(t)
		for _, turn := range all[i] {
			acked[turn.message] = true
		}
	}
	checkAcked(t, dir, acked, len(acked))
	waits, shares := steady(all, stop)
	median, last := waits[len(waits)/2], waits[len(waits)-1]
	t.Logf("%d waits: median %v, 99th of 100 %v, longest %v, %.1f times the median; %d to %d for each writer", len(waits),
		median, waits[len(waits)*99/100], last, float64(last)/float64(median), slices.Min(shares), slices.Max(shares))
	if last > longest*median {
		t.Errorf("a writer waited %v, and the median is %v", last, median)
	}
	if slices.Max(shares) > 2*slices.Min(shares) {
		t.Errorf("the writers wrote unevenly often: %v", shares)
	}
}

// eachSays reads one line of each child.
func eachSays(t *testing.T, children []*child, want string) {
	t.Helper()
	for _, c := range children {
		if !c.lines.Scan() || c.lines.Text() != want {
			t.Fatalf("a child said %q, not %q: %s", c.lines.Text(), want, c.stderr.String())
		}
	}
}

// turns is what a contender reports at its end.
func (c *child) turns(t *testing.T) (all []turn) {
	t.Helper()
	for c.lines.Scan() {
		var one turn
		if _, err := fmt.Sscan(c.lines.Text(), &one.message, &one.asked, &one.got); err != nil {
			t.Fatalf("%q: %v", c.lines.Text(), err)
		}
		all = append(all, one)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Fatalf("a writer failed: %v: %s", err, c.stderr.String())
	}
	return all
}

// steady are the waits, sorted, that began when every writer had got in once
// and before the end, and how many of them each writer had.
func steady(all [][]turn, stop int64) (waits []time.Duration, shares []int) {
	var start int64
	for _, turns := range all {
		start = max(start, turns[0].got)
	}
	for _, turns := range all {
		share := 0
		for _, turn := range turns {
			if turn.asked >= start && turn.asked < stop {
				waits = append(waits, time.Duration(turn.got-turn.asked))
				share++
			}
		}
		shares = append(shares, share)
	}
	slices.Sort(waits)
	return waits, shares
}
