//go:build unix

package fsstore

import (
	"io/fs"
	"os"
	"path"
	"sync"

	"golang.org/x/sys/unix"
)

// heldDirs are directories that are kept open while the room is locked. They
// are opened through the root, and what is named in them is never followed
// anywhere: that keeps the promise of the root.
type heldDirs struct {
	root *os.Root

	mu   sync.Mutex
	dirs map[string]keptDir // nil while nothing is kept
}

func newHeldDirs(root *os.Root) *heldDirs { return &heldDirs{root: root} }

// hold begins to keep directories. end stops it, and done closes what was
// kept, when nobody waits for it any more.
func (h *heldDirs) hold() (end func() (done func())) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirs = map[string]keptDir{}
	return func() func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		kept := h.dirs
		h.dirs = nil
		return func() {
			for _, dir := range kept {
				_ = dir.Close()
			}
		}
	}
}

// keptDir is an open directory. Asking a file for its descriptor makes it a
// blocking one each time, so it is asked once.
type keptDir struct {
	*os.File
	fd int
}

// heldDir is a name in a directory that is kept.
type heldDir struct {
	fd         int
	base, name string // name is the whole one, for errors
}

// at finds the directory of a name; false while nothing is kept, and for a
// directory that cannot be opened, which the root then explains.
func (h *heldDirs) at(name string) (heldDir, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	parent, base := path.Split(name)
	if h.dirs == nil || parent == "" {
		return heldDir{}, false
	}
	parent = parent[:len(parent)-1]
	dir, known := h.dirs[parent]
	if !known {
		f, err := h.root.OpenFile(parent, unix.O_DIRECTORY|noFollow|nonBlock, 0)
		if err != nil {
			return heldDir{}, false
		}
		dir = keptDir{f, int(f.Fd())}
		h.dirs[parent] = dir
	}
	return heldDir{dir.fd, base, name}, true
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

// rename renames within directories that are kept; ok is false where it cannot.
func (h *heldDirs) rename(from, to string) (err error, ok bool) {
	source, ok := h.at(from)
	if !ok {
		return nil, false
	}
	target, ok := h.at(to)
	if !ok {
		return nil, false
	}
	err = retry(func() error { return unix.Renameat(source.fd, source.base, target.fd, target.base) })
	return target.because("rename", err), true
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
