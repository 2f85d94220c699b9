package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"acc/tools/coordination"
)

// maxOverEmpty is what a command may cost over the start of an empty program.
const maxOverEmpty = 20 * time.Millisecond

// BenchmarkStart runs commands in a room of 10,000 messages, and an empty
// program beside them; both are taken at their best, which is what the machine
// can do. It fails when status or inbox costs too much more in a room that is
// used as rooms are; a room in which nobody reads is only measured.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	acc, empty := build(b, dir, "."), build(b, dir, "./testdata/empty")
	for _, room := range []struct {
		name string
		open int
	}{{"settled", 20}, {"unread", 10_000}} {
		root := b.TempDir()
		bob := largeRoom(b, root, 10_000, room.open)
		floor := start(b, root, bob, empty)
		for _, command := range [][]string{{"version"}, {"status"}, {"inbox"}, {"sync", "--scope", "history"}} {
			b.Run(room.name+"/"+command[0], func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					took = append(took, start(b, root, bob, acc, command...))
				}
				over := slices.Min(took) - floor
				b.ReportMetric(float64(over.Microseconds())/1000, "ms-over-empty")
				held := room.name == "settled" && slices.Contains([]string{"version", "status", "inbox"}, command[0])
				if held && over > maxOverEmpty {
					b.Errorf("acc %s takes %s more than an empty program, want at most %s", command[0], over, maxOverEmpty)
				}
			})
		}
	}
}

// start runs a program a few times and returns its best time.
func start(b *testing.B, root string, as coordination.Attached, program string, args ...string) time.Duration {
	best := time.Hour
	for range 5 {
		cmd := exec.Command(program, args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "ACC_SESSION="+as.SessionID, "ACC_GENERATION="+as.Generation)
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s %v: %v\n%s", program, args, err, out)
		}
		best = min(best, time.Since(began))
	}
	return best
}

func build(b *testing.B, dir, pkg string) string {
	b.Helper()
	path := filepath.Join(dir, filepath.Base(pkg)+".test.exe")
	if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return path
}
