package roomgen

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

var end = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func small() Config {
	return Config{Participants: 5, Messages: 1000, PerDay: 300, Open: 0.02, MostOpen: 15, Chain: 4, Seed: 7, End: end}
}

func generate(t *testing.T, cfg Config) (string, *Room) {
	t.Helper()
	dir := t.TempDir()
	room, err := Generate(t.Context(), dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return dir, room
}

// records are the files of a room, without what belongs to processes. The
// name of the directory stands in session records, so it is masked.
func records(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	top := filepath.Join(dir, ".acc")
	err := fs.WalkDir(os.DirFS(top), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, "run/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(top, name))
		files[name] = strings.ReplaceAll(string(data), dir, "DIR")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameConfigSameRoom(t *testing.T) {
	one, _ := generate(t, small())
	two, _ := generate(t, small())
	if diff := cmp.Diff(records(t, one), records(t, two)); diff != "" {
		t.Errorf("two rooms of one seed differ:\n%s", diff)
	}
	other := small()
	other.Seed++
	three, _ := generate(t, other)
	if cmp.Equal(records(t, one), records(t, three)) {
		t.Error("another seed gives the same room")
	}
}

func TestRoomIsWhatWasAskedFor(t *testing.T) {
	dir, room := generate(t, small())
	days, err := filepath.Glob(filepath.Join(dir, ".acc", "messages", "*"))
	if err != nil || len(days) != 4 {
		t.Errorf("1,000 messages at 300 a day ending at noon lie on %d days, want 4: %v", len(days), err)
	}
	kinds, open := map[schema.MessageKind]int{}, map[string]bool{}
	look(t, dir, func(v *fsstore.View) error {
		if v.MessageCount() != 1000 {
			t.Errorf("%d messages", v.MessageCount())
		}
		for ref, err := range v.History("") {
			if err != nil {
				return err
			}
			kinds[ref.Kind]++
		}
		for _, who := range room.Participants {
			entries, err := v.Inbox(who)
			if err != nil {
				return err
			}
			for _, e := range entries {
				open[e.MessageID] = true
			}
		}
		return nil
	})
	for kind, weight := range Usual() {
		if got, want := kinds[kind], 10*weight; got < want/2 || got > want*2 {
			t.Errorf("%d messages of kind %s, want about %d", got, kind, want)
		}
	}
	if room.Open != 15 || len(open) != 15 {
		t.Errorf("%d messages are open, and %d are said to be; want 15", len(open), room.Open)
	}
}

func TestChainsOfDecisions(t *testing.T) {
	dir, room := generate(t, small())
	current := 0
	look(t, dir, func(v *fsstore.View) error {
		for i, id := range room.Decisions {
			status, err := v.DecisionStatus(id)
			if err != nil {
				return err
			}
			if status.IsHead {
				current++
			}
			if last := i%4 == 3 || i == len(room.Decisions)-1; status.IsHead != last {
				t.Errorf("decision %d of %d: %+v", i, len(room.Decisions), status)
			}
		}
		return nil
	})
	if current < 5 {
		t.Errorf("only %d decisions stand", current)
	}
}

func TestOneDay(t *testing.T) {
	cfg := small()
	cfg.PerDay = 0
	dir, _ := generate(t, cfg)
	days, err := filepath.Glob(filepath.Join(dir, ".acc", "messages", "*"))
	if err != nil || len(days) != 1 || filepath.Base(days[0]) != "2026-11-30" {
		t.Errorf("the messages lie in %v, %v", days, err)
	}
}

func TestRefusals(t *testing.T) {
	dir, _ := generate(t, Config{Participants: 2})
	for label, cfg := range map[string]Config{
		"a room is there": {Participants: 2}, "one participant": {Participants: 1},
		"no kind": {Participants: 2, Kinds: map[schema.MessageKind]int{}}, "negative": {Participants: 2, Messages: -1},
	} {
		where := t.TempDir()
		if label == "a room is there" {
			where = dir
		}
		if _, err := Generate(t.Context(), where, cfg); err == nil {
			t.Errorf("%s: no error", label)
		}
	}
}

func look(t *testing.T, dir string, fn func(*fsstore.View) error) {
	t.Helper()
	s, err := fsstore.Open(dir, fsstore.RealEnv(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.View(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}
