//go:build !linux && !darwin

package fsstore

import "io/fs"

// changedAt is when a file got its name, its content or its mode; this system
// does not tell.
func changedAt(fs.FileInfo) (at int64, ok bool) { return 0, false }
