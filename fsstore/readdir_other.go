//go:build !linux

package fsstore

import (
	"io/fs"
	"os"
)

// readDir lists an open directory.
func readDir(dir *os.File) ([]fs.DirEntry, error) { return dir.ReadDir(-1) }

// list leaves it to the root: this system lists directories by name alone.
func (*heldDirs) list(string) (entries []fs.DirEntry, ok bool) { return nil, false }
