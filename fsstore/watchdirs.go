package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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
	if w.onWay[e.Name] {
		return true
	}
	for _, dir := range w.dirs {
		if e.Name == dir || filepath.Dir(e.Name) == dir {
			return true
		}
	}
	return false
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
