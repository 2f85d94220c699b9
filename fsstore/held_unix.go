//go:build unix

package fsstore

import (
	"io/fs"
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

// kind says what stands under the name; a link stands for itself.
func (d heldDir) kind() (fs.FileMode, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstatat(d.fd, d.base, &st, unix.AT_SYMLINK_NOFOLLOW) }); err != nil {
		return 0, d.because("stat", err)
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return 0, nil
	case unix.S_IFDIR:
		return fs.ModeDir, nil
	case unix.S_IFLNK:
		return fs.ModeSymlink, nil
	}
	return fs.ModeIrregular, nil
}

// read returns a regular file whole. A pipe is opened without waiting and then
// refused; a link is not opened at all.
func (d heldDir) read() ([]byte, error) {
	fd, err := d.open(unix.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return nil, d.because("stat", err)
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return nil, d.because("open", errNotRegular)
	case st.Size > maxRecordBytes:
		return nil, d.because("read", errTooLarge)
	}
	data := make([]byte, st.Size)
	n, err := all(data, func(rest []byte) (int, error) { return unix.Read(fd, rest) })
	return data[:n], d.because("read", err)
}

// create writes a new file; the name must be free.
func (d heldDir) create(data []byte, perm fs.FileMode) error {
	fd, err := d.open(unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, uint32(perm.Perm()))
	if err != nil {
		return err
	}
	n, err := all(data, func(rest []byte) (int, error) { return unix.Write(fd, rest) })
	if err == nil && n < len(data) {
		err = unix.ENOSPC
	}
	if closeErr := unix.Close(fd); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = unix.Unlinkat(d.fd, d.base, 0)
	}
	return d.because("write", err)
}

func (d heldDir) open(flags int, perm uint32) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(d.fd, d.base, flags|unix.O_CLOEXEC|noFollow|nonBlock, perm)
		return err
	})
	return fd, d.because("open", err)
}

func (d heldDir) because(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: d.name, Err: err}
}

// all moves as much as there is, however few bytes a call moves.
func all(data []byte, move func([]byte) (int, error)) (n int, err error) {
	for n < len(data) {
		var more int
		err := retry(func() (err error) {
			more, err = move(data[n:])
			return err
		})
		if err != nil || more <= 0 {
			return n, err
		}
		n += more
	}
	return n, nil
}

// retry calls again what a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
