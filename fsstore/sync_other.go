//go:build !linux

package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
)

// datasync flushes f. On macOS the standard library asks the drive itself to
// flush, which is what durable means there.
func datasync(f *os.File) error { return f.Sync() }

// syncTree flushes the named files and the directories that hold them: there
// is no call that flushes one file system.
func syncTree(root *os.Root, names []string) error {
	dirs := map[string]bool{}
	for _, name := range names {
		if err := syncOne(root, name); err != nil {
			return err
		}
		for dir := path.Dir(name); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	if runtime.GOOS == "windows" {
		return nil // directories cannot be flushed there; NTFS journals names
	}
	for dir := range dirs {
		if err := syncOne(root, dir); err != nil {
			return err
		}
	}
	return nil
}

// syncOne flushes one file; a file that is gone needs no flush.
func syncOne(root *os.Root, name string) error {
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
