//go:build unix

package delivery

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"acc/schema"
)

// process is an adapter in a process of its own.
type process struct {
	*exec.Cmd
	errs  *shared
	ended chan struct{}
}

// shared is a buffer that a process writes and a test reads.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// run starts an adapter process with a command.
func (w *world) run(part, command string) *process {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	p := &process{exec.Command(self), &shared{}, make(chan struct{})}
	p.Env = append(os.Environ(), partVar+"="+part, roomVar+"="+w.dir, commandVar+"="+command)
	p.Stderr, p.Stdout = p.errs, p.errs
	isolate(p.Cmd, part)
	if err := p.Start(); err != nil {
		w.t.Skipf("NOT RUN: %v", err)
	}
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	w.t.Cleanup(p.kill)
	return p
}

// kill kills the process without a word.
func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.ended
}

// shown is what the commands noted: how often each message was shown, and
// which were although they were recorded before.
func shown(t *testing.T, log string) (times map[string]int, late []string) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	times = map[string]int{}
	for line := range strings.Lines(string(data)) {
		id, before, _ := strings.Cut(strings.TrimSpace(line), " ")
		times[id]++
		if before != "fresh" {
			late = append(late, id)
		}
	}
	return times, late
}

// showing is a command that notes what it shows, and whether that was recorded
// as offered before. dies is what it does before and after.
func (w *world) showing(log, dies string) string {
	return dies + `before=fresh
for f in '` + w.dir + `'/.acc/inbox/bob/$ACC_MESSAGE_ID.*.offered.json; do [ -e "$f" ] && before=late; done
cat > /dev/null
echo "$ACC_MESSAGE_ID $before" >> '` + log + `'
` + dies + "exit 0"
}

// nowAndThen is a command that kills itself once in eight times.
const nowAndThen = `[ $(($(od -An -N1 -tu1 /dev/urandom) % 8)) = 0 ] && kill -9 $$
`

// TestCrashesAtRandom has 100 messages go to an adapter that is killed at
// random, with a command that kills itself now and then, before or after it has
// shown a message.
func TestCrashesAtRandom(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	log := filepath.Join(t.TempDir(), "shown")
	var ids []string
	for i := range 100 {
		ids = append(ids, w.ask(fmt.Sprint(i)).Message.MessageID)
	}
	kills := 0
	for open := true; open; kills++ {
		p := w.run("adapter", w.showing(log, nowAndThen))
		if rand.IntN(10) > 0 { // else it dies while it starts
			w.awaitAdapter(p)
		}
		select {
		case <-time.After(time.Duration(rand.IntN(100)) * time.Millisecond):
		case <-p.ended:
			t.Fatalf("it ended by itself:\n%s", p.errs)
		}
		p.kill()
		receipts := w.receipts() // before the log is read: what is offered was shown
		times, late := shown(t, log)
		if len(late) > 0 {
			t.Fatalf("shown after a recorded success: %v", late)
		}
		open = false
		for _, id := range ids {
			switch r := receipts[id]; {
			case r.State == schema.Offered && times[id] == 0:
				t.Fatalf("%s is marked offered and was not", id)
			case r.State != schema.Offered:
				open = true
			}
		}
		if kills > 2000 {
			t.Fatal("it never comes to an end")
		}
	}
	times, _ := shown(t, log)
	total := 0
	for _, id := range ids {
		if times[id] == 0 {
			t.Errorf("%s was never offered", id)
		}
		total += times[id]
	}
	t.Logf("%d kills, %d messages, shown %d times", kills, len(ids), total)
}

// TestAdaptersRace has three adapter processes for one participant.
func TestAdaptersRace(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	log := filepath.Join(t.TempDir(), "shown")
	for range 3 {
		w.run("adapter", w.showing(log, ""))
	}
	var ids []string
	for i := range 30 {
		ids = append(ids, w.ask(fmt.Sprint(i)).Message.MessageID)
	}
	w.waitFor(func(r map[string]schema.Receipt) bool {
		for _, id := range ids {
			if r[id].State != schema.Offered {
				return false
			}
		}
		return true
	})
	times, late := shown(t, log)
	for _, id := range ids {
		if times[id] != 1 {
			t.Errorf("%s was shown %d times", id, times[id])
		}
	}
	if len(late) > 0 {
		t.Errorf("shown late: %v", late)
	}
}

// TestKilledAdapter wants the sender to hear of a dead adapter at once, and the
// next one to go on.
func TestKilledAdapter(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	p := w.run("adapter", "echo $$ >> "+w.dir+"/pids; exec sleep 1000")
	first := w.askWhenServed(p)
	w.told(first, schema.Queued, "")
	pids := filepath.Join(w.dir, "pids")
	w.until("the command has started", func() bool {
		data, _ := os.ReadFile(pids)
		return bytes.HasSuffix(data, []byte("\n"))
	})
	p.kill()
	began := time.Now()
	w.told(w.ask("nobody is there"), schema.Queued, "") // bob's own session still is
	if took := time.Since(began); took > 200*time.Millisecond {
		t.Logf("a sender waited %s beside a dead adapter", took)
	}
	if r := w.receipts()[first.Message.MessageID]; r.State != schema.Queued || r.Offered != nil {
		t.Errorf("it is recorded as %+v", r)
	}
	h := newHand()
	a := w.serve(func(c *Config) { c.Transport = h })
	h.next(t, first.Message.MessageID)
	h.takes <- ""
	a.outcome("offered", first.Message.MessageID, "")
	a.stop()
}

// TestTerminatedAdapter wants a clean end to leave nothing.
func TestTerminatedAdapter(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	p := w.run("adapter", "true")
	w.told(w.askWhenServed(p), schema.Offered, "")
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d:\n%s", code, p.errs)
	}
	if left, _ := filepath.Glob(filepath.Join(w.dir, ".acc", "run", "bindings", "*")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
