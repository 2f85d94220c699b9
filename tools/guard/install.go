package guard

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"acc/fsstore"
)

// Hook says what Install or Uninstall did.
type Hook struct {
	Path    string `json:"path"`
	State   string `json:"state"`   // installed, updated, unchanged, removed or absent
	Chained bool   `json:"chained"` // a hook from before runs first, or was put back
}

// Install puts the guard in front of commits in this repository. acc is the
// program to run, by its full path. A hook that is there already is kept and
// still runs. Doing it again changes nothing.
//
// A hooks directory outside the repository serves others too, and needs
// shared. It fails with ReasonHookForeign where it would destroy something.
func Install(ctx context.Context, w fsstore.Workspace, acc string, shared bool) (Hook, error) {
	h, err := findHooks(ctx, w)
	if err != nil {
		return Hook{}, err
	}
	if !shared && !h.inside(w) {
		return Hook{}, foreign("core.hooksPath leads out of this repository: every repository that uses that directory would run the guard. " +
			"Repeat with --shared if that is meant.")
	}
	if byHusky(h) {
		return Hook{}, foreign("the hooks of this repository are made by husky, which writes them anew. " +
			"Add the line acc guard check --staged to .husky/pre-commit instead.")
	}
	made, untouched := ours(string(h.current))
	switch {
	case made && !untouched:
		return Hook{}, edited
	case h.current != nil && !made && h.chained:
		return Hook{}, replacedHook
	}
	out := Hook{Path: h.path(hookName), State: "installed", Chained: h.chained || h.current != nil && !made}
	fresh := render(filepath.ToSlash(acc), !h.there || made && madeDir(string(h.current)))
	if made {
		out.State = "updated"
		if bytes.Equal(fresh, h.current) && h.executable() {
			out.State = "unchanged"
			return out, nil
		}
	}
	if err := h.put(fresh, h.current != nil && !made); err != nil {
		return Hook{}, unreachable(err)
	}
	return out, nil
}

var (
	edited = foreign("the pre-commit hook was made by acc guard and edited since. Move your lines to a hook of their own (" + chainedName +
		" beside it runs first), remove the file, then try again.")
	replacedHook = foreign("the pre-commit hook is not the one that acc guard installed, and the hook from before it is still kept as " +
		chainedName + " beside it. Make one of the two, and remove or rename the other, then try again.")
)

// byHusky knows the hooks of husky, which look for the user's script by the
// name that they themselves have.
func byHusky(h *hooks) bool {
	return filepath.Base(h.dir) == "_" && filepath.Base(filepath.Dir(h.dir)) == ".husky" ||
		strings.Contains(string(h.current), `. "$(dirname "$0")/h"`)
}

func (h *hooks) executable() bool {
	info, err := os.Stat(h.path(hookName))
	return err == nil && info.Mode()&0o111 == 0o111
}

// put writes our hook beside its place and moves it there. A hook from before
// is renamed first: killed in between, the next install or uninstall goes on.
func (h *hooks) put(fresh []byte, keep bool) error {
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		return err
	}
	if err := os.Remove(h.path(freshName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(h.path(freshName), fresh, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(h.path(freshName), 0o755); err != nil {
		return err
	}
	if keep {
		if err := os.Rename(h.path(hookName), h.path(chainedName)); err != nil {
			return err
		}
	}
	return os.Rename(h.path(freshName), h.path(hookName))
}

// Uninstall takes the guard out and puts back what was there before, byte for
// byte. Without a guard it changes nothing.
//
// It fails with ReasonHookForeign where the hook is not as Install left it.
func Uninstall(ctx context.Context, w fsstore.Workspace) (Hook, error) {
	h, err := findHooks(ctx, w)
	if err != nil {
		return Hook{}, err
	}
	made, untouched := ours(string(h.current))
	out := Hook{Path: h.path(hookName), State: "removed", Chained: h.chained}
	switch {
	case made && !untouched:
		return Hook{}, edited
	case h.current != nil && !made && h.chained:
		return Hook{}, replacedHook
	case !made && !h.chained:
		out.State = "absent"
		return out, nil
	}
	if err := h.restore(); err != nil {
		return Hook{}, unreachable(err)
	}
	return out, nil
}

// restore puts the hook from before back, or leaves nothing.
func (h *hooks) restore() error {
	if err := os.Remove(h.path(freshName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if h.chained {
		return os.Rename(h.path(chainedName), h.path(hookName))
	}
	if err := os.Remove(h.path(hookName)); err != nil {
		return err
	}
	if madeDir(string(h.current)) {
		_ = os.Remove(h.dir) // stays when there is something else in it by now
	}
	return nil
}
