package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxConfig bounds what is read of a configuration file. Claude Code keeps
// much in its own.
const maxConfig = 64 << 20

// file is a configuration file as it is on disk.
type file struct {
	path string // as people know it
	real string // where the bytes are: links are followed
	data []byte // nil when there is none
	mode fs.FileMode
}

var errOutside = errors.New("a link leads out of the place that was chosen; give acc install the scope that it leads to, or edit that file by hand")

// openFile reads a file of a scope, or says that it is not there. A link in the
// place of the file is followed, and so is the directory it lies in, as long as
// both stay below the root; of the user scope a linked file may lie anywhere,
// for that is how people keep their settings elsewhere.
func openFile(root, path string, anywhere bool) (file, error) {
	f := file{path: path, real: path, mode: 0o644}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return f, err
	}
	dir, err := nearestDir(filepath.Dir(path))
	if err != nil {
		return f, err
	}
	if !below(realRoot, dir) {
		return f, errOutside
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, err
	}
	if f.real, err = filepath.EvalSymlinks(path); err != nil {
		return f, errors.New("it is a link that leads nowhere")
	}
	if info.Mode()&fs.ModeSymlink != 0 && !anywhere && !below(realRoot, f.real) {
		return f, errOutside
	}
	return f, f.read()
}

func (f *file) read() error {
	info, err := os.Stat(f.real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return errors.New("it is no regular file, or far too large")
	}
	f.mode = info.Mode().Perm()
	if f.data, err = os.ReadFile(f.real); f.data == nil {
		f.data = []byte{}
	}
	return err
}

// nearestDir is the real path of the innermost directory of a path that exists.
func nearestDir(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if _, linkErr := os.Lstat(dir); linkErr == nil {
			return "", errors.New("a directory on its way is a link that leads nowhere")
		}
		return nearestDir(filepath.Dir(dir))
	}
	return real, err
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// missingDirs are the directories that have to be made for a file, outermost
// first.
func missingDirs(path string) (all []string) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return all
		}
		all = append([]string{dir}, all...)
	}
}

// replace puts other bytes in the place of the file, in one step: nobody sees
// half of them. Its rights stay.
func (f *file) replace(data []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.real), 0o755); err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(f.real), ".acc-install-*")
	if err != nil {
		return err
	}
	_, err = t.Write(data)
	err = errors.Join(err, t.Chmod(f.mode), t.Sync(), t.Close())
	if err == nil {
		err = os.Rename(t.Name(), f.real)
	}
	if err != nil {
		_ = os.Remove(t.Name())
	}
	return err
}
