package gitrepo

import (
	"bytes"
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
)

// Packs in version 2, see gitformat-pack(5). Nothing is loaded whole: an index
// of a large repository has hundreds of megabytes.

// maxDeltas is how long a chain of deltas may be; Git makes them up to 50.
const maxDeltas = 100

// packIndexStart is the length of an index before the ids: magic, version and
// a table of 256 counts.
const packIndexStart = 8 + 256*4

// packsOf lists the packs of an objects directory, without their extensions.
func packsOf(objectDir string) []string {
	dir := filepath.Join(objectDir, "pack")
	var packs []string
	for _, e := range listDir(dir) {
		if base, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			packs = append(packs, filepath.Join(dir, base))
		}
	}
	return packs
}

// findPacked looks an object up in one index.
func findPacked(name string, id []byte) (offset int64, err error) {
	f, err := openRegular(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	head := make([]byte, packIndexStart)
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, []byte("\xfftOc\x00\x00\x00\x02")) {
		return 0, errObject
	}
	count := func(i int) int64 { return int64(binary.BigEndian.Uint32(head[8+4*i:])) }
	low, high, total := int64(0), count(int(id[0])), count(255)
	if id[0] > 0 {
		low = count(int(id[0]) - 1)
	}
	n, err := searchIDs(f, id, low, high)
	if err != nil {
		return 0, err
	}
	return packedOffset(f, int64(len(id)), n, total)
}

// searchIDs finds the number of an id among the sorted ones low to high.
func searchIDs(f io.ReaderAt, id []byte, low, high int64) (int64, error) {
	got := make([]byte, len(id))
	for low < high {
		mid := (low + high) / 2
		if _, err := f.ReadAt(got, packIndexStart+mid*int64(len(id))); err != nil {
			return 0, err
		}
		switch bytes.Compare(got, id) {
		case 0:
			return mid, nil
		case -1:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, errObject
}

// packedOffset reads where object n of total lies: a table of 4 bytes each
// follows ids and checksums, and one of 8 bytes for packs beyond 2 GiB.
func packedOffset(f io.ReaderAt, idLen, n, total int64) (int64, error) {
	table := packIndexStart + total*(idLen+4)
	var b [8]byte
	if _, err := f.ReadAt(b[:4], table+4*n); err != nil {
		return 0, err
	}
	small := binary.BigEndian.Uint32(b[:4])
	if small&(1<<31) == 0 {
		return int64(small), nil
	}
	if _, err := f.ReadAt(b[:], table+4*total+8*int64(small&^(1<<31))); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b[:])), nil
}

// readPacked reads one object of a pack, and the bases that it is a delta of.
func (o objects) readPacked(name string, offset int64, idLen, depth int) (kind string, data []byte, err error) {
	f, err := openRegular(name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	var head [64]byte // the longest header: two numbers, or a number and an id
	n, err := f.ReadAt(head[:], offset)
	if err != nil && err != io.EOF || depth > maxDeltas {
		return "", nil, errObject
	}
	h, err := parsePackHeader(head[:n], offset, idLen)
	if err != nil {
		return "", nil, err
	}
	data, err = inflate(io.NewSectionReader(f, offset+h.length, 1<<62), maxObject)
	if err != nil || int64(len(data)) != h.size {
		return "", nil, errObject
	}
	var base []byte
	switch {
	case h.baseID != nil:
		kind, base, err = o.read(h.baseID, depth+1)
	case h.baseOffset > 0:
		kind, base, err = o.readPacked(name, h.baseOffset, idLen, depth+1)
	default:
		return h.kind, data, nil
	}
	if err != nil {
		return "", nil, err
	}
	data, err = applyDelta(base, data)
	return kind, data, err
}

// packHeader stands before the compressed bytes of an object.
type packHeader struct {
	kind       string // "" for a delta
	size       int64  // of what the compressed bytes hold
	baseOffset int64  // of a delta against an earlier object of the pack
	baseID     []byte // of a delta against an object named by its id
	length     int64  // of the header itself
}

func parsePackHeader(b []byte, offset int64, idLen int) (h packHeader, err error) {
	first, used := binary.Uvarint(b)
	if used <= 0 {
		return h, errObject
	}
	// The first byte carries three bits of type between its seven others.
	h.size, h.length = int64(first&15|first>>7<<4), int64(used)
	switch first >> 4 & 7 {
	case 1:
		h.kind = "commit"
	case 2, 3, 4:
		h.kind = "other"
	case 6:
		back, used := offsetVarint(b[used:])
		h.baseOffset, h.length = offset-back, h.length+int64(used)
		if back <= 0 || h.baseOffset <= 0 {
			return h, errObject
		}
	case 7:
		if len(b) < used+idLen {
			return h, errObject
		}
		h.baseID, h.length = b[used:used+idLen], h.length+int64(idLen)
	default:
		return h, errObject
	}
	return h, nil
}

// offsetVarint is Git's second form of a number: seven bits a byte, the
// highest first, and one added for each further byte.
func offsetVarint(b []byte) (value int64, used int) {
	for i, c := range b {
		if i > 8 {
			break
		}
		value = value<<7 | int64(c&127)
		if c&128 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
