package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"path/filepath"
	"strings"

	"acc/schema"
)

// Branch is the branch that the worktree is on, "" when there is none: on a
// detached HEAD, or where it cannot be read.
func (r Repo) Branch() string {
	if r.GitDir == "" {
		return ""
	}
	ref, _, _ := r.refs().head()
	return branchName(ref)
}

// Facts describe the work tree at Top as it is now, nil where nothing can be
// read. Without a Top nothing is dirty. What cannot be found out does not fail:
// Dirty is then true, for only a known match is clean. The cost is one lstat
// per tracked file, so no lock should be held meanwhile.
//
// Dirty follows `git status` for tracked files, with these differences: files
// whose time or size changed are compared without running clean filters (Git
// LFS), apart from line ends; of a submodule only its commit counts, not what
// is changed in it; and when very much would have to be read, it is true.
func (r Repo) Facts() *schema.GitFacts {
	if r.GitDir == "" {
		return nil
	}
	ref, commit, ok := r.refs().head()
	if !ok {
		return nil
	}
	if ref != "" {
		commit, ok = r.refs().resolve(ref)
	}
	if !ok {
		commit = ""
	}
	facts := &schema.GitFacts{Commit: commit, Branch: branchName(ref)}
	if facts.Validate() != nil {
		facts.Branch = ""
	}
	facts.Dirty = r.Top != "" && (!ok || r.dirty(commit))
	return facts
}

func (r Repo) refs() refs { return refs{gitDir: r.GitDir, commonDir: r.CommonDir} }

func branchName(ref string) string {
	branch, ok := strings.CutPrefix(ref, branchPrefix)
	if !ok {
		return ""
	}
	return branch
}

// dirty reports whether a tracked file differs from the index, or the index
// from the tree of commit; true when that cannot be told.
func (r Repo) dirty(commit string) bool {
	cfg := readConfig(r.CommonDir, r.GitDir)
	newHash, idLen := hashOf(cfg)
	f, err := openRegular(filepath.Join(r.GitDir, "index"))
	if err != nil {
		return commit != "" || !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return true
	}
	files := newTrackedFiles(r.Top, cfg, newHash, info.ModTime())
	staged, changed := newTreeHasher(newHash), false
	// Trees made long ago may hold modes that are no longer written. Then the
	// staged tree comes out otherwise, and only Git's own note of it matches.
	cached, err := scanIndex(f, idLen, func(e *indexEntry) bool {
		changed = files.changed(e)
		staged.add(e)
		return !changed
	})
	if err != nil || changed {
		return true
	}
	tree, err := r.treeOf(commit, newHash)
	return err != nil || !bytes.Equal(tree, staged.root()) && !bytes.Equal(tree, cached)
}

// treeOf is the tree of a commit, and the empty one before the first commit.
func (r Repo) treeOf(commit string, newHash func() hash.Hash) ([]byte, error) {
	if commit == "" {
		return objectID(newHash(), "tree", nil), nil
	}
	return openObjects(r.CommonDir).treeOf(commit)
}

// hashOf is the hash that names the repository's objects.
func hashOf(cfg config) (newHash func() hash.Hash, idLen int) {
	if format, _ := cfg.text("extensions.objectformat"); strings.EqualFold(format, "sha256") {
		return sha256.New, sha256.Size
	}
	return sha1.New, sha1.Size
}
