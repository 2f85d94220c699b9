package crashdisk

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"syscall"

	"acc/fsstore/vfs"
)

func (d *Disk) find(name string) (*inode, error) {
	if d.Off {
		return nil, ErrPower
	}
	if name == "." {
		return &inode{isDir: true, mode: fs.ModeDir | 0o755}, nil
	}
	dir, ok := d.dirs[path.Dir(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	node, ok := dir[path.Base(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return node, nil
}

func (d *Disk) file(name string) (*inode, error) {
	node, err := d.find(name)
	if err == nil && !node.mode.IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: vfs.ErrNotRegular}
	}
	return node, err
}

func (d *Disk) change(name string, node *inode) {
	dir, base := path.Dir(name), path.Base(name)
	if node == nil {
		delete(d.dirs[dir], base)
	} else {
		d.dirs[dir][base] = node
	}
	d.pending = append(d.pending, nameChange{dir, base, node})
}

func (d *Disk) Read(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.file(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(node.data), nil
}

func (d *Disk) ReadAt(name string, off int64, n int) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.file(name)
	if err != nil {
		return nil, err
	}
	start := min(off, int64(len(node.data)))
	return slices.Clone(node.data[start:min(start+int64(n), int64(len(node.data)))]), nil
}

func (d *Disk) List(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Off {
		return nil, ErrPower
	}
	node, err := d.find(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !node.isDir {
		err = vfs.ErrNotDirectory
	}
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, base := range slices.Sorted(maps.Keys(d.dirs[name])) {
		entries = append(entries, fs.FileInfoToDirEntry(info{base, d.dirs[name][base]}))
	}
	return entries, nil
}

func (d *Disk) Type(name string) (fs.FileMode, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.find(name)
	if err != nil {
		return 0, err
	}
	return node.mode.Type(), nil
}

func (d *Disk) Create(name string, data []byte, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("create " + name); err != nil {
		return err
	}
	_, err := d.add(name, slices.Clone(data), perm)
	return err
}

func (d *Disk) add(name string, data []byte, perm fs.FileMode) (*inode, error) {
	if _, err := d.find(name); err == nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	if _, ok := d.dirs[path.Dir(name)]; !ok {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrNotExist}
	}
	node := &inode{mode: perm, data: data, changed: d.now()}
	d.change(name, node)
	return node, nil
}

func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("rename to " + to); err != nil {
		return err
	}
	node, err := d.file(from)
	if err != nil {
		return err
	}
	if target, err := d.find(to); err == nil && target.isDir {
		return &fs.PathError{Op: "rename", Path: to, Err: syscall.EISDIR}
	}
	if _, ok := d.dirs[path.Dir(to)]; !ok {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrNotExist}
	}
	d.change(to, node)
	d.change(from, nil)
	return nil
}

func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("remove " + name); err != nil {
		return err
	}
	if _, err := d.find(name); err != nil {
		return err
	}
	d.change(name, nil)
	return nil
}

func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, dir := range ancestors(name) {
		node, err := d.find(dir)
		switch {
		case err == nil && node.isDir:
			continue
		case err == nil:
			return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if err := d.step("mkdir " + dir); err != nil {
			return err
		}
		d.dirs[dir] = map[string]*inode{}
		d.change(dir, &inode{isDir: true, mode: fs.ModeDir | perm, changed: d.now()})
	}
	return nil
}

// ancestors are a directory and those above it, the topmost first.
func ancestors(dir string) []string {
	var all []string
	for ; dir != "."; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}
