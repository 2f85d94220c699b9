// Package settle gives a path its one name, so that two names of one file can
// be compared as text.
package settle

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxLinks is how many symbolic links one path may pass, as in Linux.
const maxLinks = 40

// errLinkLoop is a path whose symbolic links lead nowhere.
var errLinkLoop = errors.New("too many symbolic links")

// nameSource is what settling asks a file system. Tests put one in its place that
// does not tell letter cases apart.
type nameSource struct {
	lstat    func(name string) (fs.FileInfo, error)
	readlink func(name string) (string, error)
	list     func(dir string) []string
}

func realNames() nameSource {
	return nameSource{lstat: os.Lstat, readlink: os.Readlink, list: listNames}
}

// listNames opens directories only: a pipe would never answer.
func listNames(dir string) []string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	return list
}

// Path gives the one name of an absolute path: symbolic links followed, letters
// as the directories spell them. What does not exist (yet) is taken as it is
// written. Unlike filepath.EvalSymlinks it therefore also knows where a dangling
// link leads. It fails only on a loop of links.
func Path(path string) (string, error) { return realNames().settle(path) }

// In is Path for a name in a directory that is settled already.
func In(dir, name string) (string, error) { return realNames().follow(dir, []string{name}) }

func (n nameSource) settle(path string) (string, error) {
	done, todo := splitRoot(path)
	return n.follow(done, todo)
}

// follow settles the segments todo below the settled directory done.
func (n nameSource) follow(done string, todo []string) (string, error) {
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if name == ".." { // from the target of a link
			done = filepath.Dir(done)
			continue
		}
		info, err := n.lstat(filepath.Join(done, name))
		if err != nil {
			if spelt, ok := n.otherForm(done, name); ok {
				todo = append([]string{spelt}, todo...)
				continue
			}
			return longNames(done, append([]string{name}, todo...)), nil
		}
		target, isLink := n.linkTarget(filepath.Join(done, name), info)
		if !isLink {
			done = filepath.Join(done, n.spelling(done, name, info))
			continue
		}
		if links++; links > maxLinks {
			return "", errLinkLoop
		}
		if filepath.IsAbs(target) {
			var more []string
			done, more = splitRoot(target)
			todo = append(more, todo...)
		} else {
			todo = append(splitPath(target), todo...)
		}
	}
	return longNames(done, nil), nil
}

// linkTarget reads a symbolic link, or a junction, which is irregular in Go.
func (n nameSource) linkTarget(name string, info fs.FileInfo) (string, bool) {
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
		return "", false
	}
	target, err := n.readlink(name)
	return target, err == nil && target != ""
}

// spelling is how dir spells name. One look tells whether letter case counts
// there; only where it does not is the directory read.
func (n nameSource) spelling(dir, name string, info fs.FileInfo) string {
	other := flipCase(name)
	if other == name {
		return name
	}
	twin, err := n.lstat(filepath.Join(dir, other))
	if err != nil || !os.SameFile(info, twin) {
		return name
	}
	folded := name
	for _, entry := range n.list(dir) {
		if entry == name {
			return name // two hard links, or spelt right
		}
		if strings.EqualFold(norm.NFC.String(entry), norm.NFC.String(name)) {
			folded = entry
		}
	}
	return folded
}

// otherForm finds a name that is composed otherwise: é may be one character
// or two, and some file systems tell them apart.
func (n nameSource) otherForm(dir, name string) (string, bool) {
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return "", false
	}
	for _, entry := range n.list(dir) {
		if entry == name || norm.NFC.String(entry) != norm.NFC.String(name) {
			continue
		}
		if _, err := n.lstat(filepath.Join(dir, entry)); err == nil {
			return entry, true
		}
	}
	return "", false
}

// flipCase changes the case of the first letter that has one.
func flipCase(s string) string {
	for i, r := range s {
		for _, other := range []rune{unicode.ToUpper(r), unicode.ToLower(r)} {
			if other != r {
				return s[:i] + string(other) + s[i+utf8.RuneLen(r):]
			}
		}
	}
	return s
}

// longNames joins the path. On Windows what exists may still be written in
// short names (PROGRA~1); the system knows the long ones.
func longNames(done string, rest []string) string {
	if runtime.GOOS == "windows" {
		if long, err := filepath.EvalSymlinks(done); err == nil {
			done = long
		}
	}
	return filepath.Join(append([]string{done}, rest...)...)
}

func splitRoot(path string) (root string, segments []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), splitPath(path[len(volume):])
}

func splitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) })
}
