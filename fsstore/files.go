package fsstore

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"acc/fsstore/settle"
	"acc/schema"
)

// Files names many files of a workspace as claims name them. Unlike Canonical
// it takes any name that a file can have, and asks about each directory once.
type Files struct {
	workspace Workspace
	dirs      map[string]settledDir
}

// settledDir is one directory under its real name, and the directory that what
// is in it is named from; top is "" outside the workspace.
type settledDir struct{ path, top string }

// Files starts to name files.
func (w Workspace) Files() *Files { return &Files{workspace: w, dirs: map[string]settledDir{}} }

// Tracked gives the resources that a file in Git's index stands for; name is
// as Git writes it, from the top of the checkout. The name itself counts,
// whether or not the file is there, and so does what a link leads to. There
// are none for a file outside the room, as in a directory above a nested one.
func (f *Files) Tracked(name string) []schema.Resource {
	path := filepath.Join(f.workspace.Checkout, filepath.FromSlash(name))
	found := f.named(f.workspace.base(), path)
	return f.add(found, f.settled(path))
}

// Resources gives the resources that a path stands for: the entry of its
// directory, and what that leads to when it is a link. A path that is not
// absolute is seen from dir. There are none outside the workspace.
func (f *Files) Resources(dir, path string) []schema.Resource {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	parent := f.dir(filepath.Dir(path))
	found := f.named(parent.top, filepath.Join(parent.path, filepath.Base(path)))
	return f.add(found, f.settled(path))
}

// settled follows a path to where it leads.
func (f *Files) settled(path string) []schema.Resource {
	parent := f.dir(filepath.Dir(path))
	real, err := settle.In(parent.path, filepath.Base(path))
	if err != nil {
		return nil // a link that leads nowhere
	}
	return f.named(f.dir(filepath.Dir(real)).top, real)
}

// dir settles a directory.
func (f *Files) dir(path string) settledDir {
	if d, known := f.dirs[path]; known {
		return d
	}
	d := settledDir{path: path}
	if real, err := settle.Path(path); err == nil {
		d.path = real
	}
	d.top, _ = f.workspace.topOf(d.path)
	f.dirs[path] = d
	return d
}

// named is the resource of a path below top.
func (f *Files) named(top, path string) []schema.Resource {
	rest, err := filepath.Rel(top, path)
	if top == "" || err != nil || rest == "." || rest == ".." || strings.HasPrefix(rest, ".."+string(filepath.Separator)) {
		return nil
	}
	return []schema.Resource{schema.MakeResource(schema.FileScheme, norm.NFC.String(filepath.ToSlash(rest)))}
}

func (f *Files) add(found, more []schema.Resource) []schema.Resource {
	for _, r := range more {
		if !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}
