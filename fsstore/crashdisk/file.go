package crashdisk

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"acc/fsstore/vfs"
)

func (d *Disk) Open(name string, create bool, perm fs.FileMode) (vfs.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.file(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := d.step("open " + name); err != nil {
			return nil, err
		}
		node, err = d.add(name, nil, perm)
	}
	if err != nil {
		return nil, err
	}
	return &openFile{d, node, name}, nil
}

// openFile is an open file of a Disk.
type openFile struct {
	d    *Disk
	node *inode
	name string
}

func (f *openFile) ReadAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.Off {
		return 0, ErrPower
	}
	if off >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.node.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt leaves a part of the data behind when it is hit by the power cut or
// fails, as a real one may.
func (f *openFile) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	gone := f.d.Off
	err := f.d.step("write " + f.name)
	if gone {
		return 0, err
	}
	whole := len(p)
	if err != nil {
		p = p[:len(p)/2]
	}
	f.node.own()
	if grow := int(off) + len(p) - len(f.node.data); grow > 0 {
		f.node.data = append(f.node.data, make([]byte, grow)...)
	}
	copy(f.node.data[off:], p)
	f.node.changed = f.d.now()
	if err != nil {
		return len(p), err
	}
	return whole, nil
}

func (f *openFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("truncate " + f.name); err != nil {
		return err
	}
	f.node.data = f.node.data[:min(size, int64(len(f.node.data)))]
	return nil
}

func (f *openFile) Size() (int64, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.Off {
		return 0, ErrPower
	}
	return int64(len(f.node.data)), nil
}

func (f *openFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("sync " + f.name); err != nil {
		return err
	}
	f.node.sync()
	return nil
}

func (f *openFile) Close() error { return nil }

// info is the fs.FileInfo of an inode.
type info struct {
	base string
	node *inode
}

func (i info) Name() string       { return i.base }
func (i info) Size() int64        { return int64(len(i.node.data)) }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return i.node.changed }
func (i info) IsDir() bool        { return i.node.isDir }
func (i info) Sys() any           { return nil }
