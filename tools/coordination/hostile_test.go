//go:build linux

package coordination

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/schema"
	"acc/tools/doctor"

	"github.com/google/go-cmp/cmp"
)

// den is a room in which somebody spoils something, and a place beside it that
// must stay as it is.
type den struct {
	*world
	outside                    string
	question, decision, change string // messages to bob
	claim                      string
	secrets                    []string
	log                        lockedBuffer
}

// canary is what lies outside and must not come out.
const canary = "CANARY-0f4e2m9v8r7c"

// lockedBuffer collects what the processes log.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// newDen makes a room with something of everything, in which nobody is.
func newDen(t *testing.T) *den {
	t.Helper()
	d := &den{world: newWorld(t), outside: t.TempDir()}
	alice, bob := d.join("alice"), d.join("bob")
	d.question = alice.ask("bob", "s")
	d.decision = alice.decide(`"bob"`, ``)
	d.change = alice.decide(`"bob"`, `,"supersedes":[`+quoted(d.decision)+`],"clientMessageId":"k"`)
	d.claim = alice.acquire("file:a")
	bob.ok("acc_work", `{"summary":"s","mode":"edit"}`)
	for _, c := range []*client{alice, bob} {
		if err := c.room.Close(); err != nil {
			t.Fatal(err)
		}
		c.kill()
	}
	for name, data := range d.tree() {
		var s schema.Session
		if strings.HasPrefix(name, ".acc/sessions/") && schema.Decode([]byte(data), &s) == nil {
			d.secrets = append(d.secrets, s.Generation)
		}
	}
	d.plant()
	return d
}

// plant fills the place outside. Reading a file there would show in the time
// of its last access, on a file system that keeps it.
func (d *den) plant() {
	for _, name := range []string{"file", "dir/" + someMessage + ".note.json", "dir/x.json"} {
		full := filepath.Join(d.outside, name)
		d.must(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(canary), 0o644))
	}
	long := time.Now().Add(-48 * time.Hour)
	d.must(filepath.WalkDir(d.outside, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Chtimes(path, long, long)
	}))
}

func (d *den) must(errs ...error) {
	d.t.Helper()
	if err := errors.Join(errs...); err != nil {
		d.t.Fatal(err)
	}
}

// start is a process whose log is kept.
func (d *den) start(name string) *client {
	c := d.world.start(name)
	c.room.cfg.Env.Log = slog.New(slog.NewTextHandler(&d.log, nil))
	return c
}

// print is what a path is: what stands there, and what it holds.
type print struct {
	Mode fs.FileMode
	Size int64
	Text string
}

func printOf(path string) print {
	info, err := os.Lstat(path)
	if err != nil {
		return print{Text: err.Error()}
	}
	p := print{Mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		p.Text, _ = os.Readlink(path)
	case info.Mode().IsRegular() && info.Size() < 1<<20:
		data, _ := os.ReadFile(path)
		p.Text, p.Size = string(data), info.Size()
	case info.Mode().IsRegular():
		p.Size = info.Size()
	}
	return p
}

// prints takes the prints of everything below a directory. No link is
// followed.
func prints(dir string) map[string]print {
	all := map[string]print{}
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = printOf(path)
		}
		return nil
	})
	return all
}

// touched are the paths that differ between two looks. What a room makes anew
// when it must is left out, and so is the log, which goes on.
func touched(before, after map[string]print) map[string]print {
	changed := map[string]print{}
	for name, p := range after {
		derived := strings.HasPrefix(name, ".acc/run/") || strings.HasPrefix(name, ".acc/index/")
		log := name == ".acc/events/0000000000000001.jsonl" && p.Mode.IsRegular()
		if before[name] != p && !derived && !log && !p.Mode.IsDir() {
			changed[name] = p
		}
	}
	return changed
}

// probe is what a participant finds who comes into the spoiled room: the
// reasons of status, inbox and send, "ok" for success; all that the calls
// answered; and what is reported to whoever runs the room.
func (d *den) probe() (found, text, told string) {
	var out []string
	bob := d.start("bob")
	for _, call := range []struct{ tool, args string }{
		{"acc_status", `{}`}, {"acc_inbox", `{}`}, {"acc_message", `{"to":["alice"],"subject":"s","body":"b","clientMessageId":"after"}`},
		{"acc_message", `{"to":["alice"],"subject":"s","body":"b","clientMessageId":"after"}`},
		{"acc_sync", `{"limit":500}`}, {"acc_sync", `{"scope":"full"}`}, {"acc_sync", `{"scope":"history"}`}, {"acc_inbox", `{"messageId":` + quoted(d.question) + `}`},
		{"acc_claim", `{"action":"acquire","resource":"file:b"}`}, {"acc_finish", `{"goal":"g"}`},
	} {
		value, err := bob.call(call.tool, call.args)
		data, _ := schema.Format(value)
		text += string(data)
		reason := "ok"
		if err != nil {
			e := schema.AsError(err)
			details, _ := json.Marshal(e.Details)
			text += e.Message + string(details)
			reason = string(e.Reason)
		}
		out = append(out, reason)
	}
	_ = bob.room.Close()
	cfg := doctor.Config{Workspace: bob.room.cfg.Workspace, Env: bob.room.cfg.Env, Look: func(string) (string, error) { return "", os.ErrNotExist }}
	report, _ := schema.Format(doctor.Examine(d.t.Context(), cfg))
	return strings.Join(out[:3], " "), text, string(report) + d.log.String()
}

// patience is how long a probe may take: longer than anybody waits for a lock.
const patience = 40 * time.Second

func TestHostileStores(t *testing.T) {
	t.Parallel()
	stores := slices.Concat(plantedStores(), writtenStores(), namedStores(), journalStores(), logStores(), ownedStores())
	if len(stores) < 60 {
		t.Errorf("only %d stores", len(stores))
	}
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			t.Parallel()
			store.test(t)
		})
	}
}

// fine are the stores in which every single file may stand where it does, so
// that none of them is reported.
var fine = map[string]bool{
	"a message that is behind a BOM": true, "a message that is of CRLF": true, "a claim without end": true,
	"a message of the first day": true, "a message of the last day": true, "events of the last file": true,
}

// hostileStore is one way to spoil a room.
type hostileStore struct {
	name  string
	want  string // the reasons of status, inbox and send; one for all three
	spoil func(d *den)
}

func (h hostileStore) test(t *testing.T) {
	d := newDen(t)
	clean := prints(d.dir)
	h.spoil(d)
	spoiled := touched(clean, prints(d.dir))
	outside := prints(d.outside)
	times := accessTimes(d.outside)

	var found, text, told string
	done := make(chan struct{})
	go func() {
		defer close(done)
		found, text, told = d.probe()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		stacks := make([]byte, 1<<20)
		t.Fatalf("it hangs:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
	want := h.want
	if !strings.Contains(want, " ") {
		want = strings.Join([]string{want, want, want}, " ")
	}
	if found != want {
		t.Errorf("status, inbox and send end with %s; want %s\n%s", found, want, d.log.String())
	}
	for name, was := range spoiled {
		if diff := cmp.Diff(was, printOf(filepath.Join(d.dir, name))); diff != "" {
			t.Errorf("%s was touched (-before +after):\n%s", name, diff)
		}
		stem, _, _ := strings.Cut(filepath.Base(name), ".json")
		if reported := strings.Contains(told, stem) || strings.Contains(told, strings.Trim(strconv.Quote(stem), `"`)); reported == fine[h.name] {
			t.Errorf("%s: reported %v", name, reported)
		}
	}
	if diff := cmp.Diff(outside, prints(d.outside)); diff != "" {
		t.Errorf("something outside was changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(times, accessTimes(d.outside)); diff != "" {
		t.Errorf("something outside was read (-before +after):\n%s", diff)
	}
	for _, secret := range append(d.secrets, canary) {
		if strings.Contains(text+told, secret) {
			t.Errorf("a secret comes out: %s", secret)
		}
	}
}
