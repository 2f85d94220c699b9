//go:build !linux

package fsstore

import (
	"io/fs"
	"os"
)

// readDir lists an open directory.
func readDir(dir *os.File) ([]fs.DirEntry, error) { return dir.ReadDir(-1) }
