package guard

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
)

// Request says what is to be checked: what is staged for a commit, or files
// by name, seen from Dir.
type Request struct {
	Workspace fsstore.Workspace
	Room      *coordination.Room
	Dir       string
	Staged    bool
	Files     []string
}

// Result is what a check found.
type Result struct {
	Checked  int       `json:"checked"`  // files of the room
	Outside  int       `json:"outside"`  // files that the room does not cover
	Blocked  []Blocked `json:"blocked"`  // files that somebody else claims exclusively
	Unproven bool      `json:"unproven"` // the caller's pair is none of this room
	Skipped  string    `json:"skipped"`  // why nothing was checked, "" when it was
}

// Blocked is one file and the claims in its way.
type Blocked struct {
	File    string                `json:"file"`
	Holders []coordination.Holder `json:"holders"`
}

// Check compares files with the claims of the room. A room that cannot be
// read is no failure: Skipped says what is wrong with it.
//
// It fails with code usage when the files cannot be listed.
func Check(ctx context.Context, req Request) (Result, error) {
	res := Result{Blocked: []Blocked{}}
	names, ground, err := req.ground(ctx, &res)
	if err != nil || len(names) == 0 {
		return res, err
	}
	found, err := req.Room.Blocked(ctx, ground)
	switch {
	case errors.Is(err, fsstore.ErrNoRoom):
		res.Skipped = "there is no room here yet."
		return res, nil
	case err != nil:
		res.Skipped = schema.AsError(err).Message
		return res, nil
	}
	res.Unproven = found.Unproven
	for i, holders := range found.Holders {
		if len(holders) > 0 {
			res.Blocked = append(res.Blocked, Blocked{File: names[i], Holders: holders})
		}
	}
	return res, nil
}

// ground gives the files that are in the room, and what claims call them.
func (req Request) ground(ctx context.Context, res *Result) (names []string, ground [][]schema.Resource, err error) {
	all := req.Files
	files := req.Workspace.Files()
	resources := func(name string) []schema.Resource { return Resources(req.Workspace, files, req.Dir, name) }
	if req.Staged {
		if all, err = staged(ctx, req.Workspace, req.Dir); err != nil {
			return nil, nil, err
		}
		resources = files.Tracked
	}
	for _, name := range all {
		found := resources(name)
		if len(found) == 0 {
			res.Outside++
			continue
		}
		res.Checked++
		names, ground = append(names, name), append(ground, found)
	}
	return names, ground, nil
}

// Resources gives the resources of a file by its name, seen from dir, and of a
// directory everything in it. There are none for what the room does not cover.
func Resources(w fsstore.Workspace, files *fsstore.Files, dir, name string) []schema.Resource {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		tree, err := w.Canonical(schema.FileScheme + ":" + filepath.ToSlash(path) + "/**")
		if err != nil {
			return nil
		}
		return []schema.Resource{tree}
	}
	return files.Resources(dir, path)
}
