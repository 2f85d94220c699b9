package fsstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
)

// The journal is one file, allocated in full and filled with zeros, so that a
// record is overwritten in place and its sync drags no metadata along:
//
//	0     header slot of even epochs   "acc-journal <len> <crc>\n" + JSON
//	2048  header slot of odd epochs
//	4096  records, one behind the other: "acc <epoch> <seq> <len> <crc>\n",
//	      one line of JSON (state and operations), the bytes of the files
//
// An epoch ends with a checkpoint. Records of an older epoch are never read.
const (
	journalSize  = 1 << 20
	headerSlot   = 2048
	recordsStart = 2 * headerSlot
	prefixLen    = 56
)

// state is the set of numbers that every transaction moves on. It is part of
// every journal record, so that recovery never counts files.
type state struct {
	Cursor   int64  `json:"cursor"`   // last event
	EventEnd int64  `json:"eventEnd"` // bytes used in that event's file
	Messages int64  `json:"messages"` // messages ever sent or imported
	GraphEnd int64  `json:"graphEnd"` // bytes used in the decisions index
	LastID   string `json:"lastId"`   // the last ULID given out, lower case
}

// opKind is what one operation of a transaction does.
type opKind string

const (
	opPut    opKind = "put"    // the file appears with these bytes, or is replaced
	opRemove opKind = "remove" // the file goes
	opAppend opKind = "append" // the bytes stand at this offset of a log
)

type op struct {
	Kind   opKind `json:"op"`
	Name   string `json:"name"`
	Offset int64  `json:"offset,omitempty"`
	Size   int    `json:"size,omitempty"`
	data   []byte
}

// record is one decided transaction.
type record struct {
	Epoch uint64 `json:"-"`
	Seq   uint64 `json:"-"`
	State state  `json:"state"`
	Ops   []op   `json:"ops"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode gives the bytes of a record: the prefix, the description, the data.
func (r *record) encode() ([]byte, error) {
	description, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(make([]byte, prefixLen))
	b.Write(description)
	b.WriteByte('\n')
	for _, o := range r.Ops {
		b.Write(o.data)
	}
	out := b.Bytes()
	copy(out, r.prefix(out[prefixLen:]))
	return out, nil
}

func (r *record) prefix(payload []byte) string {
	head := fmt.Sprintf("acc %016x %016x %08x ", r.Epoch, r.Seq, len(payload))
	sum := crc32.Update(crc32.Checksum([]byte(head), castagnoli), castagnoli, payload)
	return fmt.Sprintf("%s%08x\n", head, sum)
}

var errNoRecord = errors.New("no whole record here")

// parsePrefix reads epoch, sequence and payload length, unverified.
func parsePrefix(b []byte) (epoch, seq uint64, length int, err error) {
	var sum uint32
	if len(b) < prefixLen || !bytes.HasPrefix(b, []byte("acc ")) {
		return 0, 0, 0, errNoRecord
	}
	if _, err := fmt.Sscanf(string(b[:prefixLen]), "acc %016x %016x %08x %08x\n", &epoch, &seq, &length, &sum); err != nil {
		return 0, 0, 0, errNoRecord
	}
	return epoch, seq, length, nil
}

// decodeRecord reads the record that starts with prefix. Anything that is not
// whole, down to the last bit, is no record: a torn tail ends the journal.
func decodeRecord(prefix, payload []byte) (*record, error) {
	epoch, seq, length, err := parsePrefix(prefix)
	if err != nil || length != len(payload) {
		return nil, errNoRecord
	}
	r := &record{Epoch: epoch, Seq: seq}
	if r.prefix(payload) != string(prefix[:prefixLen]) {
		return nil, errNoRecord
	}
	description, data, ok := bytes.Cut(payload, []byte("\n"))
	if !ok || json.Unmarshal(description, r) != nil {
		return nil, errNoRecord
	}
	for i := range r.Ops {
		size := r.Ops[i].Size
		if size < 0 || size > len(data) {
			return nil, errNoRecord
		}
		r.Ops[i].data, data = data[:size], data[size:]
	}
	return r, nil
}

// header is what a checkpoint leaves behind.
type header struct {
	Epoch uint64 `json:"epoch"`
	Seq   uint64 `json:"seq"` // last sequence before this epoch
	State state  `json:"state"`
}

func (h *header) encode() ([]byte, error) {
	body, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	slot := make([]byte, headerSlot)
	copy(slot, fmt.Sprintf("acc-journal %08x %08x\n%s\n", len(body), crc32.Checksum(body, castagnoli), body))
	return slot, nil
}

func decodeHeader(slot []byte) (*header, bool) {
	line, rest, ok := bytes.Cut(slot, []byte("\n"))
	var length int
	var sum uint32
	if _, err := fmt.Sscanf(string(line), "acc-journal %08x %08x", &length, &sum); !ok || err != nil || length < 0 || length > len(rest) {
		return nil, false
	}
	h := &header{}
	if crc32.Checksum(rest[:length], castagnoli) != sum || json.Unmarshal(rest[:length], h) != nil {
		return nil, false
	}
	return h, true
}

// journal is the open journal file. All methods need the exclusive lock,
// except peek and readHeader, which the shared one covers.
type journal struct{ f file }

// createJournal allocates a journal whose first epoch starts at st.
func createJournal(d disk, st state) error {
	f, err := d.Open(journalName, true, perm(journalName))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := writeZeros(f, 0, journalSize); err != nil {
		return err
	}
	j := journal{f}
	return j.writeHeader(&header{Epoch: 1, State: st})
}

func writeZeros(f file, off, end int64) error {
	zeros := make([]byte, 64<<10)
	for off < end {
		n, err := f.WriteAt(zeros[:min(int64(len(zeros)), end-off)], off)
		if err != nil {
			return err
		}
		off += int64(n)
	}
	return nil
}

func (j journal) writeHeader(h *header) error {
	slot, err := h.encode()
	if err != nil {
		return err
	}
	if _, err := j.f.WriteAt(slot, int64(h.Epoch%2)*headerSlot); err != nil {
		return err
	}
	return j.f.Sync()
}

// readHeader gives the newest header that is whole. The two slots take turns,
// so a torn write leaves the one before it.
func (j journal) readHeader() (*header, error) {
	slots := make([]byte, recordsStart)
	if _, err := j.f.ReadAt(slots, 0); err != nil && err != io.EOF {
		return nil, err
	}
	even, evenOK := decodeHeader(slots[:headerSlot])
	odd, oddOK := decodeHeader(slots[headerSlot:])
	switch {
	case evenOK && (!oddOK || even.Epoch > odd.Epoch):
		return even, nil
	case oddOK:
		return odd, nil
	}
	return nil, fs.ErrInvalid
}

// peek reports whether a record of that epoch and sequence seems to start at
// off. It costs one small read.
func (j journal) peek(off int64, epoch, seq uint64) bool {
	prefix := make([]byte, prefixLen)
	if n, _ := j.f.ReadAt(prefix, off); n < prefixLen {
		return false
	}
	gotEpoch, gotSeq, _, err := parsePrefix(prefix)
	return err == nil && gotEpoch == epoch && gotSeq == seq
}

// read returns the record at off and the offset behind it.
func (j journal) read(off int64, epoch, seq uint64) (*record, int64, error) {
	prefix := make([]byte, prefixLen)
	if n, _ := j.f.ReadAt(prefix, off); n < prefixLen {
		return nil, 0, errNoRecord
	}
	_, _, length, err := parsePrefix(prefix)
	size, sizeErr := j.f.Size()
	if err != nil || sizeErr != nil || off+prefixLen+int64(length) > size {
		return nil, 0, errNoRecord
	}
	payload := make([]byte, length)
	if n, _ := j.f.ReadAt(payload, off+prefixLen); n < length {
		return nil, 0, errNoRecord
	}
	r, err := decodeRecord(prefix, payload)
	if err != nil || r.Epoch != epoch || r.Seq != seq {
		return nil, 0, errNoRecord
	}
	return r, off + prefixLen + int64(length), nil
}

// erase takes back a record that was not decided.
func (j journal) erase(off int64) error {
	if _, err := j.f.WriteAt(make([]byte, prefixLen), off); err != nil {
		return err
	}
	return j.f.Sync()
}
