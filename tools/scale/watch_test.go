package scale

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"acc/fsstore"
	"acc/tools/coordination"
)

// BenchmarkWatch measures how long after a commit a watcher of the recipient's
// inbox, which holds a thousand files, has seen what happened.
func BenchmarkWatch(b *testing.B) {
	cfg := notes(2000)
	cfg.Open = 1
	dir, _ := generate(b, cfg)
	alice := join(b, dir, "alice")
	ctx, cancel := context.WithCancel(context.Background())
	inbox := filepath.Join(dir, ".acc", "inbox", "bob")
	signals, err := fsstore.Watch(ctx, environment().Log, time.Hour, []string{inbox})
	if err != nil {
		b.Fatal(err)
	}
	look := looks(b, dir)
	look()
	send := alice.does(b, "acc_message", always(`{"to":["bob"],"subject":"lexer","body":"it is yours now"}`))
	step{
		name: "watch", floor: appends(b),
		prepare: func() {
			quiet(signals)
			send()
		},
		do: func() {
			for seen := 0; seen == 0; seen = look() {
				<-signals
			}
		},
	}.measure(b)
	cancel()
	for range signals { // ends
	}
}

// looks follows the room as nobody; each look gives how many events are new.
func looks(b *testing.B, dir string) func() int {
	b.Helper()
	w, err := fsstore.Locate(dir)
	if err != nil {
		b.Fatal(err)
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, Env: environment()})
	b.Cleanup(func() { _ = room.Close() })
	watcher, err := room.Watcher("", 0)
	if err != nil {
		b.Fatal(err)
	}
	return func() int {
		seen, err := watcher.Look(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		return len(seen.Happened)
	}
}

// quiet returns when the last message is signalled no more.
func quiet(signals <-chan struct{}) {
	for {
		select {
		case <-signals:
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}
