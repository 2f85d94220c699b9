// Package crashdisk is a file system for tests, which fails or loses its power
// at a chosen operation and knows what of it would be left.
package crashdisk

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"
	"time"
)

// ErrPower is what every operation gives once the power is gone.
var ErrPower = errors.New("the power is gone")

// Disk is a directory in memory that knows what of it would survive a power
// cut. It is harsher than real ones: SyncAll makes durable what fsync promises
// for the named files and their directories, and nothing else.
type Disk struct {
	mu      sync.Mutex
	now     func() time.Time
	dirs    map[string]map[string]*inode // what processes see
	durable map[string]map[string]*inode // what a power cut leaves of the names
	pending []nameChange                 // since the last sync of their directory

	// Ops counts the operations that change something, from 0. The power goes
	// at operation PowerOffAt; operation FailAt alone fails, with FailWith.
	// Both are -1 for never. Set them while nobody uses the disk.
	Ops        int
	PowerOffAt int
	FailAt     int
	FailWith   error

	Last   string // the last operation that was tried
	Failed string // the operation that failed, "" for none
	Off    bool   // the power is gone
}

// inode is a file or, with isDir, a directory.
type inode struct {
	isDir   bool
	mode    fs.FileMode
	data    []byte // what processes see
	shared  bool   // the array of data has other users and is not written to
	durable []byte // what was synced; never written to
	changed time.Time
}

// own makes the data the inode's own.
func (n *inode) own() {
	if n.shared {
		n.data, n.shared = slices.Clone(n.data), false
	}
}

// sync makes the data durable.
func (n *inode) sync() { n.durable, n.shared = n.data, true }

type nameChange struct {
	dir, base string
	node      *inode // nil for a removal
}

// New makes an empty directory. Its files are as old as now says.
func New(now func() time.Time) *Disk {
	return &Disk{
		now: now, PowerOffAt: -1, FailAt: -1,
		dirs:    map[string]map[string]*inode{".": {}},
		durable: map[string]map[string]*inode{".": {}},
	}
}

// step counts an operation that changes something and lets it fail.
func (d *Disk) step(what string) error {
	if d.Off {
		return ErrPower
	}
	k := d.Ops
	d.Ops++
	d.Last = what
	switch k {
	case d.PowerOffAt:
		d.Off = true
		return ErrPower
	case d.FailAt:
		d.Failed = what
		return d.FailWith
	}
	return nil
}

// Tree gives all regular files but those named, for comparing.
func (d *Disk) Tree(but ...string) map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	for dir, entries := range d.dirs {
		for base, node := range entries {
			if name := path.Join(dir, base); !node.isDir && !slices.Contains(but, name) {
				files[name] = string(node.data)
			}
		}
	}
	return files
}

// PowerOff takes the power away now: nothing works from here on.
func (d *Disk) PowerOff() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Off = true
}
