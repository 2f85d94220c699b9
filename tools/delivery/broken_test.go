package delivery

import (
	"io/fs"
	"strings"
	"sync/atomic"

	"acc/fsstore/vfs"
)

// failures says whether files cannot be written now.
var failures atomic.Bool

// brokenDisk refuses new temporary files while something is set. That is where
// a transaction begins.
type brokenDisk struct {
	vfs.Dir
	broken *atomic.Bool
}

func breakable(broken *atomic.Bool) func(vfs.Dir) vfs.Dir {
	return func(real vfs.Dir) vfs.Dir { return brokenDisk{real, broken} }
}

func (d brokenDisk) Create(name string, data []byte, perm fs.FileMode) error {
	if d.broken.Load() && strings.HasPrefix(name, "run/tmp/") {
		return &fs.PathError{Op: "create", Path: name, Err: errBroken}
	}
	return d.Dir.Create(name, data, perm)
}
