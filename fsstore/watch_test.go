package fsstore

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// never is a poll that no test lives to see.
const never = time.Hour

func watching(t *testing.T, poll time.Duration, dirs ...string) (<-chan struct{}, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	signals, err := Watch(ctx, slog.New(slog.DiscardHandler), poll, dirs)
	if err != nil {
		t.Fatal(err)
	}
	return signals, cancel
}

func signalled(t *testing.T, signals <-chan struct{}, what string) {
	t.Helper()
	select {
	case _, open := <-signals:
		if !open {
			t.Fatalf("%s: the watch has ended", what)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: no signal", what)
	}
}

func write(t *testing.T, name string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestWatchSeesChanges(t *testing.T) {
	dir := t.TempDir()
	signals, cancel := watching(t, never, dir)
	write(t, filepath.Join(dir, "a"))
	signalled(t, signals, "a new file")
	if err := os.Remove(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	signalled(t, signals, "a file that went")
	cancel()
	for range signals { // ends
	}
}

// A directory that appears is watched, and one that was made anew, too.
func TestWatchWaitsForDirectories(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, ".acc", "handoffs")
	signals, _ := watching(t, never, dir)
	for range 2 {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		signalled(t, signals, "the directory")
		for range 3 { // at the latest when the directory itself is watched
			write(t, filepath.Join(dir, "a"))
			signalled(t, signals, "a file in it")
			if err := os.Remove(filepath.Join(dir, "a")); err != nil {
				t.Fatal(err)
			}
			signalled(t, signals, "a file that went")
		}
		if err := os.RemoveAll(filepath.Join(top, ".acc")); err != nil {
			t.Fatal(err)
		}
		signalled(t, signals, "the directory that went")
	}
}

func TestWatchPolls(t *testing.T) {
	signals, _ := watching(t, time.Millisecond, filepath.Join(t.TempDir(), "a", "b", "c", "d"))
	for range 3 {
		signalled(t, signals, "a tick")
	}
}

// Without watches there is one warning, and polling.
func TestWatchWithoutWatches(t *testing.T) {
	log := &testLog{}
	w := &watch{log: slog.New(slog.NewTextHandler(log, nil)), dirs: []string{t.TempDir()}, signals: make(chan struct{}, 1), onWay: map[string]bool{}}
	w.start(func() (*fsnotify.Watcher, error) { return nil, errors.New("too many") })
	ctx, cancel := context.WithCancel(context.Background())
	go w.run(ctx, time.Millisecond)
	for range 3 {
		signalled(t, w.signals, "a tick")
	}
	cancel()
	for range w.signals {
	}
	w.warn(errors.New("again"))
	if n := len(log.String()); n == 0 || countLines(log.String()) != 1 {
		t.Errorf("log: %s", log)
	}
}

func countLines(s string) (n int) {
	for _, c := range s {
		if c == '\n' {
			n++
		}
	}
	return n
}

func TestWatchRefusesRelativePaths(t *testing.T) {
	if _, err := Watch(context.Background(), nil, 0, []string{"a"}); err == nil {
		t.Error("a relative path is watched")
	}
}
