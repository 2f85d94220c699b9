package coordination

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"acc/fsstore"
	"acc/fsstore/crashdisk"
	"acc/schema"
	"acc/tools/doctor"

	"github.com/google/go-cmp/cmp"
)

// content is every record and log of a room by its name. Ids and secrets are
// numbered, so that two rooms in which the same happened are equal.
type content map[string]string

// roomOn reads what counts of a room. Signs of life, and most of what is in
// run/, are not durable or are made anew. An empty log is
// none.
func roomOn(d *crashdisk.Disk) content {
	files := d.Tree("run/journal")
	maps.DeleteFunc(files, func(name, data string) bool {
		dir := path.Dir(name)
		return dir == "events" && data == "" || dir == "presence" ||
			strings.HasPrefix(name, "run/") && name != "run/attributes" && dir != "run/publish"
	})
	return numbered(files)
}

// numbered replaces ids by their place in the order in which they were given.
func numbered(files map[string]string) content {
	given := map[string]bool{}
	for name, data := range files {
		for _, text := range []string{name, data} {
			renamed(text, func(id string) string { given[id] = true; return "" })
		}
	}
	order := slices.Sorted(maps.Keys(given))
	number := func(id string) string {
		i, _ := slices.BinarySearch(order, id)
		return fmt.Sprintf("#%d", i)
	}
	c := content{}
	for name, data := range files {
		if strings.HasPrefix(name, "sessions/") {
			data = secret.ReplaceAllString(data, `"generation": "secret"`)
		}
		c[renamed(name, number)] = renamed(data, number)
	}
	return c
}

var secret = regexp.MustCompile(`"generation": "[0-9a-f]{32}"`)

// renamed replaces the ULID of every id in a text.
func renamed(text string, name func(id string) string) string {
	const length = 26
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '_') + 1
		if at == 0 || len(text) < at+length {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		text = text[at:]
		if id := text[:length]; strings.Trim(id, "0123456789abcdefghjkmnpqrstvwxyz") == "" {
			b.WriteString(name(id))
			text = text[length:]
		}
	}
}

// records is the content without the event log.
func (c content) records() content {
	records := maps.Clone(c)
	maps.DeleteFunc(records, func(name, _ string) bool { return path.Dir(name) == "events" })
	return records
}

// check wants the log to tell of each message once and of no other, and the
// numbers of the room to count what is there. The rest is in the comparison of
// whole rooms, which doctor has seen.
func (c content) check(t *testing.T, v *fsstore.View) {
	t.Helper()
	events := 0
	sent, there := []string{}, []string{}
	for name, data := range c {
		base := path.Base(name)
		switch top, _, _ := strings.Cut(name, "/"); top {
		case "messages":
			there = append(there, base[:strings.IndexByte(base, '.')])
		case "events":
			for line := range strings.Lines(data) {
				var e schema.Event
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				events++
				if e.Cursor != schema.FormatCursor(int64(events)) {
					t.Fatalf("event %d has cursor %s", events, e.Cursor)
				}
				if e.Type == schema.EventMessageSent {
					sent = append(sent, e.Payload.MessageID)
				}
			}
		}
	}
	slices.Sort(sent)
	slices.Sort(there)
	if diff := cmp.Diff(there, sent); diff != "" {
		t.Fatalf("messages and events differ (-messages +events):\n%s", diff)
	}
	if int64(events) != v.Cursor() || int64(len(there)) != v.MessageCount() {
		t.Fatalf("%d events and %d messages, counted %d and %d", events, len(there), v.Cursor(), v.MessageCount())
	}
}

// reopen opens a room as the first process after a crash does, is killed, and
// opens it again. It returns the disk that is left.
func (s *stage) reopen(d *crashdisk.Disk) (content, *crashdisk.Disk) {
	s.t.Helper()
	once, d := s.look(d)
	twice, d := s.look(d)
	s.same("recovering twice is not recovering once", once, twice)
	return once, d
}

// look opens a room, holds it to what is true of every room, and is killed.
func (s *stage) look(d *crashdisk.Disk) (content, *crashdisk.Disk) {
	s.t.Helper()
	store := s.open(d)
	got := roomOn(d)
	err := store.View(context.Background(), func(v *fsstore.View) error { got.check(s.t, v); return nil })
	if err != nil {
		s.t.Fatal(err)
	}
	return got, kill(d, store.Close)
}

func (s *stage) env(d *crashdisk.Disk) fsstore.Env {
	return s.on(d).env(fsstore.Process{Host: "box", PID: 1, Start: "1"})
}

func (s *stage) open(d *crashdisk.Disk) *fsstore.Store {
	s.t.Helper()
	store, err := fsstore.Init(s.world.dir, s.env(d))
	if err != nil {
		s.t.Fatalf("the room does not open: %v", schema.AsError(err).Unwrap())
	}
	return store
}

// kill ends a process that has the room open, on the spot. Closing gives back
// the locks, which are not on the disk.
func kill(d *crashdisk.Disk, closing func() error) *crashdisk.Disk {
	d.PowerOff()
	_ = closing()
	return d.AfterKill()
}

// examine lets acc doctor look at a room that nobody is in.
func (s *stage) examine(d *crashdisk.Disk) {
	s.t.Helper()
	report := doctor.Examine(context.Background(), doctor.Config{Workspace: s.workspace(), Env: s.env(d)})
	for _, f := range report.Findings {
		if f.Level == doctor.Warning || f.Level == doctor.Problem {
			s.t.Errorf("%s: %s: %s", f.Level, f.Where, f.What)
		}
	}
}

func (s *stage) workspace() fsstore.Workspace {
	return fsstore.Workspace{Root: s.world.dir, Checkout: s.world.dir}
}
