package main_test

import (
	"flag"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// A package variable because a flag must exist before flags are parsed.
var leakCalls = flag.Int("calls", 5000, "how many calls TestNothingIsLeft makes, a fifth with the race detector")

// underWay is how many goroutines may be about to end when they are counted:
// the one that wrote the last answer, and what looks for published files. What
// a call leaves behind is there a thousand times.
const underWay = 4

// TestNothingIsLeft makes many calls of all tools to one process. It has as
// many descriptors afterwards as after the first few, as many goroutines as a
// process that answered a few, and little more memory.
func TestNothingIsLeft(t *testing.T) {
	const few = 300
	many := *leakCalls
	if raceEnabled {
		many /= 5
	}
	root := repository(t)
	short, long := newWorker(t, root, 0, 2), newWorker(t, root, 1, 2)
	for short.calls < few {
		short.step()
		long.step()
	}
	before := long.footprint()
	begin := time.Now()
	for long.calls < many {
		long.step()
		if long.random.IntN(10) == 0 { // the other answers now and then
			short.readMail()
		}
	}
	took := time.Since(begin)
	after := long.settled(before)
	checkKept(t, root, short)
	checkKept(t, root, long)
	fewer, more := short.goroutines(), long.goroutines()
	t.Logf("%d calls in %v: before %v, after %v; %d goroutines, and %d after %d calls", long.calls, took.Round(time.Second), before, after,
		more, fewer, short.calls)
	after.wantNoMoreThan(t, before, len(short.sent)+len(long.sent))
	if more > fewer+underWay {
		t.Errorf("%d goroutines after %d calls, %d after %d", more, long.calls, fewer, short.calls)
	}
}

// started is how a goroutine is listed that the program started, or that the
// runtime did.
var started = regexp.MustCompile(`(?m)^created by (runtime\.)?`)

// goroutines ends a server that has nothing to do, and counts the goroutines
// that the program had started: at SIGQUIT a Go program lists all on stderr.
func (s *server) goroutines() int {
	s.t.Helper()
	s.request("ping", "")
	if said := s.stderr(); said != "" {
		s.t.Errorf("stderr: %s", said)
	}
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		s.t.Fatal(err)
	}
	s.wait(patient)
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, by := range started.FindAllStringSubmatch(s.log.String(), -1) {
		if by[1] == "" {
			count++
		}
	}
	s.log.Reset() // a stack would be an error anywhere else
	if count == 0 {
		s.t.Error("no goroutine was listed")
	}
	return count
}
