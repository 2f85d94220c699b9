package schema

import (
	"strings"
	"unicode/utf8"
)

// FileScheme names files and folders of the workspace. It is the only scheme
// with rules of its own; all others are opaque.
const FileScheme = "file"

// WholeWorkspace is the resource that covers every file.
const WholeWorkspace Resource = "file:**"

// below ends a resource that covers a name and everything under it.
const below = "/**"

// Resource is what a claim or a hint names, in canonical form: scheme:rest.
// Two resources name the same thing exactly when they are equal.
type Resource string

// MakeResource joins what ParseResource took apart.
func MakeResource(scheme, rest string) Resource { return Resource(scheme + ":" + rest) }

// Canonical reports whether r may stand in a record: it reads back as itself
// and, if it names a file, is relative to the root of the workspace.
func (r Resource) Canonical() bool {
	scheme, rest, err := ParseResource(string(r))
	absolute := scheme == FileScheme && strings.HasPrefix(rest, "/")
	return err == nil && !absolute && MakeResource(scheme, rest) == r
}

// ParseResource takes a resource URI apart. The scheme comes back in lower
// case; the rest of an opaque scheme as it is, the rest of file: in lexically
// canonical form (see cleanFile), which is absolute when it was given so: only
// the store can relate it to the root. Nothing is percent-decoded.
//
// It fails with ReasonResourceInvalid, or with ReasonResourceOutside for a
// file name that leaves the workspace by "..".
func ParseResource(s string) (scheme, rest string, err error) {
	scheme, rest, _ = strings.Cut(s, ":")
	if err := checkURI(s, scheme, rest); err != nil {
		return "", "", err
	}
	scheme = strings.ToLower(scheme)
	if scheme != FileScheme {
		return scheme, rest, nil
	}
	if rest, err = cleanFile(s, rest); err != nil {
		return "", "", err
	}
	// Composing can lengthen a name; what is stored must pass again.
	if utf8.RuneCountInString(rest)+len(FileScheme)+1 > MaxResource {
		return "", "", tooLong(s)
	}
	return scheme, rest, nil
}

// checkURI holds the rules that all schemes share.
func checkURI(s, scheme, rest string) error {
	switch {
	case !utf8.ValidString(s):
		return BadResource(s, "it is not valid UTF-8; send the name without half characters.")
	case utf8.RuneCountInString(s) > MaxResource:
		return tooLong(s)
	case strings.ContainsFunc(s, func(r rune) bool { return forbidden(r, true) }):
		return BadResource(s, "control characters are not allowed; name the file without them.")
	case !validScheme(scheme) || len(scheme) == len(s) || isDrive(s):
		return BadResource(s, "a resource is scheme:rest; for a file of the workspace write file:src/app.go.")
	case rest == "" && !strings.EqualFold(scheme, FileScheme):
		return BadResource(s, "the part after %q is empty; name one thing, as in issue:42.", scheme+":")
	}
	return nil
}

// validScheme holds the grammar of RFC 3986.
func validScheme(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		inner := r >= '0' && r <= '9' || r == '+' || r == '.' || r == '-'
		if !letter && (i == 0 || !inner) {
			return false
		}
	}
	return s != ""
}

// isDrive finds a Windows path without its scheme, which would otherwise pass
// for an opaque resource that nobody else ever names.
func isDrive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// Overlap reports whether two resources share ground, and which: the more
// specific of the two. They do when they are equal, or when one ends in /**
// and the other is its base or lies under it by whole segments. The rule is
// symmetric and the same for every scheme.
func Overlap(a, b Resource) (ground Resource, ok bool) {
	if len(a) > len(b) {
		a, b = b, a // the longer one is the more specific, if both cover
	}
	switch {
	case a == b, covers(a, b):
		return b, true
	case covers(b, a):
		return a, true
	}
	return "", false
}

// covers reports whether everything narrow names is named by wide too. The
// scheme needs no look of its own: it is part of the base.
func covers(wide, narrow Resource) bool {
	if wide == WholeWorkspace {
		return strings.HasPrefix(string(narrow), FileScheme+":")
	}
	base, tree := strings.CutSuffix(string(wide), below)
	return tree && (string(narrow) == base || strings.HasPrefix(string(narrow), base+"/"))
}

// BadResource is the failure of a resource that is not well formed. The
// message says what does work; the store uses it for what only the file system
// can tell.
func BadResource(s, format string, args ...any) *Error {
	return failResource(ReasonResourceInvalid, s, format, args...)
}

// OutsideResource is the failure of a file name that leaves the workspace.
func OutsideResource(s string) *Error {
	return failResource(ReasonResourceOutside, s,
		"it lies outside the workspace; name a file below the workspace root, as in file:src/app.go.")
}

func tooLong(s string) *Error {
	return BadResource(s, "it has more than %d characters; claim a folder above it with file:<folder>/**.", MaxResource)
}

func failResource(reason Reason, s, format string, args ...any) *Error {
	shown := []any{Visible(s, 120)}
	return Fail(reason, "Resource %q: "+format, append(shown, args...)...).
		With("resource", CutBytes(strings.ToValidUTF8(s, "\uFFFD"), MaxResource))
}
