package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"

	"acc/fsstore/gitrepo"
	"acc/fsstore/settle"
	"acc/schema"
)

// Workspace says where a room is and which checkout the caller works in. All
// paths are absolute and canonical: links followed, letters as on disk.
type Workspace struct {
	Root        string   // the directory that holds, or will hold, .acc
	Checkout    string   // top of the work tree the caller started in; Root without one
	GitDir      string   // the worktree's own Git directory, "" outside Git
	CommonDir   string   // the Git directory that all worktrees share, "" outside Git
	Worktrees   []string // tops of the repository's worktrees, the main one first
	Initialised bool     // Root holds .acc/workspace.json
}

// Locate finds the room for somebody who starts in the directory start:
//
//   - the nearest directory that is an initialised room, from start up to the
//     top of its work tree, or outside Git up the whole tree;
//   - else the root of the repository's main worktree, the directory of a bare
//     repository, or outside Git start itself.
//
// A submodule is a repository of its own. Nothing is created, no git process
// is started, and no variable of the environment is looked at.
//
// The root of a file system is never a room; the directories in homes, which
// Home supplies, are one only if they already are. It fails with
// ReasonWorkspaceInvalid for those, for a start that is no directory, and for a
// repository whose main worktree is not to be found; with ReasonStoreForeign
// for a .acc that is a link or no directory. Messages name start and no other
// path.
func Locate(start string, homes ...string) (Workspace, error) {
	from, err := startDir(start)
	if err != nil {
		return Workspace{}, err
	}
	repo, inGit, gitErr := gitrepo.Find(from)
	w, err := nearestRoom(start, from, repo.Found)
	if err != nil {
		return Workspace{}, err
	}
	switch {
	case w.Initialised:
	case gitErr != nil:
		return Workspace{}, invalidStart(start, "the .git found there or above it leads to no repository; "+
			"mend it (git worktree repair) or choose another directory.").Because(gitErr)
	case inGit:
		w, err = repositoryRoom(start, repo)
	default:
		w, err = roomIn(start, from)
	}
	if err != nil {
		return Workspace{}, err
	}
	w.describe(repo, inGit)
	return w, w.refuseAccident(start, homes)
}

// Home is the home directory to give to Locate: HOME (USERPROFILE on Windows)
// or, without it, what the system knows; "" when nothing is known.
func Home(getenv func(string) string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := getenv(name); dir != "" {
		return dir
	}
	if u, err := user.Current(); err == nil {
		return u.HomeDir
	}
	return ""
}

// startDir is the canonical form of the directory that the user configured.
func startDir(start string) (string, error) {
	absolute, err := filepath.Abs(start)
	if err != nil || start == "" {
		return "", invalidStart(start, "it cannot be made absolute; give the full path of a project directory.").Because(err)
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", invalidStart(start, "there is no such directory; create it or choose another.").Because(err)
	case err != nil:
		return "", invalidStart(start, "it cannot be opened; choose a directory that you may read.").Because(err)
	case !info.IsDir():
		return "", invalidStart(start, "it is not a directory; choose the directory that holds the project.")
	}
	from, err := settle.Path(absolute)
	if err != nil {
		return "", invalidStart(start, "its symbolic links lead nowhere; choose another directory.").Because(err)
	}
	return from, nil
}

// nearestRoom walks from the directory from up to last, or to the top of the
// file system when last is "", and stops at the first initialised room.
func nearestRoom(start, from, last string) (Workspace, error) {
	for dir := from; ; dir = filepath.Dir(dir) {
		isTop := filepath.Dir(dir) == dir
		if !isTop {
			w, err := roomIn(start, dir)
			if w.Initialised || err != nil && looksInitialised(dir) {
				return w, err
			}
		}
		if isTop || dir == last {
			return Workspace{}, nil
		}
	}
}

// looksInitialised follows links, unlike roomIn: a .acc on the way that is
// foreign stands in nobody's way unless somebody meant it to be a room.
func looksInitialised(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, roomDir, workspaceName))
	return err == nil
}

// repositoryRoom is where a repository has its room when none is nearer.
func repositoryRoom(start string, repo gitrepo.Repo) (Workspace, error) {
	switch {
	case repo.Bare:
		return roomIn(start, repo.CommonDir)
	case repo.Main == "":
		return Workspace{}, invalidStart(start, "the main worktree of its repository is not to be found; start in the main "+
			"worktree, or tell Git with core.worktree where it is.")
	}
	return roomIn(start, repo.Main)
}

// roomIn looks at .acc in dir. Where it is a link, or not a directory, a room
// there would write into something that it does not own.
func roomIn(start, dir string) (Workspace, error) {
	w := Workspace{Root: dir}
	info, err := os.Lstat(filepath.Join(dir, roomDir))
	switch {
	case err != nil:
		return w, nil // what else is wrong, opening the room will say
	case info.Mode()&fs.ModeSymlink != 0:
		return w, foreignRoom(start, "the .acc that belongs to it is a symbolic link; replace it by a directory, or remove it.")
	case !info.IsDir():
		return w, foreignRoom(start, "the .acc that belongs to it is not a directory; move it away.")
	}
	info, err = os.Lstat(filepath.Join(dir, roomDir, workspaceName))
	if err == nil && !info.Mode().IsRegular() {
		return w, foreignRoom(start, "the .acc/workspace.json that belongs to it is not a regular file; move it away.")
	}
	w.Initialised = err == nil
	return w, nil
}

// describe fills in what the repository says.
func (w *Workspace) describe(repo gitrepo.Repo, inGit bool) {
	w.Checkout = w.Root
	if !inGit {
		return
	}
	w.GitDir, w.CommonDir, w.Worktrees = repo.GitDir, repo.CommonDir, repo.Worktrees()
	if repo.Top != "" {
		w.Checkout = repo.Top
	}
}

// Branch is the branch that the caller's checkout is on, "" when there is none:
// outside Git, on a detached HEAD, or where it cannot be read.
func (w Workspace) Branch() string { return w.repo().Branch() }

// GitFacts describe the caller's checkout as it is now, nil outside Git and
// where nothing can be read. They are found without a git process and without
// changing anything. What cannot be found out does not fail: Dirty is then
// true, for only a known match is clean; gitrepo.Repo.Facts says where Dirty
// differs from `git status`. The cost is one lstat per tracked file, so no lock
// should be held meanwhile.
func (w Workspace) GitFacts() *schema.GitFacts { return w.repo().Facts() }

// repo is the repository as seen from the caller's checkout, which is no work
// tree in the directory of a bare one.
func (w Workspace) repo() gitrepo.Repo {
	r := gitrepo.Repo{GitDir: w.GitDir, CommonDir: w.CommonDir}
	if slices.Contains(w.Worktrees, w.Checkout) {
		r.Top = w.Checkout
	}
	return r
}

// refuseAccident keeps a room from appearing where a client merely happened
// to be started.
func (w *Workspace) refuseAccident(start string, homes []string) error {
	if filepath.Dir(w.Root) == w.Root {
		return invalidStart(start, "the room would be in the root of the file system; choose a project directory.")
	}
	isHome := func(home string) bool {
		settled, err := settle.Path(home)
		return filepath.IsAbs(home) && err == nil && settled == w.Root
	}
	if !w.Initialised && slices.ContainsFunc(homes, isHome) {
		return invalidStart(start, "the room would be in the home directory; choose a project directory. Below a home "+
			"directory that is itself a Git work tree, it must be a repository of its own.")
	}
	return nil
}

func invalidStart(start, why string) *schema.Error {
	return schema.Fail(schema.ReasonWorkspaceInvalid, "Workspace %q: %s", start, why)
}

func foreignRoom(start, why string) *schema.Error {
	return schema.Fail(schema.ReasonStoreForeign, "Workspace %q: %s", start, why)
}
