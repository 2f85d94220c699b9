package guard

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// staged lists what the commit that is being made changes, as names from the
// top of the checkout; of a renamed file the old and the new one. Settings of
// the user must not change the form of the list.
func staged(ctx context.Context, w fsstore.Workspace, dir string) ([]string, error) {
	if w.GitDir == "" {
		return nil, schema.Fail(schema.ReasonInvalidArguments, "there is no Git repository here; name the files to check instead.")
	}
	names, err := changed(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, other := range merging(w) {
		theirs, err := changed(ctx, dir, other)
		if err != nil {
			return nil, err
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			_, found := slices.BinarySearch(theirs, name)
			return !found
		})
	}
	return names, nil
}

// changed lists, sorted, in what the index differs from a commit, HEAD by
// default.
func changed(ctx context.Context, dir string, commit ...string) ([]string, error) {
	args := []string{"diff", "--cached", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=none"}
	out, err := git(ctx, dir, append(append(args, commit...), "--")...)
	if err != nil {
		return nil, err
	}
	names := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(names)
	return names, nil
}

// merging are the commits that are being merged. What comes from one of them
// unchanged is not the work of who commits the merge.
func merging(w fsstore.Workspace) []string {
	text, err := os.ReadFile(filepath.Join(w.GitDir, "MERGE_HEAD"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Fields(string(text)), func(id string) bool {
		return strings.Trim(id, "0123456789abcdef") != ""
	})
}
