package gitrepo

import (
	"path/filepath"
	"slices"

	"acc/fsstore/settle"
)

// Repo is a repository as seen from one directory in it. The zero Repo is
// none: it has no worktrees, no branch and no facts.
//
// Branch and Facts need GitDir, CommonDir and Top, IsLinkedWorktree needs CommonDir,
// and Worktrees needs CommonDir, Main and Top; who keeps these may make a Repo
// of them later.
type Repo struct {
	Found     string // the directory in which the repository was found
	Top       string // top of the work tree that holds the start; "" without one
	Main      string // top of the main worktree; "" if bare or not to be known
	GitDir    string // the worktree's own directory: HEAD, index
	CommonDir string // what all worktrees share: refs, objects, config
	Bare      bool   // there is no main worktree
}

// describe works out which worktree is which. viaDotGit says that found
// holds the .git; otherwise found is the repository directory itself.
func describe(found, gitDir string, viaDotGit bool) Repo {
	r := Repo{Found: found, GitDir: gitDir, CommonDir: commonDirOf(gitDir)}
	linked := r.CommonDir != r.GitDir
	cfg := readConfig(r.CommonDir, r.CommonDir)
	workTree, set := cfg.text("core.worktree")
	r.Bare = cfg.flag("core.bare", !viaDotGit && !set && filepath.Base(r.CommonDir) != ".git")
	if !r.Bare {
		r.Main = mainWorktree(r, workTree, viaDotGit && !linked)
	}
	switch {
	case linked && viaDotGit:
		r.Top = found
	case !linked:
		r.Top = r.Main
	}
	return r
}

// mainWorktree finds the top of the main worktree from the shared directory.
// A repository whose shared directory lies elsewhere (--separate-git-dir) says
// so only in the main worktree's own .git file.
func mainWorktree(r Repo, workTree string, foundIsMain bool) string {
	if workTree != "" {
		if top, err := settle.Path(pathFrom(r.CommonDir, workTree)); err == nil && isDir(top) {
			return top
		}
	}
	switch {
	case foundIsMain:
		return r.Found
	case filepath.Base(r.CommonDir) == ".git":
		return filepath.Dir(r.CommonDir)
	}
	return ""
}

// Worktrees lists the tops of all worktrees that exist now, the main one first.
func (r Repo) Worktrees() []string {
	if r.CommonDir == "" {
		return nil
	}
	var tops []string
	if r.Main != "" {
		tops = append(tops, r.Main)
	}
	dir := filepath.Join(r.CommonDir, "worktrees")
	for _, e := range listDir(dir) {
		own := filepath.Join(dir, e.Name())
		text, _ := readText(filepath.Join(own, "gitdir"))
		top, err := settle.Path(filepath.Dir(pathFrom(own, text)))
		if text != "" && err == nil && leadsTo(top, own) && !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	if r.Top != "" && !slices.Contains(tops, r.Top) {
		tops = append(tops, r.Top) // moved by hand: Git finds its way from here, though not back
	}
	return tops
}

// IsLinkedWorktree reports whether dir is the top of a linked worktree of this
// repository now, be it younger than r. The one that a submodule has is of
// another.
func (r Repo) IsLinkedWorktree(dir string) bool {
	gitDir, ok, err := dotGitTarget(filepath.Join(dir, ".git"))
	return err == nil && ok && gitDir != r.CommonDir && commonDirOf(gitDir) == r.CommonDir
}

// leadsTo reports whether the .git file in top names gitDir. The directory of
// a worktree that was deleted may long be something else.
func leadsTo(top, gitDir string) bool {
	got, ok, err := dotGitTarget(filepath.Join(top, ".git"))
	return err == nil && ok && got == gitDir
}
