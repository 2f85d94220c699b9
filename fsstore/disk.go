package fsstore

import (
	"errors"

	"acc/fsstore/vfs"
)

// maxRecordBytes bounds what is read as one record. The largest legal one, a
// handoff with three full lists, stays well below it.
const maxRecordBytes = 16 << 20

// The store's view of a file system, by short names.
type (
	disk = vfs.Dir
	file = vfs.File
)

var errTooLarge = errors.New("the file is too large for a record")

// What stands in the place of a file or of a directory and is none.
var (
	errNotRegular   = vfs.ErrNotRegular
	errNotDirectory = vfs.ErrNotDirectory
)
