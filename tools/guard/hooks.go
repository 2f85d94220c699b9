package guard

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// maxHook bounds what is read of a hook; ours is far smaller.
const maxHook = 1 << 20

// hooks is a hooks directory and what is in it.
type hooks struct {
	dir     string
	there   bool   // the directory exists
	current []byte // the pre-commit hook, nil when there is none
	chained bool   // a hook from before is kept beside it
}

// findHooks finds the directory that Git takes hooks from: that of the
// repository, which all its worktrees share, or core.hooksPath.
func findHooks(ctx context.Context, w fsstore.Workspace) (*hooks, error) {
	if w.GitDir == "" {
		return nil, schema.Fail(schema.ReasonInvalidArguments, "there is no Git repository here, so there are no hooks.")
	}
	out, err := gitHere(ctx, w.Checkout, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return nil, err
	}
	dir := filepath.FromSlash(strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(w.Checkout, dir)
	}
	h := &hooks{dir: filepath.Clean(dir)}
	return h, h.look()
}

func (h *hooks) path(name string) string { return filepath.Join(h.dir, name) }

// look reads what is there. A hook is whatever Git would run: a file, or a
// link to one.
func (h *hooks) look() error {
	if info, err := os.Stat(h.dir); err == nil {
		if h.there = info.IsDir(); !h.there {
			return foreign("the hooks directory is no directory; see git config core.hooksPath.")
		}
	}
	if _, err := os.Lstat(h.path(chainedName)); err == nil {
		h.chained = true
	}
	info, err := os.Lstat(h.path(hookName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unreachable(err)
	}
	h.current = []byte{} // a link may lead nowhere; it is kept like any other
	target, err := os.Stat(h.path(hookName))
	switch {
	case err == nil && target.IsDir():
		return foreign("pre-commit in the hooks directory is a directory; move it away.")
	case err != nil || !target.Mode().IsRegular() || target.Size() > maxHook || info.Mode()&fs.ModeSymlink != 0:
		return nil
	}
	if h.current, err = os.ReadFile(h.path(hookName)); err != nil {
		return unreachable(err)
	}
	return nil
}

// inside reports whether the hooks belong to this repository alone.
func (h *hooks) inside(w fsstore.Workspace) bool {
	real := h.dir
	if resolved, err := filepath.EvalSymlinks(h.dir); err == nil {
		real = resolved
	}
	for _, top := range append([]string{w.CommonDir, w.Root}, w.Worktrees...) {
		rel, err := filepath.Rel(top, real)
		if top != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func foreign(format string, args ...any) *schema.Error {
	return schema.Fail(schema.ReasonHookForeign, format, args...)
}

// unreachable is a failure of the file system in the hooks directory.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return schema.Fail(schema.ReasonStoreReadOnly, "the hooks directory cannot be changed by this user; nothing was installed or removed.").Because(err)
	}
	return schema.Fail(schema.ReasonStoreFailed, "the file system reported an error in the hooks directory: %s.", tools.Cause(err)).Because(err)
}
