package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
)

// syncNames flushes the named files and the directories that hold them.
func (d rootDisk) syncNames(names []string) error {
	dirs := map[string]bool{}
	for _, name := range names {
		if err := d.syncOne(name, os.O_RDWR); err != nil {
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
		if err := d.syncOne(dir, os.O_RDONLY); err != nil {
			return err
		}
	}
	return nil
}

// syncOne flushes one file; a file that is gone needs no flush. Windows wants
// the right to write for it.
func (d rootDisk) syncOne(name string, flag int) error {
	f, err := d.root.OpenFile(name, flag, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
