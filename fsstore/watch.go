package fsstore

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"acc/schema"
)

// WatchPoll is how often Watch signals when nothing tells it of a change.
const WatchPoll = 2 * time.Second

// settleTime is how long Watch collects the changes that follow a first one,
// such as those of a git pull, into one more signal.
const settleTime = 20 * time.Millisecond

// Watch signals when something in one of the directories may have changed.
// Watching accelerates, polling guarantees: a signal comes at once with a
// change where the system tells of it, one more when others followed closely,
// and in any case one every poll (WatchPoll when that is 0). A signal says only that it is time to look again; signals
// that nobody took are one.
//
// The directories are absolute paths. One that does not exist is watched as
// soon as it appears, and again when it was removed and made anew. When the
// system gives no watches, there is one warning, and the rest is polling.
//
// The channel is closed once ctx has ended and nothing of the watch is left.
func Watch(ctx context.Context, log *slog.Logger, poll time.Duration, dirs []string) (<-chan struct{}, error) {
	return startWatch(ctx, &watch{log: log, dirs: dirs, settle: settleTime}, poll)
}

// WatchEagerly is Watch for whoever must hear of every change at once, however
// closely it follows another.
func WatchEagerly(ctx context.Context, log *slog.Logger, poll time.Duration, dirs []string) (<-chan struct{}, error) {
	return startWatch(ctx, &watch{log: log, dirs: dirs}, poll)
}

func startWatch(ctx context.Context, w *watch, poll time.Duration) (<-chan struct{}, error) {
	for _, dir := range w.dirs {
		if !filepath.IsAbs(dir) {
			return nil, schema.Fail(schema.ReasonInternalUnexpected, "a directory to watch must be an absolute path")
		}
	}
	if poll <= 0 {
		poll = WatchPoll
	}
	w.signals, w.onWay = make(chan struct{}, 1), map[string]bool{}
	w.start(fsnotify.NewWatcher)
	go w.run(ctx, poll)
	return w.signals, nil
}

// watch is one running Watch. After start only its goroutine uses it.
type watch struct {
	log     *slog.Logger
	dirs    []string
	settle  time.Duration // how long changes are collected after a first one; 0 not at all
	signals chan struct{}
	notify  *fsnotify.Watcher // nil when the system gives none
	events  chan fsnotify.Event
	errors  chan error
	onWay   map[string]bool // the names that lead to a directory which is missing
	warned  bool
}

func (w *watch) start(newWatcher func() (*fsnotify.Watcher, error)) {
	notify, err := newWatcher()
	if err != nil {
		w.warn(err)
		return
	}
	w.notify, w.events, w.errors = notify, notify.Events, notify.Errors
	w.refresh()
}

func (w *watch) run(ctx context.Context, poll time.Duration) {
	defer close(w.signals)
	if w.notify != nil {
		defer w.notify.Close()
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	var burst <-chan time.Time
	more := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.refresh()
			w.signal()
		case e := <-w.events:
			switch {
			case !w.concerns(e):
			case w.settle == 0:
				if w.leads(e) {
					w.refresh()
				}
				w.signal()
			case burst != nil:
				more = true
			default:
				burst = time.After(w.settle)
				w.refresh() // first: what comes from now on is told of
				w.signal()
			}
		case <-w.errors: // events were lost, perhaps
			w.signal()
		case <-burst:
			burst = nil
			if more {
				more = false
				w.refresh()
				w.signal()
			}
		}
	}
}

func (w *watch) signal() {
	select {
	case w.signals <- struct{}{}:
	default:
	}
}
