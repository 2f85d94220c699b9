package crashdisk

import (
	"path"
	"slices"

	"acc/fsstore/vfs"
)

func (d *Disk) Same(name string, f vfs.File) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.find(name)
	return d.Off || err == nil && node == f.(*openFile).node
}

func (d *Disk) SyncAll(names []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("sync all"); err != nil {
		return err
	}
	dirs := map[string]bool{".": true}
	for _, name := range names {
		if node, err := d.file(name); err == nil {
			node.sync()
		}
		for _, dir := range ancestors(path.Dir(name)) {
			dirs[dir] = true
		}
	}
	d.pending = slices.DeleteFunc(d.pending, func(c nameChange) bool {
		if dirs[c.dir] {
			c.persist(d.durable)
		}
		return dirs[c.dir]
	})
	return nil
}

func (d *Disk) Close() error { return nil }

func (c nameChange) persist(dirs map[string]map[string]*inode) {
	if dirs[c.dir] == nil {
		dirs[c.dir] = map[string]*inode{}
	}
	if c.node == nil {
		delete(dirs[c.dir], c.base)
	} else {
		dirs[c.dir][c.base] = c.node
	}
}
