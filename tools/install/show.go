package install

import (
	"errors"
	"os"
	"path/filepath"

	"acc/tools"
	"acc/tools/delivery/client"
)

func (r *run) refuse(o Outcome, path string, err error) Outcome {
	o.State, o.Files = Refused, []FileChange{}
	o.Reason = r.shown(path) + ": " + tools.Cause(err)
	return o
}

func (r *run) show(ch change) FileChange {
	f := FileChange{Path: r.shown(ch.file.path), State: Unchanged, Diff: diff(r.shown(ch.file.path), ch.file.data, ch.after), Edited: ch.edited}
	switch {
	case f.Diff == "":
	case ch.file.data == nil:
		f.State = Created
	case ch.after == nil:
		f.State = Removed
	default:
		f.State = Changed
	}
	if f.Edited == nil {
		f.Edited = []string{}
	}
	return f
}

// shown is a path as people know it: from the root, or from their home.
func (r *run) shown(path string) string {
	if rel, err := filepath.Rel(r.opt.Root, path); err == nil && below(r.opt.Root, path) {
		if r.opt.Scope == string(client.User) {
			rel = filepath.Join("~", rel)
		}
		return filepath.ToSlash(rel)
	}
	return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
}

// files are those of a client, with the name that its configuration has here.
func (r *run) files(c client.Client) (client.Files, error) {
	files := c.Files(client.Scope(r.opt.Scope), r.opt.Root, r.opt.Env)
	if files.OtherServer == "" {
		return files, nil
	}
	_, err := os.Lstat(files.Server)
	_, other := os.Lstat(files.OtherServer)
	if err != nil && other == nil {
		files.Server = files.OtherServer
	}
	return files, nil
}

// open reads a file as it is by now.
func (r *run) open(path string) (file, error) {
	root := r.opt.Root
	user := r.opt.Scope == string(client.User)
	if user && !below(root, path) {
		root = filepath.Dir(path) // a variable put the folder elsewhere
		if _, err := os.Stat(root); err != nil {
			return file{}, errors.New("the folder that a variable of the environment names is not there")
		}
	}
	f, err := openFile(root, path, user)
	if data, known := r.planned[path]; known {
		f.data = data
	}
	return f, err
}
