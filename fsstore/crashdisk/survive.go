package crashdisk

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
)

// AfterKill is the disk that the next process finds after all before it were
// killed: everything that they did, synced or not. The two share their files.
func (d *Disk) AfterKill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := New(d.now)
	next.dirs, next.durable, next.pending = d.dirs, d.durable, d.pending
	return next
}

// Survival says what a power cut leaves of what was not synced.
type Survival struct {
	name func() bool
	data func(*inode) []byte
}

// Nothing is left: no name and no byte that was not synced.
func Nothing() Survival {
	return Survival{func() bool { return false }, func(n *inode) []byte { return n.durable }}
}

// NamesOnly are left: what was written to the files is not, so that new ones
// are empty.
func NamesOnly() Survival {
	return Survival{func() bool { return true }, func(n *inode) []byte { return n.durable }}
}

// Some of it is left, by chance.
func Some(random *rand.Rand) Survival {
	keep := random.Float64()
	return Survival{
		func() bool { return random.Float64() < keep },
		func(n *inode) []byte { return n.survive(random) },
	}
}

// AfterPowerCut is the disk that the next process finds after a power cut. It
// has no file in common with this one.
func (d *Disk) AfterPowerCut(left Survival) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := map[string]map[string]*inode{}
	for dir, entries := range d.durable {
		names[dir] = maps.Clone(entries)
	}
	for _, c := range d.pending {
		if left.name() {
			c.persist(names)
		}
	}
	next := New(d.now)
	next.copyTree(".", names, map[*inode]*inode{}, left)
	next.durable = map[string]map[string]*inode{}
	for dir, entries := range next.dirs {
		next.durable[dir] = maps.Clone(entries)
	}
	return next
}

// copyTree takes over what can be reached from a directory.
func (d *Disk) copyTree(dir string, names map[string]map[string]*inode, survivors map[*inode]*inode, left Survival) {
	d.dirs[dir] = map[string]*inode{}
	for _, base := range slices.Sorted(maps.Keys(names[dir])) {
		node := names[dir][base]
		if survivors[node] == nil {
			data := left.data(node)
			survivors[node] = &inode{isDir: node.isDir, mode: node.mode, data: data, durable: data, shared: true, changed: node.changed}
		}
		d.dirs[dir][base] = survivors[node]
		if node.isDir {
			d.copyTree(path.Join(dir, base), names, survivors, left)
		}
	}
}

// survive mixes what was synced with what was not, sector by sector. A file
// that grew may keep its old length or be filled with zeros.
func (n *inode) survive(random *rand.Rand) []byte {
	const sector = 512
	if bytes.Equal(n.data, n.durable) {
		return n.durable
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

// Clone is another disk in the same state, with what is not yet synced, and
// without a fault. It has no file in common with this one.
func (d *Disk) Clone() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	copies := map[*inode]*inode{}
	next := New(d.now)
	next.dirs, next.durable = copyNames(d.dirs, copies), copyNames(d.durable, copies)
	for _, c := range d.pending {
		next.pending = append(next.pending, nameChange{c.dir, c.base, c.node.clone(copies)})
	}
	return next
}

func copyNames(dirs map[string]map[string]*inode, copies map[*inode]*inode) map[string]map[string]*inode {
	all := map[string]map[string]*inode{}
	for dir, entries := range dirs {
		all[dir] = map[string]*inode{}
		for base, node := range entries {
			all[dir][base] = node.clone(copies)
		}
	}
	return all
}

// clone copies a node once; one that has several names stays one.
func (n *inode) clone(copies map[*inode]*inode) *inode {
	if n == nil {
		return nil
	}
	if copies[n] == nil {
		n.shared = true
		one := *n
		copies[n] = &one
	}
	return copies[n]
}
