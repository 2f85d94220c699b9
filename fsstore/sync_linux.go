package fsstore

import (
	"os"

	"golang.org/x/sys/unix"
)

// fewNames is up to how many files are flushed one by one. A flush of the
// whole file system takes one call for any number of files, but it waits for
// whatever else is being written on the machine.
const fewNames = 16

// datasync flushes the data of f; metadata only where the data needs it.
func datasync(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}

// syncTree makes the named files durable.
func (d rootDisk) syncTree(names []string) error {
	if len(names) <= fewNames {
		return d.syncNames(names)
	}
	return unix.Syncfs(int(d.top.Fd()))
}
