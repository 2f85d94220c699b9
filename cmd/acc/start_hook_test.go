package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkHook runs hooks in a room of 10,000 messages, and an empty program
// beside them; both are taken at their best. It fails when a hook costs too
// much more: an agent waits for each of them.
func BenchmarkHook(b *testing.B) {
	dir := b.TempDir()
	acc, empty := build(b, dir, "."), build(b, dir, "./testdata/empty")
	root := b.TempDir()
	bob := largeRoom(b, root, 10_000, 20)
	floor := start(b, root, bob, empty)
	input := fmt.Sprintf(`{"session_id":"c1","cwd":%q,"tool_name":"Write","tool_input":{"file_path":"src/app.go","content":%q}}`,
		root, strings.Repeat("x", 10_000))
	for _, event := range []string{"session-start", "before-turn", "before-tool", "stop", "session-end"} {
		b.Run(event, func(b *testing.B) {
			startHook(b, root, acc, input, "session-start") // one that a session-end ended goes on
			var took []time.Duration
			for b.Loop() {
				for range 5 {
					took = append(took, startHook(b, root, acc, input, event))
				}
			}
			over := slices.Min(took) - floor
			b.ReportMetric(float64(over.Microseconds())/1000, "ms-over-empty")
			if over > maxOverEmpty {
				b.Errorf("acc hook %s takes %s more than an empty program, want at most %s", event, over, maxOverEmpty)
			}
		})
	}
}

// startHook runs one hook and returns how long it took.
func startHook(b *testing.B, root, acc, input, event string) time.Duration {
	cmd := exec.Command(acc, "hook", "claude", event, "--participant", "bob")
	cmd.Dir, cmd.Env, cmd.Stdin = root, append(os.Environ(), "CLAUDE_PROJECT_DIR="), strings.NewReader(input)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "acc hook:") {
		b.Fatalf("acc hook %s: %v\n%s", event, err, out)
	}
	return time.Since(began)
}
