package fsstore

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWatchEagerly has changes follow each other more closely than Watch
// would tell of one by one.
func TestWatchEagerly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	signals, err := WatchEagerly(ctx, slog.New(slog.DiscardHandler), never, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "first")) // with the directories on the way
	seen := func() bool {
		select {
		case <-signals:
			return true
		case <-time.After(settleTime / 2):
			return false
		}
	}
	for seen() { // whatever making them caused
	}
	const changes = 20
	began := time.Now()
	for i := range changes {
		write(t, filepath.Join(dir, fmt.Sprint(i)))
		signalled(t, signals, "one of many changes")
	}
	if took := time.Since(began); took >= changes*settleTime {
		t.Errorf("%d changes took %s: each waited for its turn", changes, took)
	}
	// A directory that is made anew is watched again.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for seen() {
	}
	write(t, filepath.Join(dir, "again"))
	signalled(t, signals, "a file in the new directory")
	for seen() {
	}
	write(t, filepath.Join(dir, "and again"))
	signalled(t, signals, "the next one")
	cancel()
	for range signals { // ends
	}
}
