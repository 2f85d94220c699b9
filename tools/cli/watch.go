package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
)

// viewer shows a room that changes. Its errors are of writing.
type viewer interface {
	// look shows what is new; the first one begins.
	look(coordination.Look) error
	// trouble shows, once each time it begins, why the room cannot be read now.
	trouble(*schema.Error) error
	// redraws ask for the page again, where there is one that shows time.
	redraws() <-chan struct{}
	redraw() error
}

// watch follows the room until ctx ends or nobody reads any more. Only a
// failure of the first look ends it: a room that is being removed, replaced or
// repaired cannot be read for a moment.
func (a *App) watch(ctx context.Context, o watchOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if out, ok := a.Out.(*os.File); ok {
		go whenUnread(out, cancel)
	}
	w, err := a.workspace()
	if err != nil {
		return err
	}
	env := a.environment()
	page := a.wantsPage(o)
	if page {
		env.Log = slog.New(slog.NewTextHandler(io.Discard, nil)) // nothing else may write to the screen
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, Env: env})
	defer room.Close()
	signals, err := fsstore.Watch(ctx, env.Log, 0, watched(w))
	if err != nil {
		return err
	}
	back := 0
	if page {
		back = pageEvents
	}
	watcher, err := room.Watcher(o.since, back)
	if err != nil {
		return err
	}
	first, err := watcher.Look(ctx)
	if err != nil {
		return ended(ctx, err)
	}
	v, restore, err := a.viewer(ctx, cancel, page)
	if err != nil {
		return err
	}
	defer restore()
	return ended(ctx, follow(ctx, watcher, first, signals, v))
}

// watched are the directories in which something changes whenever the room
// does: every event is in a log, every sign of life is a file.
func watched(w fsstore.Workspace) []string {
	return []string{filepath.Join(w.Root, ".acc", "events"), filepath.Join(w.Root, ".acc", "presence")}
}

// ended tells the usual ends from failures: the person left, or the reader of
// the lines did.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil || readerGone(err) {
		return nil
	}
	return err
}

// follow shows one look after the other.
func follow(ctx context.Context, w *coordination.Watcher, look coordination.Look, signals <-chan struct{}, v viewer) error {
	shown := schema.Reason("") // the trouble that was shown last
	var err error
	for {
		var refusal *schema.Error
		switch {
		case err == nil:
			shown, err = "", v.look(look)
		case errors.As(err, &refusal) && refusal.Reason != shown:
			shown, err = refusal.Reason, v.trouble(refusal)
		case refusal != nil:
			err = nil // it is known
		}
		if err != nil {
			return err
		}
		if shown != "" || !look.More {
			if err := await(ctx, signals, v); err != nil {
				return err
			}
		}
		look, err = w.Look(ctx)
	}
}

// await waits for a signal to look again, and keeps the page up to date
// meanwhile.
func await(ctx context.Context, signals <-chan struct{}, v viewer) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-signals:
			return ctx.Err()
		case <-v.redraws():
			if err := v.redraw(); err != nil {
				return err
			}
		}
	}
}
