//go:build !linux

package fsstore

import "os"

// datasync flushes f. On macOS the standard library asks the drive itself to
// flush, which is what durable means there.
func datasync(f *os.File) error { return f.Sync() }

// syncTree makes the named files durable. There is no call that flushes one
// file system.
func (d rootDisk) syncTree(names []string) error { return d.syncNames(names) }
