package fsstore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// rootDisk is the real disk: an os.Root, so that no name and no planted link
// leads outside.
type rootDisk struct {
	root *os.Root
	// top is open for as long as the root, so that a failed write-back since
	// then shows in SyncAll.
	top  *os.File
	held *heldDirs
}

func newRootDisk(root *os.Root) (rootDisk, error) {
	top, err := root.Open(".")
	if err != nil {
		return rootDisk{}, err
	}
	return rootDisk{root, top, newHeldDirs(top)}, nil
}

func (d rootDisk) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := d.root.OpenFile(name, flag|nonBlock, 0)
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
	var held []byte
	if ok, err := d.held.in(name, func(d heldDir) (err error) { held, err = d.read(); return err }); ok {
		return held, err
	}
	f, info, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxRecordBytes {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil // it was cut meanwhile; what is left is judged as a record
	}
	return data[:n], err
}

func (d rootDisk) ReadAt(name string, off int64, n int) ([]byte, error) {
	f, info, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, max(0, min(int64(n), info.Size()-off)))
	got, err := f.ReadAt(data, off)
	if err == io.EOF {
		err = nil
	}
	return data[:got], err
}

func (d rootDisk) List(name string) ([]fs.DirEntry, error) {
	entries, ok := d.held.list(name)
	if !ok {
		var err error
		if entries, err = d.list(name); err != nil {
			return nil, err
		}
	}
	for i, e := range entries {
		entries[i] = rootEntry{e, d.root, name}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (d rootDisk) list(name string) ([]fs.DirEntry, error) {
	mode, err := d.Type(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !mode.IsDir() || err != nil && d.blocked(path.Dir(name)):
		return nil, &fs.PathError{Op: "list", Path: name, Err: errNotDirectory}
	case err != nil:
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readDir(f)
}

// rootEntry is an entry that is looked up below the root, and only when asked.
type rootEntry struct {
	fs.DirEntry
	root *os.Root
	dir  string
}

func (e rootEntry) Info() (fs.FileInfo, error) { return e.root.Lstat(path.Join(e.dir, e.Name())) }

// blocked reports whether a directory is none, or one above it is none: a file
// or a link stands there.
func (d rootDisk) blocked(dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if mode, err := d.Type(dir); err == nil && !mode.IsDir() {
			return true
		}
	}
	return false
}

func (d rootDisk) Type(name string) (fs.FileMode, error) {
	var held fs.FileMode
	if ok, err := d.held.in(name, func(d heldDir) (err error) { held, err = d.kind(); return err }); ok {
		return held, err
	}
	info, err := d.root.Lstat(name)
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), nil
}

func (d rootDisk) Create(name string, data []byte, perm fs.FileMode) error {
	if ok, err := d.held.in(name, func(d heldDir) error { return d.create(data, perm) }); ok {
		return err
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|nonBlock, perm)
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

func (d rootDisk) Rename(from, to string) error {
	if ok, err := d.held.rename(from, to); ok {
		return err
	}
	return d.root.Rename(from, to)
}

func (d rootDisk) Remove(name string) error {
	d.held.forget(name)
	return d.root.Remove(name)
}

func (d rootDisk) Mkdir(name string, perm fs.FileMode) error {
	if ok, _ := d.held.in(name+"/.", func(heldDir) error { return nil }); ok {
		return nil // it is there
	}
	return d.root.MkdirAll(name, perm)
}

func (d rootDisk) Open(name string, create bool, perm fs.FileMode) (file, error) {
	if create {
		f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			return withInfo(f)
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	f, info, err := d.open(name, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	return osFile{f, info}, nil
}

func withInfo(f *os.File) (file, error) {
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return osFile{f, info}, nil
}

func (d rootDisk) Same(name string, f file) bool {
	opened, ok := f.(osFile)
	if !ok {
		return false
	}
	now, err := os.Lstat(filepath.Join(d.root.Name(), filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	return os.SameFile(now, opened.info)
}

func (d rootDisk) SyncAll(names []string) error { return d.syncTree(names) }

func (d rootDisk) Close() error { return errors.Join(d.top.Close(), d.root.Close()) }

// taken reports whether a name stands for anything.
func taken(d disk, name string) (bool, error) {
	_, err := d.Type(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

type osFile struct {
	*os.File
	info fs.FileInfo // says which file it is, whatever its name stands for now
}

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) Sync() error { return datasync(f.File) }
