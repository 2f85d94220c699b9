package fsstore

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// readDir lists an open directory. A directory that was opened through an
// os.Root looks every entry up once more; a second descriptor for it does
// not, which halves the cost of a long listing. Its name is what the type of
// an entry is looked up under where the file system does not tell it.
func readDir(dir *os.File) ([]fs.DirEntry, error) {
	fd, err := unix.FcntlInt(dir.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return dir.ReadDir(-1)
	}
	again := os.NewFile(uintptr(fd), fmt.Sprintf("/proc/self/fd/%d", fd))
	defer again.Close()
	return again.ReadDir(-1)
}
