//go:build unix

package fsstore

import (
	"os"
	"path"
	"sync"

	"golang.org/x/sys/unix"
)

// heldDirs are directories that are kept open while somebody is in the room.
// Each is opened in the one above it, from the root on, and no link is
// followed: that keeps the promise of the root.
type heldDirs struct {
	top int
	// used is held, shared, by whoever uses a descriptor, and alone to close
	// them: signs of life are written beside the transactions.
	used sync.RWMutex

	mu   sync.Mutex
	dirs map[string]int // descriptors; nil while nothing is kept
}

func newHeldDirs(top *os.File) *heldDirs { return &heldDirs{top: int(top.Fd())} }

// hold begins to keep directories. end stops it, and after closes what was
// kept, when nobody waits for it any more.
func (h *heldDirs) hold() (end func() (after func())) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirs = map[string]int{}
	return func() func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		kept := h.dirs
		h.dirs = nil
		return func() { h.close(kept) }
	}
}

func (h *heldDirs) close(kept map[string]int) {
	h.used.Lock()
	defer h.used.Unlock()
	for _, fd := range kept {
		_ = unix.Close(fd)
	}
}

// dir finds a directory that is kept, and keeps it from now on.
func (h *heldDirs) dir(name string) (fd int, err error) {
	if name == "." {
		return h.top, nil
	}
	if fd, known := h.dirs[name]; known {
		return fd, nil
	}
	above, base := path.Dir(name), path.Base(name)
	if base == ".." {
		return -1, unix.EXDEV // no name of ours, and it would lead out
	}
	parent, err := h.dir(above)
	if err != nil {
		return -1, err
	}
	if fd, err = openDirAt(parent, base); err == nil {
		h.dirs[name] = fd
	}
	return fd, err
}

func openDirAt(parent int, base string) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(parent, base, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|noFollow, 0)
		return err
	})
	return fd, err
}

// heldDir is a name in a directory that is kept.
type heldDir struct {
	fd         int
	base, name string // name is the whole one, for errors
}

// in does something in the directory of a name; ok is false while nothing is
// kept, and for a directory that cannot be opened, which the root then
// explains.
func (h *heldDirs) in(name string, do func(heldDir) error) (ok bool, err error) {
	h.used.RLock()
	defer h.used.RUnlock()
	d, ok := h.at(name)
	if !ok {
		return false, nil
	}
	return true, do(d)
}

// at needs used.
func (h *heldDirs) at(name string) (d heldDir, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dirs == nil {
		return heldDir{}, false
	}
	fd, err := h.dir(path.Dir(name))
	return heldDir{fd, path.Base(name), name}, err == nil
}

// forget closes a directory that is about to be removed.
func (h *heldDirs) forget(name string) {
	h.mu.Lock()
	fd, known := h.dirs[name]
	delete(h.dirs, name)
	h.mu.Unlock()
	if known {
		h.close(map[string]int{name: fd})
	}
}

// rename renames within directories that are kept; ok is false where it cannot.
func (h *heldDirs) rename(from, to string) (ok bool, err error) {
	h.used.RLock()
	defer h.used.RUnlock()
	source, known := h.at(from)
	target, found := h.at(to)
	if !known || !found {
		return false, nil
	}
	err = retry(func() error { return unix.Renameat(source.fd, source.base, target.fd, target.base) })
	return true, target.because("rename", err)
}
