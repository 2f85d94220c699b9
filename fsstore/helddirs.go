package fsstore

import (
	"os"
	"path"
	"sync"
)

// heldDirs keeps directories open while the room is locked. A send names a
// dozen files in half as many directories, and finding each anew from the top
// would be most of what it does. Between locks nothing is kept: others may
// remove an empty directory and make it anew.
type heldDirs struct {
	top *os.Root

	mu   sync.Mutex
	dirs map[string]*os.Root // nil while nothing is kept
}

// hold begins to keep directories. end stops it and gives what was kept, to be
// closed when nobody waits for it any more.
func (h *heldDirs) hold() (end func() (kept map[string]*os.Root)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirs = map[string]*os.Root{}
	return func() map[string]*os.Root {
		h.mu.Lock()
		defer h.mu.Unlock()
		kept := h.dirs
		h.dirs = nil
		return kept
	}
}

// at gives the directory of a name, and the name in it. A directory that
// cannot be opened is left to the operation on the whole name to explain.
func (h *heldDirs) at(name string) (dir *os.Root, base string) {
	parent, base := path.Split(name)
	if parent == "" {
		return h.top, name
	}
	if dir := h.open(parent[:len(parent)-1]); dir != nil {
		return dir, base
	}
	return h.top, name
}

// has reports whether a directory is there, as far as it is kept.
func (h *heldDirs) has(name string) bool { return h.open(name) != nil }

func (h *heldDirs) open(name string) *os.Root {
	h.mu.Lock()
	defer h.mu.Unlock()
	dir, known := h.dirs[name]
	if known || h.dirs == nil {
		return dir
	}
	dir, err := h.top.OpenRoot(name)
	if err != nil {
		return nil
	}
	h.dirs[name] = dir
	return dir
}

// forget closes a directory that is about to be removed.
func (h *heldDirs) forget(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if dir, known := h.dirs[name]; known {
		_ = dir.Close()
		delete(h.dirs, name)
	}
}

// holding lets the disk keep directories open until release, if it can.
func (s *Store) holding(release func()) func() {
	d, ok := s.disk.(rootDisk)
	if !ok {
		return release
	}
	end := d.held.hold()
	return func() {
		kept := end()
		release()
		for _, dir := range kept {
			_ = dir.Close()
		}
	}
}
