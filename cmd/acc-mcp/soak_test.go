package main_test

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/fsstore"
	"acc/tools/doctor"
)

// A package variable because a flag must exist before flags are parsed.
var soak = flag.Duration("soak", 2*time.Second, "how long the processes of TestSoak work")

// TestSoak has a process per core use all tools for a time. Nothing that was
// acknowledged is lost, the room is whole, and no process has grown.
func TestSoak(t *testing.T) {
	root := repository(t)
	workers := make([]*worker, max(2, runtime.NumCPU()))
	for i := range workers {
		workers[i] = newWorker(t, root, i, len(workers))
	}
	begin := time.Now()
	until := func(part time.Duration) int { return workAll(workers, begin.Add(*soak*part/10)) }
	first := until(1)
	var early []footprint
	for _, w := range workers {
		early = append(early, w.footprint())
	}
	middle := until(9)
	last := until(10)

	t.Logf("%d calls in %v: %d in its first tenth, %d in its last", first+middle+last, time.Since(begin).Round(time.Second), first, last)
	messages := 0
	for _, w := range workers {
		messages += len(w.sent)
	}
	for i, w := range workers {
		late := w.settled(early[i])
		t.Logf("%s: %d calls, %d sent, %d settled, %d sessions finished, %d second processes; %v after the first tenth, %v at the end", w.name,
			w.calls, len(w.sent), len(w.acked), w.finished, w.visits, early[i], late)
		late.wantNoMoreThan(t, early[i], messages)
		checkKept(t, root, w)
		w.end()
		if w.stderr() != "" {
			t.Errorf("stderr of %s: %s", w.name, w.stderr())
		}
	}
	checkDoctor(t, root)
}

// workAll lets all work until a time and counts their calls.
func workAll(workers []*worker, end time.Time) (calls int) {
	var all sync.WaitGroup
	for _, w := range workers {
		calls -= w.calls
		all.Go(func() {
			for time.Now().Before(end) {
				w.step()
			}
		})
	}
	all.Wait()
	for _, w := range workers {
		calls += w.calls
	}
	return calls
}

// checkKept finds on the disk what a worker was told has happened.
func checkKept(t *testing.T, root string, w *worker) {
	t.Helper()
	room := filepath.Join(root, ".acc")
	messages := map[string]int{}
	for _, name := range glob(t, room, "messages/*/*.json") {
		messages[strings.SplitN(filepath.Base(name), ".", 2)[0]]++
	}
	for _, id := range w.sent {
		if messages[id] != 1 {
			t.Errorf("%s was acknowledged to its sender and is there %d times", id, messages[id])
		}
	}
	for _, id := range w.acked {
		if state := member(t, filepath.Join(room, "receipts", w.name, id+".json"), "state"); state != "acknowledged" {
			t.Errorf("%s settled %s, and its state is %q", w.name, id, state)
		}
	}
	claims := 0
	for _, name := range glob(t, room, "claims/*.json") {
		if member(t, name, "ownerParticipantId") == w.name {
			claims++
		}
	}
	for resource, claim := range w.held {
		if got := member(t, filepath.Join(room, "claims", claim+".json"), "resource"); got != resource {
			t.Errorf("%s holds %s as %s, which is for %q", w.name, resource, claim, got)
		}
	}
	if claims != len(w.held) {
		t.Errorf("%s has %d claims, and knows of %d", w.name, claims, len(w.held))
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// member is one text of a record, "" for a file that is not there.
func member(t *testing.T, path, name string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return ""
	}
	var record object
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	return text(t, record, name)
}

// checkDoctor wants nothing to be wrong with the room.
func checkDoctor(t *testing.T, root string) {
	t.Helper()
	report := doctor.Examine(t.Context(), doctor.Config{
		Workspace: fsstore.Workspace{Root: root, Checkout: root},
		Env:       fsstore.RealEnv(slog.New(slog.DiscardHandler)), Look: exec.LookPath,
	})
	for _, f := range report.Findings {
		if wrong := f.Level == doctor.Warning || f.Level == doctor.Problem; wrong && strings.HasPrefix(f.Where, ".acc") {
			t.Errorf("acc doctor: %s: %s: %s", f.Level, f.Where, f.What)
		}
	}
}
