package fsstore

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// readDir lists an open directory. A directory that was opened through an
// os.Root looks every entry up once more; a second descriptor for it does
// not, which halves the cost of a long listing.
func readDir(dir *os.File) ([]fs.DirEntry, error) {
	fd, err := unix.FcntlInt(dir.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return dir.ReadDir(-1)
	}
	return readDirFD(fd)
}

// list lists a directory in one that is kept; ok is false where it cannot.
func (h *heldDirs) list(name string) (entries []fs.DirEntry, ok bool) {
	ok, err := h.in(name, func(d heldDir) error {
		fd, err := openDirAt(d.fd, d.base)
		if err == unix.ENOENT {
			return nil
		}
		if err == nil {
			entries, err = readDirFD(fd)
		}
		return err
	})
	return entries, ok && err == nil
}

// readDirFD lists a directory and closes it. Its name is what the type of an
// entry is looked up under where the file system does not tell it.
func readDirFD(fd int) ([]fs.DirEntry, error) {
	dir := os.NewFile(uintptr(fd), fmt.Sprintf("/proc/self/fd/%d", fd))
	defer dir.Close()
	return dir.ReadDir(-1)
}
