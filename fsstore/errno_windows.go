package fsstore

import (
	"errors"

	"golang.org/x/sys/windows"
)

// noFollow and nonBlock have no counterpart on Windows, where making a link
// needs rights that an agent seldom has and a pipe is no file.
const (
	noFollow = 0
	nonBlock = 0
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
