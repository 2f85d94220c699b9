package fsstore

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync flushes the data of f; metadata only where the data needs it.
func datasync(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}

// syncTree flushes the whole file system that holds root: one call, however
// many files were touched.
func syncTree(root *os.Root, _ []string) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Syncfs(int(dir.Fd()))
}
