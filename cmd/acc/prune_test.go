package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/prune"
)

// TestPruneKilled kills prune in the middle, again and again. Each time the
// room is whole, and in the end all that was settled is gone.
func TestPruneKilled(t *testing.T) {
	const messages, unread = 1500, 20
	dir := t.TempDir()
	largeRoom(t, dir, messages, unread)
	before := schema.FormatCursor(1101)
	names := func() int {
		found, err := filepath.Glob(filepath.Join(dir, ".acc", "messages", "*", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	killed := 0
	for there := names(); killed < 3; {
		if !killAfter(t, dir, before, func() bool { return names() < there }) {
			break // it was done before it could be killed
		}
		killed++
		if out, err := command(dir, "doctor", "--repair").CombinedOutput(); err != nil {
			t.Fatalf("after kill %d: %v\n%s", killed, err, out)
		}
		there = names()
		var status coordination.Status
		answer(t, command(dir, "status", "--json"), &status)
		if status.Counts.Messages != int64(there) || status.Counts.Unretrieved != unread {
			t.Fatalf("after kill %d: %+v, and %d messages", killed, status.Counts, there)
		}
	}
	if killed == 0 {
		t.Error("prune was never killed in the middle")
	}
	var rest prune.Report
	answer(t, command(dir, "prune", "--apply", "--before", before, "--json"), &rest)
	if left := names(); left < messages-1100 || left > messages-1090 {
		t.Errorf("%d messages are left", left)
	}
	var delta coordination.Delta
	answer(t, command(dir, "sync", "--cursor", "0000000000000007", "--json"), &delta)
	if delta.TrimmedThrough != "0000000000001000" || delta.Events[0].Cursor != "0000000000001001" {
		t.Errorf("sync says trimmed through %q and starts with %v", delta.TrimmedThrough, delta.Events[0])
	}
	var at coordination.Delta
	answer(t, command(dir, "sync", "--cursor", "0000000000001000", "--json"), &at)
	if at.TrimmedThrough != "" {
		t.Errorf("a cursor behind the cut is told of it: %q", at.TrimmedThrough)
	}
}

// killAfter starts prune and kills it once reached is true; false when prune
// was faster.
func killAfter(t *testing.T, dir, before string, reached func() bool) bool {
	t.Helper()
	cmd := command(dir, "prune", "--apply", "--before", before)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return false
		case <-tick.C:
			if reached() {
				_ = cmd.Process.Kill()
				return (<-done) != nil
			}
		}
	}
}

// command is a run of the program, for nobody.
func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("acc", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ACC_SESSION=", "ACC_GENERATION=")
	return cmd
}

// answer takes the value out of a command's envelope.
func answer(t *testing.T, cmd *exec.Cmd, into any) {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	var envelope struct{ Data json.RawMessage }
	if err = json.Unmarshal(out, &envelope); err == nil {
		err = json.Unmarshal(envelope.Data, into)
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// TestPruneOfABusyRoom prunes while another process goes on writing.
func TestPruneOfABusyRoom(t *testing.T) {
	dir := t.TempDir()
	largeRoom(t, dir, 400, 0)
	alice := join(t, dir, "alice")
	store, err := fsstore.Open(dir, quietEnv())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cmd := command(dir, "prune", "--apply", "--before", schema.FormatCursor(400))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	sent := 0
	for running := true; running && sent < 200; sent++ {
		err := store.Update(t.Context(), func(tx *fsstore.Tx) error { return writeNote(tx, alice, alice, sent, true) })
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			done <- nil
			running = false
		default:
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var status coordination.Status
	answer(t, command(dir, "status", "--json"), &status)
	if status.Counts.Unretrieved != sent {
		t.Errorf("%d of %d notes wait", status.Counts.Unretrieved, sent)
	}
}
