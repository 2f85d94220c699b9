package fsstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"acc/schema"
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
	journalSize  = 1 << 20 // a journal that would grow beyond is cut
	headerSlot   = 2048
	recordsStart = 2 * headerSlot
	prefixLen    = 56
	// maxJournal bounds what is read of a journal. A single transaction may be
	// larger than journalSize; none comes near this.
	maxJournal = 256 << 20
)

// state is the set of numbers that every transaction moves on. It is part of
// every journal record, so that recovery never counts files.
type state struct {
	Cursor   int64  `json:"cursor"`   // last event
	EventEnd int64  `json:"eventEnd"` // bytes used in that event's file
	Messages int64  `json:"messages"` // messages that the room holds
	GraphEnd int64  `json:"graphEnd"` // bytes used in the decisions index
	LastID   string `json:"lastId"`   // the last ULID given out, lower case
}

// maxCursor is the last number that a cursor has digits for.
const maxCursor = 1e16 - 1

// possible reports whether a room can be in this state. The head is written
// unsynced and read unchecked: numbers that nobody wrote must not lead to a
// read or a loop without end.
func (st state) possible() bool {
	return st.Cursor >= 0 && st.Cursor <= maxCursor && st.EventEnd >= 0 && st.EventEnd <= 2*maxRecordBytes &&
		st.Messages >= 0 && st.GraphEnd >= 0 && (st.LastID == "" || schema.ValidID(schema.IDMessage, string(schema.IDMessage)+"_"+st.LastID))
}

// opKind is what one operation of a transaction does.
type opKind string

const (
	opPut    opKind = "put"    // the file appears with these bytes, or is replaced
	opRemove opKind = "remove" // the file goes
	opAppend opKind = "append" // the bytes stand at this offset of a log
)

func (k opKind) known() bool { return k == opPut || k == opRemove || k == opAppend }

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
	Off   int64  `json:"-"` // where it stands, once it was written
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

// parsePrefix reads epoch, sequence and payload length, unverified. It is
// strict about the form: what it returns is never negative.
func parsePrefix(b []byte) (epoch, seq uint64, length int, err error) {
	if len(b) < prefixLen || !bytes.HasPrefix(b, []byte("acc ")) || b[prefixLen-1] != '\n' {
		return 0, 0, 0, errNoRecord
	}
	fields := bytes.Split(b[len("acc "):prefixLen-1], []byte(" "))
	if len(fields) != 4 {
		return 0, 0, 0, errNoRecord
	}
	var numbers [4]uint64
	for i, digits := range []int{16, 16, 8, 8} {
		numbers[i], err = strconv.ParseUint(string(fields[i]), 16, 4*digits)
		if err != nil || len(fields[i]) != digits {
			return 0, 0, 0, errNoRecord
		}
	}
	return numbers[0], numbers[1], int(numbers[2]), nil
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
	if !ok || json.Unmarshal(description, r) != nil || !r.State.possible() {
		return nil, errNoRecord
	}
	for i := range r.Ops {
		size := r.Ops[i].Size
		if size < 0 || size > len(data) || r.Ops[i].Offset < 0 || !r.Ops[i].Kind.known() {
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
	if crc32.Checksum(rest[:length], castagnoli) != sum || json.Unmarshal(rest[:length], h) != nil || !h.State.possible() {
		return nil, false
	}
	return h, true
}
