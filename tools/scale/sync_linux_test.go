package scale

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync flushes data, and metadata only where the data needs it.
func datasync(f *os.File) error {
	for {
		if err := unix.Fdatasync(int(f.Fd())); err != unix.EINTR {
			return err
		}
	}
}
