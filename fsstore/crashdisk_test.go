package fsstore

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// errPower is what every operation gives once the power is gone.
var errPower = errors.New("the power is gone")

// crashDisk is a disk in memory that knows what of it would survive a power
// cut. It is harsher than real ones: SyncAll makes durable what fsync promises
// for the named files and their directories, and nothing else.
type crashDisk struct {
	mu      sync.Mutex
	now     func() time.Time
	dirs    map[string]map[string]*inode // what processes see
	durable map[string]map[string]*inode // what a power cut leaves of the names
	pending []nameChange                 // since the last sync of their directory
	ops     int                          // operations that change something

	powerOffAt int   // the operation that the power cut hits, -1 for none
	failAt     int   // the operation that fails, -1 for none
	failWith   error // with this error
	failed     string
	off        bool
}

// inode is a file or, with isDir, a directory.
type inode struct {
	isDir   bool
	mode    fs.FileMode
	data    []byte // what processes see
	durable []byte // what was synced
	changed time.Time
}

type nameChange struct {
	dir, base string
	node      *inode // nil for a removal
}

func newCrashDisk(now func() time.Time) *crashDisk {
	return &crashDisk{
		now: now, powerOffAt: -1, failAt: -1,
		dirs:    map[string]map[string]*inode{".": {}},
		durable: map[string]map[string]*inode{".": {}},
	}
}

// step counts an operation that changes something and lets it fail.
func (d *crashDisk) step(what string) error {
	if d.off {
		return errPower
	}
	k := d.ops
	d.ops++
	switch k {
	case d.powerOffAt:
		d.off = true
		return errPower
	case d.failAt:
		d.failed = what
		return d.failWith
	}
	return nil
}

func (d *crashDisk) find(name string) (*inode, error) {
	if d.off {
		return nil, errPower
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

func (d *crashDisk) file(name string) (*inode, error) {
	node, err := d.find(name)
	if err == nil && !node.mode.IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return node, err
}

func (d *crashDisk) change(name string, node *inode) {
	dir, base := path.Dir(name), path.Base(name)
	if node == nil {
		delete(d.dirs[dir], base)
	} else {
		d.dirs[dir][base] = node
	}
	d.pending = append(d.pending, nameChange{dir, base, node})
}

func (d *crashDisk) Read(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.file(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(node.data), nil
}

func (d *crashDisk) ReadAt(name string, off int64, n int) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.file(name)
	if err != nil {
		return nil, err
	}
	start := min(off, int64(len(node.data)))
	return slices.Clone(node.data[start:min(start+int64(n), int64(len(node.data)))]), nil
}

func (d *crashDisk) List(name string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.off {
		return nil, errPower
	}
	node, err := d.find(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !node.isDir {
		err = errNotDirectory
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

func (d *crashDisk) Type(name string) (fs.FileMode, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.find(name)
	if err != nil {
		return 0, err
	}
	return node.mode.Type(), nil
}

func (d *crashDisk) Create(name string, data []byte, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("create " + name); err != nil {
		return err
	}
	_, err := d.add(name, slices.Clone(data), perm)
	return err
}

func (d *crashDisk) add(name string, data []byte, perm fs.FileMode) (*inode, error) {
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

func (d *crashDisk) Rename(from, to string) error {
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

func (d *crashDisk) Remove(name string) error {
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

func (d *crashDisk) Mkdir(name string, perm fs.FileMode) error {
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

func (d *crashDisk) Open(name string, create bool, perm fs.FileMode) (file, error) {
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
	return &crashFile{d, node, name}, nil
}

func (d *crashDisk) Same(name string, f file) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, err := d.find(name)
	return d.off || err == nil && node == f.(*crashFile).node
}

func (d *crashDisk) SyncAll(names []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("sync all"); err != nil {
		return err
	}
	dirs := map[string]bool{".": true}
	for _, name := range names {
		if node, err := d.file(name); err == nil {
			node.durable = slices.Clone(node.data)
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

func (d *crashDisk) Close() error { return nil }

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

// crashFile is an open file of a crashDisk.
type crashFile struct {
	d    *crashDisk
	node *inode
	name string
}

func (f *crashFile) ReadAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.off {
		return 0, errPower
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
func (f *crashFile) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	gone := f.d.off
	err := f.d.step("write " + f.name)
	if gone {
		return 0, err
	}
	whole := len(p)
	if err != nil {
		p = p[:len(p)/2]
	}
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

func (f *crashFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("truncate " + f.name); err != nil {
		return err
	}
	f.node.data = f.node.data[:min(size, int64(len(f.node.data)))]
	return nil
}

func (f *crashFile) Size() (int64, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.off {
		return 0, errPower
	}
	return int64(len(f.node.data)), nil
}

func (f *crashFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("sync " + f.name); err != nil {
		return err
	}
	f.node.durable = slices.Clone(f.node.data)
	return nil
}

func (f *crashFile) Close() error { return nil }

// afterKill is the disk that the next process finds after all before it were
// killed: everything that they did, synced or not.
func (d *crashDisk) afterKill() *crashDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := newCrashDisk(d.now)
	next.dirs, next.durable, next.pending = d.dirs, d.durable, d.pending
	return next
}

// afterPowerCut is the disk that the next process finds after a power cut: of
// what was not synced, some part.
func (d *crashDisk) afterPowerCut(random *rand.Rand) *crashDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := map[string]map[string]*inode{}
	for dir, entries := range d.durable {
		names[dir] = maps.Clone(entries)
	}
	keep := random.Float64()
	for _, c := range d.pending {
		if random.Float64() < keep {
			c.persist(names)
		}
	}
	next := newCrashDisk(d.now)
	survivors := map[*inode]*inode{}
	next.copyTree(".", names, survivors, random)
	next.durable = map[string]map[string]*inode{}
	for dir, entries := range next.dirs {
		next.durable[dir] = maps.Clone(entries)
	}
	return next
}

// copyTree takes over what can be reached from a directory.
func (d *crashDisk) copyTree(dir string, names map[string]map[string]*inode, survivors map[*inode]*inode, random *rand.Rand) {
	d.dirs[dir] = map[string]*inode{}
	for _, base := range slices.Sorted(maps.Keys(names[dir])) {
		node := names[dir][base]
		if survivors[node] == nil {
			data := node.survive(random)
			survivors[node] = &inode{isDir: node.isDir, mode: node.mode, data: data, durable: slices.Clone(data), changed: node.changed}
		}
		d.dirs[dir][base] = survivors[node]
		if node.isDir {
			d.copyTree(path.Join(dir, base), names, survivors, random)
		}
	}
}

// survive mixes what was synced with what was not, sector by sector. A file
// that grew may keep its old length or be filled with zeros.
func (n *inode) survive(random *rand.Rand) []byte {
	const sector = 512
	if string(n.data) == string(n.durable) {
		return slices.Clone(n.data)
	}
	length := len(n.data)
	if random.IntN(2) == 0 {
		length = len(n.durable)
	}
	data := make([]byte, length)
	copy(data, n.durable)
	for off := 0; off < length; off += sector {
		if off < len(n.data) && random.IntN(2) == 0 {
			copy(data[off:min(off+sector, length)], n.data[off:])
		}
	}
	return data
}

// tree gives all regular files, for comparing.
func (d *crashDisk) tree() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	for dir, entries := range d.dirs {
		for base, node := range entries {
			if !node.isDir {
				files[strings.TrimPrefix(path.Join(dir, base), "./")] = string(node.data)
			}
		}
	}
	return files
}

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
