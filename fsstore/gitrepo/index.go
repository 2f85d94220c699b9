package gitrepo

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The index in versions 2 to 4, see gitformat-index(5). It is streamed: the
// one of a large repository would not fit into what this process may use.

// Bits of an index entry.
const (
	flagAssumeValid  = 1 << 15
	flagExtended     = 1 << 14
	flagStage        = 3 << 12
	flagSkipWorktree = 1 << 14 // among the extended ones
	flagIntentToAdd  = 1 << 13 // among the extended ones
)

// Types of an index entry, the upper bits of its mode.
const (
	modeType    = 0o170000
	modeTree    = 0o040000 // a folder that a sparse index does not open
	modeSymlink = 0o120000
	modeGitlink = 0o160000 // a submodule
	modeExec    = 0o100
)

// errIndex is an index that is damaged or of a kind that is not read.
var errIndex = errors.New("git index not readable")

// indexEntry is one tracked file. Its slices are valid until the next one.
type indexEntry struct {
	mtimeSec, mtimeNsec uint32
	mode, size          uint32
	id                  []byte
	flags, extended     uint16
	name                []byte
}

// indexReader reads one index file.
type indexReader struct {
	r       *bufio.Reader
	idLen   int
	version uint32
	entry   indexEntry
	fixed   [62 + 12 + 2]byte // an entry before its name, with the longer id
}

// scanIndex calls visit for every entry, in order, until it returns false. It
// returns the tree that Git itself last worked out for the whole index, nil
// where the index says nothing of it. A split index fails with errIndex.
func scanIndex(r io.Reader, idLen int, visit func(*indexEntry) bool) (tree []byte, err error) {
	x := indexReader{r: bufio.NewReaderSize(r, 1<<16), idLen: idLen}
	var head [12]byte
	if _, err := io.ReadFull(x.r, head[:]); err != nil {
		return nil, err
	}
	x.version = binary.BigEndian.Uint32(head[4:])
	if string(head[:4]) != "DIRC" || x.version < 2 || x.version > 4 {
		return nil, errIndex
	}
	for range binary.BigEndian.Uint32(head[8:]) {
		if err := x.next(); err != nil {
			return nil, err
		}
		if !visit(&x.entry) {
			return nil, nil
		}
	}
	return x.extensions()
}

// next reads one entry into x.entry.
func (x *indexReader) next() error {
	length := 40 + x.idLen + 2
	b := x.fixed[:length]
	if _, err := io.ReadFull(x.r, b); err != nil {
		return err
	}
	e := &x.entry
	e.mtimeSec, e.mtimeNsec = binary.BigEndian.Uint32(b[8:]), binary.BigEndian.Uint32(b[12:])
	e.mode, e.size = binary.BigEndian.Uint32(b[24:]), binary.BigEndian.Uint32(b[36:])
	e.id = b[40 : 40+x.idLen]
	e.flags, e.extended = binary.BigEndian.Uint16(b[40+x.idLen:]), 0
	if e.flags&flagExtended != 0 {
		var ext [2]byte
		if _, err := io.ReadFull(x.r, ext[:]); err != nil {
			return err
		}
		e.extended = binary.BigEndian.Uint16(ext[:])
		length += 2
	}
	return x.readName(length)
}

// readName reads the name after length bytes of an entry. Version 4 writes
// only what differs from the name before; the others pad to eight bytes.
func (x *indexReader) readName(length int) error {
	keep := 0
	if x.version == 4 {
		drop, used := x.peekDrop()
		if used == 0 || drop > int64(len(x.entry.name)) {
			return errIndex
		}
		keep = len(x.entry.name) - int(drop)
		x.discard(used)
	}
	part, err := x.r.ReadSlice(0)
	if err != nil {
		return errIndex
	}
	x.entry.name = append(x.entry.name[:keep], part[:len(part)-1]...)
	if x.version < 4 {
		used := length + len(part)
		return x.discard((8 - used%8) % 8)
	}
	return nil
}

func (x *indexReader) peekDrop() (drop int64, used int) {
	b, _ := x.r.Peek(9) // near the end there may be fewer
	return offsetVarint(b)
}

func (x *indexReader) discard(n int) error {
	_, err := x.r.Discard(n)
	return err
}

// extensions reads what follows the entries, up to the checksum at the end.
func (x *indexReader) extensions() (tree []byte, err error) {
	for {
		head, err := x.r.Peek(8 + x.idLen)
		if err != nil {
			return tree, nil // only the checksum is left
		}
		name, size := string(head[:4]), int64(binary.BigEndian.Uint32(head[4:]))
		if err := x.discard(8); err != nil {
			return nil, err
		}
		body := io.LimitReader(x.r, size)
		switch {
		case name == "TREE":
			tree = x.cachedTree(body)
		case name != "sdir" && strings.ToUpper(name) != name:
			return nil, fmt.Errorf("%w: extension %q", errIndex, name)
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return nil, err
		}
	}
}

// cachedTree reads the root of the TREE extension: an empty path, the number
// of entries that it covers (-1 when something has changed since), the number
// of subtrees, and the id.
func (x *indexReader) cachedTree(body io.Reader) []byte {
	start := make([]byte, 64+x.idLen)
	n, _ := io.ReadFull(body, start)
	line, rest, ok := bytes.Cut(start[:n], []byte("\n"))
	counts, isRoot := bytes.CutPrefix(line, []byte{0})
	covered, _, _ := strings.Cut(string(counts), " ")
	if count, err := strconv.Atoi(covered); !ok || !isRoot || err != nil || count < 0 || len(rest) < x.idLen {
		return nil
	}
	return rest[:x.idLen]
}
