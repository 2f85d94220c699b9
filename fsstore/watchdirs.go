package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

// maxClimb is how many missing directories Watch looks above. Their appearance
// is seen from the nearest one that exists.
const maxClimb = 2

// concerns tells a change in a watched directory from one beside the way to a
// directory that is still missing.
func (w *watch) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	return w.leads(e) || slices.Contains(w.dirs, filepath.Dir(e.Name))
}

// leads reports whether a change is one of a watched directory itself, or of
// one on the way to it.
func (w *watch) leads(e fsnotify.Event) bool {
	return w.onWay[e.Name] || slices.Contains(w.dirs, e.Name)
}

// refresh watches each directory, or the nearest one above that exists. What
// is watched already is watched anew: another directory may have its name now.
func (w *watch) refresh() {
	if w.notify == nil {
		return
	}
	wanted := map[string]bool{}
	clear(w.onWay)
	for _, dir := range w.dirs {
		if at := w.nearest(dir); at != "" {
			wanted[at] = true
		}
	}
	for _, old := range w.notify.WatchList() {
		if !wanted[old] {
			_ = w.notify.Remove(old)
		}
	}
	for dir := range wanted {
		if err := w.notify.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.warn(err)
		}
	}
}

// nearest is the directory itself, or the first one above it that exists; ""
// when it is too far up to be of the same workspace.
func (w *watch) nearest(dir string) string {
	for range maxClimb + 1 {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			return dir
		}
		w.onWay[dir] = true
		dir = filepath.Dir(dir)
	}
	return ""
}

func (w *watch) warn(err error) {
	if w.warned || w.log == nil {
		return
	}
	w.warned = true
	w.log.Warn("the system gives no (more) watches on directories; changes are seen by looking regularly", "error", err)
}

// InboxDir is the directory of a participant's open mail, to be watched. It
// appears with the first message.
func (w Workspace) InboxDir(participant string) string {
	return filepath.Join(w.Root, roomDir, filepath.FromSlash(inboxFolder(participant)))
}

// DeliveryDirs are the directories in which something changes when a live
// adapter of a participant may have something to do: its inbox, the sessions,
// and what is recorded of policies and adapters.
func (w Workspace) DeliveryDirs(participant string) []string {
	dirs := []string{w.InboxDir(participant)}
	for _, dir := range []string{sessionsDir, policiesDir, bindingsDir, adaptersDir} {
		dirs = append(dirs, filepath.Join(w.Root, roomDir, filepath.FromSlash(dir)))
	}
	return dirs
}
