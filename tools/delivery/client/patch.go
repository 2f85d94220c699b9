package client

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// patchMarks begin the lines of a patch that name a file to be written. A file
// that is moved is named twice: where it was and where it goes.
var patchMarks = []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}

// patchBegin is the first line of every patch.
const patchBegin = "*** Begin Patch"

// changeDir is the one thing that a shell command may do before a patch that
// the client applies itself.
var changeDir = regexp.MustCompile(`^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s;&'"]+))\s*&&\s*(?:apply_patch|applypatch)\b`)

// patched lists the files that a patch names, each once. The text may be the
// patch, or a shell command that carries it; in any other command there is
// none.
func patched(text string) []string {
	_, body, found := strings.Cut(text, patchBegin)
	if !found {
		return nil
	}
	dir := ""
	if m := changeDir.FindStringSubmatch(text); m != nil {
		dir = m[1] + m[2] + m[3]
	}
	var paths []string
	for line := range strings.Lines(body) {
		for _, mark := range patchMarks {
			name, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), mark)
			if name = strings.TrimSpace(name); !ok || name == "" {
				continue
			}
			if dir != "" && !path.IsAbs(name) && !filepath.IsAbs(name) {
				name = path.Join(dir, name)
			}
			if !slices.Contains(paths, name) {
				paths = append(paths, name)
			}
		}
	}
	return paths
}
