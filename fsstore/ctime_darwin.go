package fsstore

import (
	"io/fs"
	"syscall"
)

// changedAt is when a file got its name, its content or its mode, in
// nanoseconds; whoever copies a file cannot set it. ok is false where the
// system does not tell.
func changedAt(info fs.FileInfo) (at int64, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return stat.Ctimespec.Nano(), true
}
