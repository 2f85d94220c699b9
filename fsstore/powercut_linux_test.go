//go:build powercut

package fsstore

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A package variable because a flag must exist before flags are parsed.
var powerRounds = flag.Int("powercuts", 40, "rounds of TestPowerCuts on each file system")

// TestPowerCuts lets processes work in a room on a file system of its own,
// takes its power away, starts it again and holds the room to every promise
// that the processes had been given. A killed process shows nothing of this:
// what it wrote stays in the memory of the machine.
func TestPowerCuts(t *testing.T) {
	needPower(t)
	// One behind the other: a process that is just being started has every file
	// of this one open, and would keep the other file system busy.
	for _, kind := range powerKinds {
		t.Run(kind.name, func(t *testing.T) {
			seed := rand.Uint64()
			r := &powerRun{t: t, disk: newPowerDisk(t, kind), random: rand.New(rand.NewPCG(seed, 2)), cuts: map[string]int{}}
			defer func() {
				if t.Failed() {
					t.Logf("it was round %d, %s, of the seed %d", r.round, r.plan, seed)
				}
			}()
			for r.round = range *powerRounds {
				if r.play(); t.Failed() {
					return
				}
			}
			r.end()
			t.Logf("%s: %d rounds, %d power cuts %v, %d acknowledged writes, 0 lost; %d messages were on the disk only in the journal",
				kind.name, *powerRounds, r.total(), r.cuts, r.acks, r.saved)
		})
	}
}

// powerRun is a series of rounds on one file system.
type powerRun struct {
	t      testing.TB
	disk   *powerDisk
	random *rand.Rand
	round  int
	plan   string

	rooms    int
	small    bool // the journal of the room
	promised *ledger
	children []*powerChild
	names    int
	noise    *noise

	cuts  map[string]int
	acks  int
	saved int
}

// plans are the moments at which the power goes.
func (r *powerRun) plans() []struct {
	name string
	play func()
} {
	return []struct {
		name string
		play func()
	}{
		{"sending", r.cutSending},
		{"checkpoint", r.cutCheckpoint},
		{"operation", r.cutOperation},
		{"recovery", r.cutRecovery},
		{"killed", r.cutAfterKill},
		{"closed", r.cutAfterClose},
		{"idle", r.cutIdle},
		{"rebuilt", r.cutAfterRebuild},
	}
}

func (r *powerRun) play() {
	r.t.Helper()
	if r.promised == nil || r.random.IntN(6) == 0 {
		r.newRoom()
	}
	plan := r.plans()[r.round%len(r.plans())]
	r.plan = plan.name
	plan.play()
	r.check()
}

func (r *powerRun) dir() string { return filepath.Join(r.disk.top, fmt.Sprintf("room-%d", r.rooms)) }

// newRoom leaves the room for an empty directory. Its first round makes the
// room, and may lose power over it.
func (r *powerRun) newRoom() {
	r.t.Helper()
	r.end()
	r.rooms++
	r.small, r.promised = r.random.IntN(3) == 0, newLedger()
	if err := os.Mkdir(r.dir(), 0o755); err != nil {
		r.t.Fatal(err)
	}
	// The directory is not the room's: whoever made it saw to it.
	r.disk.command("sync", r.disk.top)
}

// end counts what a room was promised, and removes it.
func (r *powerRun) end() {
	if r.promised == nil {
		return
	}
	r.acks += r.promised.acks
	if err := os.RemoveAll(r.dir()); err != nil {
		r.t.Fatal(err)
	}
}

func (r *powerRun) total() (n int) {
	for _, c := range r.cuts {
		n += c
	}
	return n
}

// powerChild is a started process.
type powerChild struct {
	cmd    *exec.Cmd
	stderr strings.Builder
	silent chan struct{} // closed at the end of what it says
}

// start lets a child play a part, and enters what it says into the ledger.
func (r *powerRun) start(p part) {
	r.t.Helper()
	r.names++
	p.Dir, p.Name, p.Small, p.Seed = r.dir(), fmt.Sprintf("writer-%d", r.names), r.small, r.random.Uint64()
	text, err := json.Marshal(p)
	if err != nil {
		r.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	c := &powerChild{cmd: exec.Command(self, "-test.run=^TestPowerChild$"), silent: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), powerPart+"="+string(text))
	c.cmd.Stderr, c.cmd.ExtraFiles = &c.stderr, []*os.File{to}
	err = c.cmd.Start()
	to.Close()
	if err != nil {
		from.Close()
		r.t.Fatal(err)
	}
	r.children = append(r.children, c)
	go c.listen(from, r.promised)
}

func (c *powerChild) listen(from *os.File, l *ledger) {
	defer from.Close()
	lines := json.NewDecoder(from)
	for {
		var line said
		if err := lines.Decode(&line); err != nil {
			break
		}
		l.enter(line)
	}
	close(c.silent)
	l.changed.Broadcast()
}

// startWriters starts some that write without end.
func (r *powerRun) startWriters(n int) {
	r.t.Helper()
	for range n {
		r.start(part{Actions: endless})
	}
}

// await waits until the children have said enough.
func (r *powerRun) await(enough func(l *ledger) bool) {
	r.t.Helper()
	l := r.promised
	l.mu.Lock()
	defer l.mu.Unlock()
	for !enough(l) {
		if r.allSilent() {
			r.t.Errorf("the children ended too early: %s", r.stderr())
			return
		}
		l.changed.Wait()
	}
}

func (r *powerRun) allSilent() bool {
	for _, c := range r.children {
		select {
		case <-c.silent:
		default:
			return false
		}
	}
	return true
}

func (r *powerRun) stderr() string {
	var all []string
	for _, c := range r.children {
		all = append(all, c.stderr.String())
	}
	return strings.Join(all, "\n")
}

// awaitAcks waits for some acknowledgements, and then a moment more, so that
// the cut falls anywhere in a write.
func (r *powerRun) awaitAcks(atMost int) {
	r.t.Helper()
	want := r.promised.count() + r.random.IntN(atMost)
	r.await(func(l *ledger) bool { return l.acks >= want })
	r.moment(15 * time.Millisecond)
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acks
}

func (r *powerRun) awaitHeard(what happening, times int) {
	r.t.Helper()
	r.await(func(l *ledger) bool { return l.heard[what] >= times })
}

// moment is a random one.
func (r *powerRun) moment(atMost time.Duration) {
	<-time.After(time.Duration(r.random.Int64N(int64(atMost))))
}

func (r *powerRun) head() string { return filepath.Join(r.dir(), roomDir, headName) }

// someNoise writes back a file of somebody else, or the head: it may be newer
// on the disk than the files that it speaks of.
func (r *powerRun) someNoise() {
	r.t.Helper()
	if r.random.IntN(2) == 0 {
		return
	}
	other := filepath.Join(r.disk.top, "other")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.noise = r.disk.makeNoise(rand.New(rand.NewPCG(r.random.Uint64(), 1)), other, r.head())
}

// cut takes the power away, buries the children and starts the machine again.
func (r *powerRun) cut() {
	r.t.Helper()
	how := []int{cutAtOnce, cutAtOnce, cutAtOnce, cutAtOnce, cutAtOnce, cutAtOnce, cutAfterLog, cutAfterFlush}[r.random.IntN(8)]
	r.disk.cut(how)
	r.cuts[r.plan]++
	r.noise.end()
	r.noise = nil
	r.kill()
	r.disk.restart()
}

func (r *powerRun) kill() {
	r.t.Helper()
	for _, c := range r.children {
		_ = c.cmd.Process.Kill() // it may have ended
	}
	for _, c := range r.children {
		<-c.silent
		_ = c.cmd.Wait()
	}
	r.children = nil
	clear(r.promised.heard)
}

func (r *powerRun) cutSending() {
	r.someNoise()
	r.startWriters(1 + r.random.IntN(4))
	r.awaitAcks(150)
	r.cut()
}

// cutCheckpoint stops a process at one step of a checkpoint.
func (r *powerRun) cutCheckpoint() {
	defer func(was bool) { r.small = was }(r.small)
	r.small = true
	r.someNoise()
	r.startWriters(r.random.IntN(3))
	r.start(part{Actions: endless, Stop: stopCheckpoint, At: 1 + r.random.IntN(30)})
	r.awaitHeard(stopped, 1)
	r.moment(5 * time.Millisecond)
	r.cut()
}

// cutOperation stops a process before or behind any operation.
func (r *powerRun) cutOperation() {
	r.someNoise()
	r.startWriters(r.random.IntN(3))
	r.start(part{Actions: endless, At: 1 + r.random.IntN(600)})
	r.awaitHeard(stopped, 1)
	r.cut()
}

// cutRecovery cuts the power while work goes on, and then again and again while
// the next process makes the room whole.
func (r *powerRun) cutRecovery() {
	r.cutSending()
	for range 1 + r.random.IntN(3) {
		r.someNoise()
		r.start(part{At: 1 + r.random.IntN(80)})
		r.await(func(l *ledger) bool { return l.heard[stopped]+l.heard[left] > 0 })
		r.cut()
	}
	r.start(part{})
	r.awaitHeard(opening, 1)
	r.moment(10 * time.Millisecond)
	r.cut()
}

// cutAfterKill lets processes die before the machine does: others went on with
// what the dead had decided.
func (r *powerRun) cutAfterKill() {
	r.someNoise()
	for range 1 + r.random.IntN(3) {
		r.startWriters(1 + r.random.IntN(3))
		r.awaitAcks(40)
		r.kill()
	}
	r.startWriters(2)
	r.awaitAcks(40)
	r.cut()
}

// cutAfterClose cuts the power when everybody has just left.
func (r *powerRun) cutAfterClose() {
	r.someNoise()
	writers := 1 + r.random.IntN(3)
	for range writers {
		r.start(part{Actions: 1 + r.random.IntN(40)})
	}
	r.awaitHeard(left, writers)
	r.cut()
}

// cutIdle cuts the power some time after the last write: the system has written
// back some of it.
func (r *powerRun) cutIdle() {
	r.start(part{Actions: 5 + r.random.IntN(40), Idle: true})
	r.start(part{Actions: 5 + r.random.IntN(40), Idle: true})
	r.awaitHeard(idle, 2)
	r.moment(3 * time.Second)
	if r.random.IntN(2) == 0 {
		writeBack(r.head())
	}
	r.cut()
}

// cutAfterRebuild removes run/ or index/ by hand, and cuts the power when
// somebody has just made them anew.
func (r *powerRun) cutAfterRebuild() {
	r.start(part{Actions: 5 + r.random.IntN(40), Idle: true})
	r.awaitHeard(idle, 1)
	r.kill()
	gone := []string{runDir, "index"}[r.random.IntN(2)]
	if err := os.RemoveAll(filepath.Join(r.dir(), roomDir, gone)); err != nil {
		r.t.Fatal(err)
	}
	r.someNoise()
	r.start(part{Actions: r.random.IntN(3), Idle: true})
	r.awaitHeard(idle, 1)
	r.cut()
}

// check opens the room and holds it to what was promised, twice.
func (r *powerRun) check() {
	r.t.Helper()
	r.saved += r.promised.missing(r.dir())
	once := r.open()
	twice := r.open()
	if diff := cmp.Diff(once, twice); diff != "" {
		r.t.Errorf("opening twice is not opening once (-once +twice):\n%s", diff)
	}
}

// open opens the room, checks it and leaves it, or falls dead without leaving.
// It returns the files of the room.
func (r *powerRun) open() map[string]string {
	r.t.Helper()
	var log testLog
	s, err := Init(r.dir(), RealEnv(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		r.t.Fatalf("the room does not open again: %v (%v)", err, log.String())
	}
	r.promised.check(r.t, s)
	checkFiles(r.t, r.dir())
	if r.random.IntN(2) == 0 {
		err = s.Close()
	} else {
		s.release()
	}
	if err != nil || strings.Contains(log.String(), "damaged") {
		r.t.Errorf("close: %v: %s", err, log.String())
	}
	return r.files()
}

// files are those that others may read, and the sessions.
func (r *powerRun) files() map[string]string {
	r.t.Helper()
	files := map[string]string{}
	room := os.DirFS(filepath.Join(r.dir(), roomDir))
	err := fs.WalkDir(room, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasPrefix(name, runDir+"/") || strings.HasPrefix(name, presenceDir+"/") {
			return err
		}
		data, err := fs.ReadFile(room, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return files
}
