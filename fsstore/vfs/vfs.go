// Package vfs is the small file-system interface that the store runs over. The
// real one is in package fsstore; package crashdisk has one that fails.
package vfs

import (
	"errors"
	"io"
	"io/fs"
)

// What stands in the place of a file or of a directory and is none.
var (
	ErrNotRegular   = errors.New("not a regular file")
	ErrNotDirectory = errors.New("not a directory")
)

// Dir is everything that the store asks of a file system. All names are
// slash-separated and relative to one directory that nothing leads out of.
type Dir interface {
	// Read returns a regular file whole; links are not followed.
	Read(name string) ([]byte, error)
	// ReadAt returns up to n bytes of a regular file from off.
	ReadAt(name string, off int64, n int) ([]byte, error)
	// List returns the entries of a directory sorted by name; a directory
	// that does not exist has none. Links are not followed.
	List(name string) ([]fs.DirEntry, error)
	// Type says what stands under a name; a link stands for itself. It fails
	// with fs.ErrNotExist when the name is free.
	Type(name string) (fs.FileMode, error)
	// Create writes a new file; the name must be free. It does not sync.
	Create(name string, data []byte, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	// Mkdir makes a directory and its parents; one that exists is fine.
	Mkdir(name string, perm fs.FileMode) error
	// Open gives a file to read and write in place, made when create is set.
	Open(name string, create bool, perm fs.FileMode) (File, error)
	// Same reports whether a name still stands for the open file. The name is
	// looked up from the outside, so that a directory that was moved away and
	// made anew shows.
	Same(name string, f File) bool
	// SyncAll makes everything below the directory durable; names are what a
	// system without a way to do that in one call has to sync one by one.
	SyncAll(names []string) error
	Close() error
}

// File is a file that is written in place: the journal, the head, a log.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	// Sync makes the file's data durable, and its size where that changed.
	Sync() error
}
