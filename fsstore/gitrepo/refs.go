package gitrepo

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSymrefs is how many symbolic refs are followed, as in Git.
const maxSymrefs = 5

// branchPrefix is where branches live among the refs.
const branchPrefix = "refs/heads/"

// refs reads the refs of one worktree.
type refs struct{ gitDir, commonDir string }

// head is what HEAD says: the ref that it stands for, "" when it is detached,
// and else the commit. ok is false when it cannot be read, which includes
// repositories that keep their refs in the reftable format.
func (r refs) head() (ref, commit string, ok bool) {
	text, ok := r.read(r.gitDir, "HEAD")
	if !ok {
		return "", "", false
	}
	if ref, isRef := strings.CutPrefix(text, "ref:"); isRef {
		ref = strings.TrimSpace(ref)
		return ref, "", safeRef(ref)
	}
	return "", text, isCommitID(text)
}

// resolve finds the commit of a ref; "" and true for a branch without commits.
func (r refs) resolve(ref string) (commit string, ok bool) {
	for range maxSymrefs {
		text, ok := r.read(r.dirOf(ref), ref)
		if !ok {
			return r.packed(ref)
		}
		next, isRef := strings.CutPrefix(text, "ref:")
		if !isRef {
			return text, isCommitID(text)
		}
		if ref = strings.TrimSpace(next); !safeRef(ref) {
			return "", false
		}
	}
	return "", false
}

// read gives the text of a ref's own file. Very old repositories make HEAD a
// symbolic link to the ref.
func (r refs) read(dir, ref string) (string, bool) {
	name := filepath.Join(dir, filepath.FromSlash(ref))
	if target, err := os.Readlink(name); err == nil && strings.HasPrefix(target, "refs/") {
		return "ref: " + target, true
	}
	return readText(name)
}

// dirOf: some refs belong to one worktree, all others to the repository.
func (r refs) dirOf(ref string) string {
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(ref, own) {
			return r.gitDir
		}
	}
	return r.commonDir
}

// packed looks for ref in packed-refs, which may be long and is not loaded.
func (r refs) packed(ref string) (commit string, ok bool) {
	f, err := openRegular(filepath.Join(r.commonDir, "packed-refs"))
	if err != nil {
		return "", errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	lines, end := bufio.NewScanner(f), []byte(" "+ref)
	for lines.Scan() {
		if id, found := bytes.CutSuffix(lines.Bytes(), end); found && isCommitID(string(id)) {
			return string(id), true
		}
	}
	return "", lines.Err() == nil
}

// safeRef keeps what a file says from becoming a path that leads elsewhere.
// In the reftable format HEAD names refs/heads/.invalid.
func safeRef(ref string) bool {
	return strings.HasPrefix(ref, "refs/") && filepath.IsLocal(filepath.FromSlash(ref)) && !strings.Contains(ref, "/.")
}

func isCommitID(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && (len(s) == 40 || len(s) == 64)
}
