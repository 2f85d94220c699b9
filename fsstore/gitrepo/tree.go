package gitrepo

import (
	"bytes"
	"fmt"
	"hash"
)

// treeHasher works out the id of the tree that an index would be committed
// as. Index and trees sort alike, so entries go in as they come and a folder
// is hashed when the first entry after it arrives.
type treeHasher struct {
	newHash func() hash.Hash
	levels  []treeLevel // the open folders; the first is the root
	path    []byte      // of the innermost one, with a slash at its end
}

// treeLevel is one folder that is still open.
type treeLevel struct {
	pathLen int    // how much of path belongs to it
	body    []byte // its tree object so far
}

func newTreeHasher(newHash func() hash.Hash) *treeHasher {
	return &treeHasher{newHash: newHash, levels: []treeLevel{{}}}
}

// add takes the next entry of the index.
func (t *treeHasher) add(e *indexEntry) {
	name := bytes.TrimSuffix(e.name, []byte("/")) // a folder of a sparse index
	for !bytes.HasPrefix(name, t.path) {
		t.close()
	}
	for {
		slash := bytes.IndexByte(name[len(t.path):], '/')
		if slash < 0 {
			break
		}
		t.path = append(t.path, name[len(t.path):len(t.path)+slash+1]...)
		t.levels = append(t.levels, treeLevel{pathLen: len(t.path)})
	}
	t.write(e.mode, name[len(t.path):], e.id)
}

// write appends one line of a tree object to the innermost folder.
func (t *treeHasher) write(mode uint32, name, id []byte) {
	level := &t.levels[len(t.levels)-1]
	level.body = fmt.Appendf(level.body, "%o %s\x00", mode, name)
	level.body = append(level.body, id...)
}

// close hashes the innermost folder into the one around it.
func (t *treeHasher) close() {
	last := len(t.levels) - 1
	id := objectID(t.newHash(), "tree", t.levels[last].body)
	t.levels = t.levels[:last]
	around := t.levels[last-1].pathLen
	name := bytes.Clone(t.path[around : len(t.path)-1])
	t.path = t.path[:around]
	t.write(modeTree, name, id)
}

// root is the id of the whole.
func (t *treeHasher) root() []byte {
	for len(t.levels) > 1 {
		t.close()
	}
	return objectID(t.newHash(), "tree", t.levels[0].body)
}

// objectID is how Git names an object.
func objectID(h hash.Hash, kind string, content []byte) []byte {
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return h.Sum(nil)
}
