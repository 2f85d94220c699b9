package fsstore

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"acc/fsstore/settle"
	"acc/schema"
)

// Canonical gives the one form of a resource URI. A file: name is relative to
// the checkout that the caller works in, or absolute inside any worktree of the
// repository; links and letter case are settled there by asking the file
// system for the deepest existing ancestor. The answer is relative to the top
// of the worktree that holds the file, so that one path has one name in every
// worktree. What does not exist yet is taken as it is written.
//
// It fails with ReasonResourceInvalid or ReasonResourceOutside.
func (w Workspace) Canonical(uri string) (schema.Resource, error) {
	scheme, rest, err := schema.ParseResource(systemSlashes(uri))
	if err != nil {
		return "", err
	}
	r := schema.MakeResource(scheme, rest)
	if scheme != schema.FileScheme || r == schema.WholeWorkspace {
		return r, nil
	}
	name, tree := strings.CutSuffix(rest, "/**")
	path, err := settle.Path(w.absolute(name))
	if err != nil {
		return "", schema.BadResource(uri, "its symbolic links lead nowhere; name the file itself.").Because(err)
	}
	top, ok := w.topOf(path)
	if !ok {
		return "", schema.OutsideResource(uri)
	}
	return relativeResource(uri, top, path, tree)
}

// relativeResource names path as seen from top. It is parsed once more: a link
// may lead to a name that a resource cannot have.
func relativeResource(uri, top, path string, tree bool) (schema.Resource, error) {
	rest, err := filepath.Rel(top, path)
	switch {
	case err != nil:
		return "", schema.OutsideResource(uri).Because(err)
	case rest == "." && tree:
		return schema.WholeWorkspace, nil
	case rest == ".":
		return "", schema.RootResource(uri)
	}
	rest = filepath.ToSlash(rest)
	if tree {
		rest += "/**"
	}
	scheme, rest, err := schema.ParseResource(schema.FileScheme + ":" + rest)
	return schema.MakeResource(scheme, rest), err
}

// systemSlashes makes the separators of Windows the ones of a resource. On
// every other system \ is an ordinary character of a name.
func systemSlashes(uri string) string {
	if runtime.GOOS == "windows" && len(uri) > 5 && strings.EqualFold(uri[:5], "file:") {
		return filepath.ToSlash(uri)
	}
	return uri
}

// absolute is where the file system has the name of a resource.
func (w Workspace) absolute(name string) string {
	path := filepath.FromSlash(name)
	if runtime.GOOS == "windows" { // file:///C:/x is \C:\x by now
		if drive := strings.TrimPrefix(path, `\`); filepath.VolumeName(drive) != "" {
			return drive
		}
		if strings.HasPrefix(path, `\`) {
			return filepath.VolumeName(w.Root) + path
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.base(), path)
}

// base is the directory that stands for the root of the workspace where the
// caller works.
func (w Workspace) base() string {
	if w.nested() {
		return w.Root
	}
	return w.Checkout
}

// nested reports that the room is not the repository's own but lies in a
// directory below; then only what is in that directory belongs to it.
func (w Workspace) nested() bool {
	return w.Root != w.CommonDir && !slices.Contains(w.Worktrees, w.Root)
}

// topOf finds the directory that a settled path is to be named from: the
// nearest top of a worktree above it. A worktree is recognised by its .git, not
// looked up in the list: it may be younger than this process.
func (w Workspace) topOf(path string) (top string, ok bool) {
	for dir := path; ; dir = filepath.Dir(dir) {
		if dir == w.Root || !w.nested() && (dir == w.Checkout || slices.Contains(w.Worktrees, dir) || w.repo().IsLinkedWorktree(dir)) {
			return dir, true
		}
		if filepath.Dir(dir) == dir {
			return "", false
		}
	}
}
