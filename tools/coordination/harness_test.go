package coordination

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/fsstore"
	"acc/fsstore/vfs"
	"acc/schema"
	"acc/tools"

	"github.com/google/go-cmp/cmp"
)

// world is a workspace whose clock, randomness and processes a test scripts.
type world struct {
	t     *testing.T
	dir   string
	now   time.Time
	rand  io.Reader
	alive map[int]bool
	pids  int
	disk  func(vfs.Dir) vfs.Dir // nil for the real one
	ran   []*client             // every process so far
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		t: t, dir: dir, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		rand: &sharedRand{random: rand.NewChaCha8([32]byte{1})}, alive: map[int]bool{},
	}
}

// sharedRand is the same in every run, and safe for rooms that run at once.
type sharedRand struct {
	mu     sync.Mutex
	random *rand.ChaCha8
}

func (r *sharedRand) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.Read(p)
}

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// client is one server process: a participant's room behind its tools.
type client struct {
	*world
	name     string
	harness  string
	pid      int
	room     *Room
	registry *tools.Registry
}

// start runs a server for a participant. It has called nothing yet.
func (w *world) start(name string) *client {
	w.t.Helper()
	w.pids++
	return w.process(name, fsstore.Process{Host: "box", PID: w.pids, Start: strconv.Itoa(w.pids)})
}

func (w *world) process(name string, p fsstore.Process) *client {
	w.t.Helper()
	c := w.unwatched(name, p)
	w.t.Cleanup(func() { _ = c.room.Close() })
	return c
}

// unwatched is a process that the caller ends.
func (w *world) unwatched(name string, p fsstore.Process) *client {
	c := &client{world: w, name: name, harness: "claude-code", pid: p.PID, registry: &tools.Registry{}}
	w.alive[p.PID] = true
	c.room = NewRoom(Config{
		Workspace: fsstore.Workspace{Root: w.dir, Checkout: w.dir}, ParticipantID: name,
		Env: w.env(p),
	})
	c.registry.Add(Tools(c.room), Resources(c.room))
	w.ran = append(w.ran, c)
	return c
}

func (w *world) env(p fsstore.Process) fsstore.Env {
	return fsstore.Env{
		Now: func() time.Time { return w.now }, Rand: w.rand, Process: p,
		Alive: func(p fsstore.Process) bool { return w.alive[p.PID] },
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
		Disk:  w.disk,
	}
}

// join starts a server and makes its participant known.
func (w *world) join(name string) *client {
	w.t.Helper()
	c := w.start(name)
	c.ok("acc_status", `{}`)
	return c
}

// joinAs does the same for a client that introduces itself.
func (w *world) joinAs(name, harness string) *client {
	w.t.Helper()
	c := w.start(name)
	c.harness = harness
	c.ok("acc_status", `{}`)
	return c
}

// restart ends the process properly and starts the next one.
func (c *client) restart() *client {
	c.t.Helper()
	if err := c.room.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.alive[c.pid] = false
	next := c.world.start(c.name)
	next.harness = c.harness
	return next
}

// kill ends the process without a word.
func (c *client) kill() { c.alive[c.pid] = false }

func (c *client) call(tool, args string) (any, error) {
	c.t.Helper()
	t, ok := c.registry.Tool(tool)
	if !ok {
		c.t.Fatalf("there is no tool %s", tool)
	}
	return t.Call(context.Background(), tools.Caller{Harness: c.harness}, json.RawMessage(args))
}

// ok calls a tool that must succeed.
func (c *client) ok(tool, args string) answer {
	c.t.Helper()
	value, err := c.call(tool, args)
	if err != nil {
		c.t.Fatalf("%s: %s %s: %v", c.name, tool, args, err)
	}
	return answerOf(c.t, value)
}

// read reads a resource, which must succeed.
func (c *client) read(uri string) answer {
	c.t.Helper()
	r, ok := c.registry.Resource(uri)
	if !ok {
		c.t.Fatalf("there is no resource %s", uri)
	}
	value, err := r.Read(context.Background(), tools.Caller{Harness: c.harness})
	if err != nil {
		c.t.Fatalf("%s: %s: %v", c.name, uri, err)
	}
	return answerOf(c.t, value)
}

// refused calls a tool that must fail with a reason.
func (c *client) refused(tool, args string, reason schema.Reason) *schema.Error {
	c.t.Helper()
	value, err := c.call(tool, args)
	if err == nil {
		c.t.Fatalf("%s: %s %s succeeded with %s; want %s", c.name, tool, args, answerOf(c.t, value).text, reason)
	}
	e := schema.AsError(err)
	if e.Reason != reason {
		c.t.Fatalf("%s: %s %s: %s: %v; want %s", c.name, tool, args, e.Reason, err, reason)
	}
	return e
}

// tree is every file below the workspace with its content.
func (w *world) tree() map[string]string {
	w.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(w.dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// records is the tree without signs of life, locks and the journal.
func (w *world) records() map[string]string {
	w.t.Helper()
	files := w.tree()
	for name := range files {
		if strings.HasPrefix(name, ".acc/run/") || strings.HasPrefix(name, ".acc/presence/") {
			delete(files, name)
		}
	}
	return files
}

// unchanged wants fn to leave every record as it is.
func (w *world) unchanged(label string, fn func()) {
	w.t.Helper()
	before := w.records()
	fn()
	if diff := cmp.Diff(before, w.records()); diff != "" {
		w.t.Errorf("%s changed records (-before +after):\n%s", label, diff)
	}
}

// find gives the one file whose name matches a pattern below .acc.
func (w *world) find(pattern string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.dir, ".acc", filepath.FromSlash(pattern)))
	if err != nil || len(found) != 1 {
		w.t.Fatalf("%s matches %v, %v", pattern, found, err)
	}
	return found[0]
}

// send sends a note and gives its id.
func (c *client) send(to, subject string) string {
	c.t.Helper()
	return c.ok("acc_message", `{"to":[`+quoted(to)+`],"subject":`+quoted(subject)+`,"body":"b"}`).str("message.messageId")
}

// ask sends a question and gives its id.
func (c *client) ask(to, subject string) string {
	c.t.Helper()
	return c.ok("acc_message", `{"to":[`+quoted(to)+`],"subject":`+quoted(subject)+`,"body":"b","kind":"question"}`).str("message.messageId")
}

// acquire claims one resource and gives the id of the claim.
func (c *client) acquire(resource string) string {
	c.t.Helper()
	return c.ok("acc_claim", `{"action":"acquire","resource":`+quoted(resource)+`}`).str("claimId")
}

// events are the types of the events after a cursor, and the last cursor.
func (c *client) events(after string) (types []string, last string) {
	c.t.Helper()
	a := c.ok("acc_sync", `{"cursor":`+quoted(after)+`,"limit":500}`)
	return a.column("events", "type"), a.str("cursor")
}

// cursor is the end of the event log.
func (c *client) cursor() string {
	_, last := c.events("0000000000000000")
	return last
}

// quiet wants fn to cause no event.
func (c *client) quiet(label string, fn func()) {
	c.t.Helper()
	before := c.cursor()
	fn()
	if types, _ := c.events(before); len(types) > 0 {
		c.t.Errorf("%s caused %v", label, types)
	}
}

// attention lists kind and sourceId of what waits for the caller.
func (c *client) attention() []string {
	c.t.Helper()
	a := c.ok("acc_status", `{}`)
	kinds := a.column("attention", "kind")
	for i, source := range a.column("attention", "sourceId") {
		kinds[i] += " " + source
	}
	return kinds
}
