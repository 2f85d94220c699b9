package fsstore

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"acc/schema"
)

// The test binary starts itself again as one of many processes in a room.
// The environment says which part it plays.
const (
	childDir  = "ACC_TEST_ROOM"
	childName = "ACC_TEST_NAME" // readerName for one that only reads
	childRole = "ACC_TEST_ROLE" // what it does instead of writing, "" for a writer
)

// readerName is no participant's.
const readerName = "-reader"

// A package variable because a flag must exist before flags are parsed.
var kills = flag.Int("kills", 200, "how many processes TestKilledWriters kills")

// endless is how many messages a writer sends that is going to be killed.
const endless = 1 << 30

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := playRole(os.Getenv(childRole), dir, os.Getenv(childName)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(runAll(m))
}

// playRole is what a child does.
func playRole(role, dir, name string) error {
	switch role {
	case contenderRole:
		return contend(dir, name)
	case holderRole:
		return hold(dir, name)
	}
	return writer(dir, name)
}

// runAll keeps all files of a run together and removes them at its end: some
// file systems are slow for minutes where thousands of files were removed.
func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acc-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("TMPDIR", dir)
	return m.Run()
}

// writer is the part of a child: it waits until its stdin says how many
// messages to send, and reports each that is acknowledged on stdout.
func writer(dir, name string) error {
	var count int
	if _, err := fmt.Fscan(os.Stdin, &count); err != nil {
		return err
	}
	s, err := Init(dir, RealEnv(slog.New(slog.NewTextHandler(os.Stderr, nil))))
	if err != nil {
		return err
	}
	fmt.Println(s.Workspace().WorkspaceID)
	if name == readerName {
		return read(s, count)
	}
	ctx := context.Background()
	var me schema.Session
	if err := s.Update(ctx, func(tx *Tx) (err error) { me, err = joinTx(tx, name); return err }); err != nil {
		return err
	}
	for range count {
		var m *schema.Message
		if err := s.Update(ctx, func(tx *Tx) (err error) { m, err = sendTx(tx, me, note("bob")); return err }); err != nil {
			return err
		}
		fmt.Println(m.MessageID)
	}
	return s.Close()
}

// read looks at the room and reports what a writer would never leave.
func read(s *Store, times int) error {
	for range times {
		err := s.View(context.Background(), func(v *View) error {
			refs, err := history(v)
			if err == nil && int64(len(refs)) != v.MessageCount() {
				err = fmt.Errorf("%d messages, counted %d", len(refs), v.MessageCount())
			}
			return err
		})
		if err != nil {
			fmt.Println(unwhole, err)
			return err
		}
		fmt.Println("whole")
	}
	return s.Close()
}

// unwhole starts the line of a reader that saw half of something.
const unwhole = "half of a write:"

// child is a started writer.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  *bufio.Scanner
	stderr strings.Builder
}

func startWriter(t *testing.T, dir, name string) *child { return startChild(t, dir, name, "") }

func startChild(t *testing.T, dir, name, role string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.Command(self)}
	c.cmd.Env = append(os.Environ(), childDir+"="+dir, childName+"="+name, childRole+"="+role)
	c.cmd.Stderr = &c.stderr
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(stdout)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// begin lets the writer send.
func (c *child) begin(count int) {
	fmt.Fprintln(c.stdin, count)
	c.stdin.Close()
}

// TestManyProcessesSendAtOnce starts thirty processes in a directory without
// a room. All make it, join it and send at once.
func TestManyProcessesSendAtOnce(t *testing.T) {
	const processes, each = 30, 20
	dir := t.TempDir()
	var children []*child
	for i := range processes {
		children = append(children, startWriter(t, dir, fmt.Sprintf("writer-%d", i)))
	}
	for _, c := range children {
		c.begin(each)
	}
	rooms, acked := map[string]bool{}, map[string]bool{}
	for _, c := range children {
		for c.lines.Scan() {
			if line := c.lines.Text(); strings.HasPrefix(line, "workspace_") {
				rooms[line] = true
			} else {
				acked[line] = true
			}
		}
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("a writer failed: %v: %s", err, c.stderr.String())
		}
	}
	if len(rooms) != 1 || len(acked) != processes*each {
		t.Fatalf("%d rooms, %d acknowledged messages", len(rooms), len(acked))
	}
	checkAcked(t, dir, acked, processes*each)
}

// checkAcked opens the room and finds it whole, with every acknowledged
// message in it. exactly is how many there are, -1 for at least those.
func checkAcked(t *testing.T, dir string, acked map[string]bool, exactly int) {
	t.Helper()
	var log testLog
	s := openTestRoom(t, dir, &log)
	view(t, s, func(v *View) error {
		checkWhole(t, v)
		refs, err := history(v)
		if err != nil {
			return err
		}
		there := map[string]bool{}
		for _, ref := range refs {
			there[ref.MessageID] = true
		}
		for id := range acked {
			if !there[id] {
				t.Errorf("%s was acknowledged and is not there", id)
			}
		}
		receipts, err := v.Receipts("bob")
		if err != nil {
			return err
		}
		if len(receipts) != len(refs) || len(there) != len(refs) || exactly >= 0 && len(refs) != exactly {
			t.Errorf("%d messages, %d different, %d receipts, want %d", len(refs), len(there), len(receipts), exactly)
		}
		return nil
	})
	if strings.Contains(log.String(), "damaged") {
		t.Errorf("the room is damaged: %s", log.String())
	}
}

// TestKilledWriters kills writers while they send, and readers beside them.
// Whatever the writers had acknowledged is there, and no reader sees half of it.
func TestKilledWriters(t *testing.T) {
	const lanes, reading = 5, 4 // the last one reads
	dir := t.TempDir()
	acked := map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for lane := range lanes {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(lane), 1))
			for i := range *kills / lanes {
				name := fmt.Sprintf("lane-%d-%d", lane, i)
				if lane == reading {
					killReader(t, dir, random)
					continue
				}
				for _, id := range killWriter(t, dir, name, random) {
					mu.Lock()
					acked[id] = true
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d kills, %d messages acknowledged", *kills, len(acked))
	checkAcked(t, dir, acked, -1)
}

func killReader(t *testing.T, dir string, random *rand.Rand) {
	for _, line := range killWriter(t, dir, readerName, random) {
		if strings.HasPrefix(line, unwhole) {
			t.Error(line)
		}
	}
}

// killWriter kills a writer somewhere behind its first few messages and
// returns what it had acknowledged.
func killWriter(t *testing.T, dir, name string, random *rand.Rand) (acked []string) {
	c := startWriter(t, dir, name)
	c.begin(endless)
	stop := random.IntN(6)
	for c.lines.Scan() {
		acked = append(acked, c.lines.Text())
		if len(acked) > stop {
			break
		}
	}
	for range random.IntN(1 << 20) { // somewhere within the next one
	}
	if err := c.cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	for c.lines.Scan() {
		acked = append(acked, c.lines.Text())
	}
	if err := c.cmd.Wait(); err == nil || len(acked) == 0 {
		t.Errorf("the writer ended by itself: %s", c.stderr.String())
	}
	return acked[min(1, len(acked)):] // the first line is the room
}
