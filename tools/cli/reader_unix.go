//go:build unix

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// whenUnread calls leave when nobody can read any more what is written to out:
// the other end of a pipe was closed. A write would find out too, but there may
// be nothing to write for hours.
func whenUnread(out *os.File, leave func()) {
	fds := []unix.PollFd{{Fd: int32(out.Fd())}}
	for {
		_, err := unix.Poll(fds, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || fds[0].Revents&unix.POLLNVAL != 0:
			return
		case fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0:
			leave()
			return
		}
	}
}
