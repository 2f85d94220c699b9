//go:build unix

package fsstore

import (
	"errors"
	"syscall"
)

// Flags of an open: noFollow makes it fail on a symbolic link, nonBlock makes
// it return at once on a pipe that nobody writes to.
const (
	noFollow = syscall.O_NOFOLLOW
	nonBlock = syscall.O_NONBLOCK
)

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
