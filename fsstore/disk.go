package fsstore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// maxRecordBytes bounds what is read as one record. The largest legal one, a
// handoff with three full lists, stays well below it.
const maxRecordBytes = 16 << 20

// errNotRegular is what reading a directory, link, pipe or device gives.
var errNotRegular = errors.New("not a regular file")

// disk is everything that the store asks of a file system. All names are
// slash-separated and relative to one directory that nothing leads out of.
type disk interface {
	// Read returns a regular file whole; links are not followed.
	Read(name string) ([]byte, error)
	// ReadAt returns up to n bytes of a regular file from off.
	ReadAt(name string, off int64, n int) ([]byte, error)
	// List returns the entries of a directory sorted by name; a directory
	// that does not exist has none.
	List(name string) ([]fs.DirEntry, error)
	// Exists reports whether a name is taken, by whatever.
	Exists(name string) (bool, error)
	// Create writes a new file; the name must be free. It does not sync.
	Create(name string, data []byte, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	// Mkdir makes a directory and its parents; one that exists is fine.
	Mkdir(name string, perm fs.FileMode) error
	// Open gives a file to read and write in place, made when create is set.
	Open(name string, create bool, perm fs.FileMode) (file, error)
	// Same reports whether a name still stands for the open file.
	Same(name string, f file) bool
	// SyncAll makes everything below the directory durable; names are what a
	// system without a way to do that in one call has to sync one by one.
	SyncAll(names []string) error
	Close() error
}

// file is a file that is written in place: the journal, the head, a log.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	// Sync makes the file's data durable, and its size where that changed.
	Sync() error
}

// rootDisk is the real disk: an os.Root, so that no name and no planted link
// leads outside.
type rootDisk struct{ root *os.Root }

func (d rootDisk) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := d.root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, nil, err
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, after, nil
}

func (d rootDisk) Read(name string) ([]byte, error) {
	f, info, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxRecordBytes {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("the file is too large for a record")}
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return data[:n], err
}

func (d rootDisk) ReadAt(name string, off int64, n int) ([]byte, error) {
	f, _, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, n)
	got, err := f.ReadAt(data, off)
	if err == io.EOF {
		err = nil
	}
	return data[:got], err
}

func (d rootDisk) List(name string) ([]fs.DirEntry, error) {
	f, err := d.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (d rootDisk) Exists(name string) (bool, error) {
	_, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d rootDisk) Create(name string, data []byte, perm fs.FileMode) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = d.root.Remove(name)
	}
	return err
}

func (d rootDisk) Rename(from, to string) error { return d.root.Rename(from, to) }

func (d rootDisk) Remove(name string) error { return d.root.Remove(name) }

func (d rootDisk) Mkdir(name string, perm fs.FileMode) error { return d.root.MkdirAll(name, perm) }

func (d rootDisk) Open(name string, create bool, perm fs.FileMode) (file, error) {
	if create {
		f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			return osFile{f}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	f, _, err := d.open(name, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (d rootDisk) Same(name string, f file) bool {
	opened, ok := f.(osFile)
	if !ok {
		return false
	}
	now, err := d.root.Lstat(name)
	if err != nil {
		return false
	}
	then, err := opened.Stat()
	return err == nil && os.SameFile(now, then)
}

func (d rootDisk) SyncAll(names []string) error { return syncTree(d.root, names) }

func (d rootDisk) Close() error { return d.root.Close() }

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) Sync() error { return datasync(f.File) }
