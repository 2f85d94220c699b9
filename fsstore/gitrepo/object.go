package gitrepo

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// Of all objects only commits are read, and of those only the tree: enough to
// tell whether what is staged is what is committed.

// maxObject bounds a commit, and each base of a commit that is a delta.
const maxObject = 1 << 20

// errObject is an object that is not there or not to be understood. Callers
// answer "unknown"; nobody sees it.
var errObject = errors.New("git object not readable")

// objects are the object directories of a repository, its own first.
type objects struct{ dirs []string }

// openObjects follows the alternates of objects directories (clones that
// borrow objects) a few levels deep, as Git does.
func openObjects(commonDir string) objects {
	dirs := []string{filepath.Join(commonDir, "objects")}
	for i := 0; i < len(dirs) && len(dirs) < 16; i++ {
		text, _ := readText(filepath.Join(dirs[i], "info", "alternates"))
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				dirs = append(dirs, pathFrom(dirs[i], line))
			}
		}
	}
	return objects{dirs}
}

// treeOf is the root tree of a commit.
func (o objects) treeOf(commit string) (tree []byte, err error) {
	id, err := hex.DecodeString(commit)
	if err != nil {
		return nil, err
	}
	kind, data, err := o.read(id, 0)
	if err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	text, isTree := bytes.CutPrefix(line, []byte("tree "))
	if kind != "commit" || !isTree || len(text) != len(commit) {
		return nil, errObject
	}
	return hex.DecodeString(string(text))
}

// read finds an object, loose or packed. depth counts the deltas above it.
func (o objects) read(id []byte, depth int) (kind string, data []byte, err error) {
	for _, dir := range o.dirs {
		if kind, data, err := readLoose(dir, hex.EncodeToString(id)); err == nil {
			return kind, data, nil
		}
	}
	for _, dir := range o.dirs {
		for _, name := range packsOf(dir) {
			if offset, err := findPacked(name+".idx", id); err == nil {
				return o.readPacked(name+".pack", offset, len(id), depth)
			}
		}
	}
	return "", nil, errObject
}

// readLoose reads a file of its own: zlib over "<kind> <size>", NUL, content.
func readLoose(dir, id string) (kind string, data []byte, err error) {
	f, err := openRegular(filepath.Join(dir, id[:2], id[2:]))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	raw, err := inflate(f, maxObject)
	if err != nil {
		return "", nil, err
	}
	head, data, _ := bytes.Cut(raw, []byte{0})
	kind, size, _ := strings.Cut(string(head), " ")
	if n, err := strconv.Atoi(size); err != nil || n != len(data) {
		return "", nil, errObject
	}
	return kind, data, nil
}

func inflate(r io.Reader, limit int64) ([]byte, error) {
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errObject
	}
	return data, nil
}
