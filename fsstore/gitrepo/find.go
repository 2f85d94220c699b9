package gitrepo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"acc/fsstore/settle"
)

// maxText bounds what is read of HEAD, commondir, gitdir, a loose ref, the
// alternates or a configuration.
const maxText = 1 << 20

// ErrDamaged is a .git that was meant to be a repository and is none.
var ErrDamaged = errors.New("the .git found here leads to no repository")

// Find looks for a repository from start upwards, as Git does: a .git
// directory or file, or a directory that is a repository itself. A .git
// directory that holds nothing of a repository is no find; ok is false when
// there is no repository at all. start is a settled path.
//
// It fails with ErrDamaged, together with the directory in Found and nothing
// else, where going on upwards would silently pick another repository.
func Find(start string) (repo Repo, ok bool, err error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		gitDir, ok, err := gitDirOf(dir)
		if err != nil {
			return Repo{Found: dir}, false, err
		}
		if ok {
			return describe(dir, gitDir, true), true, nil
		}
		if isGitDir(dir) {
			return describe(dir, dir, false), true, nil
		}
		if filepath.Dir(dir) == dir {
			return Repo{}, false, nil
		}
	}
}

// gitDirOf finds the repository that dir/.git is or names.
func gitDirOf(dir string) (gitDir string, ok bool, err error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, ErrDamaged
	case info.IsDir() && isGitDir(dotGit):
		if gitDir, err = settle.Path(dotGit); err != nil {
			return "", false, ErrDamaged
		}
		return gitDir, true, nil
	case info.IsDir() && !hasGitParts(dotGit):
		return "", false, nil
	case info.IsDir():
		return "", false, ErrDamaged
	}
	return dotGitTarget(dotGit)
}

// dotGitTarget follows a .git file, which holds "gitdir: <path>".
func dotGitTarget(dotGit string) (gitDir string, ok bool, err error) {
	text, _ := readText(dotGit)
	target, isLink := strings.CutPrefix(text, "gitdir: ")
	if !isLink || target == "" {
		return "", false, ErrDamaged
	}
	gitDir, err = settle.Path(pathFrom(filepath.Dir(dotGit), target))
	if err != nil || !isGitDir(gitDir) {
		return "", false, ErrDamaged
	}
	return gitDir, true, nil
}

// isGitDir holds Git's own test: HEAD, and the shared refs and objects.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDirOf(dir)
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

// hasGitParts tells a broken repository from a directory that merely has the
// name .git.
func hasGitParts(dir string) bool {
	return slices.ContainsFunc([]string{"HEAD", "objects", "refs", "config"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// commonDirOf is the shared directory of a linked worktree's gitDir, and
// gitDir itself for any other.
func commonDirOf(gitDir string) string {
	text, ok := readText(filepath.Join(gitDir, "commondir"))
	if !ok || text == "" {
		return gitDir
	}
	common, err := settle.Path(pathFrom(gitDir, text))
	if err != nil {
		return gitDir
	}
	return common
}

// pathFrom reads a path from one of Git's files: slashes on every system,
// relative to the directory of the file.
func pathFrom(dir, text string) string {
	p := filepath.FromSlash(text)
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(dir, p)
}

// readText reads a small file without its line end, and of a longer one the
// start.
func readText(name string) (text string, ok bool) {
	f, err := openRegular(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText))
	return strings.TrimRight(string(data), "\r\n"), err == nil
}

// openRegular opens nothing but a regular file.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return os.OpenFile(name, os.O_RDONLY|nonBlock, 0)
}

// listDir gives what is in a directory, nothing where there is none.
func listDir(name string) []fs.DirEntry {
	if !isDir(name) {
		return nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil
	}
	return entries
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
