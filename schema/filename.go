package schema

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// cleanFile brings the rest of a file: URI into lexically canonical form:
//
//   - NFC, with / between segments; empty and "." segments are dropped;
//   - ".." takes back the segment before it, whatever that is on disk; above
//     the root of the workspace there is nothing;
//   - "*" stands only in one last segment "**", which covers a folder and all
//     below it; "**" alone is the whole workspace;
//   - everything else is an ordinary character: spaces, %, \, ?, ~ and $.
//
// A \ is a separator only on Windows, where the store turns it into / first.
// uri is the whole URI as given, for messages.
func cleanFile(uri, name string) (string, error) {
	name = norm.NFC.String(name)
	absolute := strings.HasPrefix(name, "/")
	segments, tree := splitName(name)
	if err := checkStars(uri, segments, absolute); err != nil {
		return "", err
	}
	segments, ok := resolveDots(segments, absolute)
	switch {
	case !ok:
		return "", OutsideResource(uri)
	case len(segments) == 0 && tree && !absolute && !strings.HasSuffix(name, "/"):
		return "**", nil
	case len(segments) == 0:
		return "", RootResource(uri)
	case strings.HasSuffix(name, "/"):
		return "", BadResource(uri, "a name does not end in /; for the folder and everything below it write %s.",
			treeURI(segments, absolute))
	}
	return joinName(segments, absolute, tree), nil
}

// RootResource is the failure of a resource that names the root itself. It
// does not say whether one file or everything is meant, so it is not guessed.
func RootResource(uri string) *Error {
	return BadResource(uri, "it names the root itself; for the whole workspace write %s.", WholeWorkspace)
}

// splitName drops what says nothing, and a last "**".
func splitName(name string) (segments []string, tree bool) {
	for _, s := range strings.Split(name, "/") {
		if s != "" && s != "." {
			segments = append(segments, s)
		}
	}
	if n := len(segments); n > 0 && segments[n-1] == "**" {
		return segments[:n-1], true
	}
	return segments, false
}

// checkStars refuses every other pattern: a claim on *.go would cover files
// that nobody can list, so the folder above is what to claim.
func checkStars(uri string, segments []string, absolute bool) error {
	for i, s := range segments {
		if !strings.Contains(s, "*") {
			continue
		}
		wider, ok := resolveDots(segments[:i], absolute)
		if !ok {
			return OutsideResource(uri)
		}
		return BadResource(uri, "* stands only at the end, as one /**; name single files, or write %s.", treeURI(wider, absolute))
	}
	return nil
}

// resolveDots takes ".." back lexically; ok is false where a relative name
// would climb above the root. Above / there is /, as everywhere.
func resolveDots(segments []string, absolute bool) (clean []string, ok bool) {
	for _, s := range segments {
		switch {
		case s != "..":
			clean = append(clean, s)
		case len(clean) > 0:
			clean = clean[:len(clean)-1]
		case !absolute:
			return nil, false
		}
	}
	return clean, true
}

func joinName(segments []string, absolute, tree bool) string {
	name := strings.Join(segments, "/")
	if absolute {
		name = "/" + name
	}
	if tree {
		name += below
	}
	return name
}

// treeURI is the form that works for a folder and everything below it.
func treeURI(segments []string, absolute bool) Resource {
	if len(segments) == 0 {
		return WholeWorkspace
	}
	return MakeResource(FileScheme, Visible(joinName(segments, absolute, true), 200))
}
