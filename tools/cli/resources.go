package cli

import (
	"path/filepath"
	"strings"

	"acc/schema"
)

// resources turns what was typed into resource URIs. A word with a colon is
// one already; any other word is a file, as seen from the directory the run
// works in, which may lie below the top of the checkout. Whether the file is
// in the workspace is for the room to say.
func (a *App) resources(words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	dir, err := a.dir()
	if err != nil {
		return nil, err
	}
	w, err := a.workspace()
	if err != nil {
		return nil, err
	}
	uris := make([]string, len(words))
	for i, word := range words {
		uris[i] = word
		if word != "" && (!strings.Contains(word, ":") || filepath.VolumeName(word) != "") {
			uris[i] = fileURI(w.Checkout, dir, word)
		}
	}
	return uris, nil
}

// fileURI names a file by its place in the checkout where that is plain to
// see, so that what is said of it reads well, and else by its absolute path.
func fileURI(checkout, dir, word string) string {
	path := resolve(dir, word)
	if below, err := filepath.Rel(checkout, path); err == nil && filepath.IsLocal(below) && below != "." {
		path = below
	}
	path = filepath.ToSlash(path)
	if strings.HasSuffix(word, "/") && !strings.HasSuffix(path, "/") {
		path += "/" // a folder: the room says how to claim all of it
	}
	return schema.FileScheme + ":" + path
}

// ground replaces the values of a field by resource URIs.
func (a *App) ground(o *option) error {
	uris, err := a.resources(o.values)
	if err == nil {
		o.values = uris
	}
	return err
}
