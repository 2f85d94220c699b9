//go:build unix

package fsstore

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

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
