package fsstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// journal is the open journal file. All methods need the exclusive lock,
// except peek and readHeader, which the shared one covers.
type journal struct{ f file }

// createJournal allocates a journal whose first epoch starts at st.
func createJournal(d disk, size int64, st state) error {
	f, err := d.Open(journalName, true, perm(journalName))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := writeZeros(f, 0, size); err != nil {
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

// read returns the record at off and the offset behind it. It fails with
// errNoRecord when there is no whole one; a failure of the disk is never
// taken for the end of the journal.
func (j journal) read(off int64, epoch, seq uint64) (*record, int64, error) {
	prefix, err := j.bytes(off, prefixLen)
	if err != nil {
		return nil, 0, err
	}
	gotEpoch, gotSeq, length, err := parsePrefix(prefix)
	if err != nil || gotEpoch != epoch || gotSeq != seq {
		return nil, 0, errNoRecord
	}
	size, err := j.f.Size()
	if err != nil {
		return nil, 0, err
	}
	end := off + prefixLen + int64(length)
	if end > min(size, maxJournal) {
		return nil, 0, errNoRecord
	}
	payload, err := j.bytes(off+prefixLen, length)
	if err != nil {
		return nil, 0, err
	}
	r, err := decodeRecord(prefix, payload)
	return r, end, err
}

func (j journal) bytes(off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := j.f.ReadAt(b, off)
	switch {
	case got == n:
		return b, nil
	case err == io.EOF:
		return nil, errNoRecord
	}
	return nil, err
}

// goesOn reports whether a whole record of that epoch and sequence starts
// anywhere behind off. A writer that died leaves nothing behind its last
// record, so one that follows a gap means that the journal was damaged.
func (j journal) goesOn(off int64, epoch, seq uint64) (bool, error) {
	size, err := j.f.Size()
	if err != nil || off >= size {
		return false, err
	}
	if size > maxJournal {
		return true, nil // no journal of ours: nobody can say what is in it
	}
	rest, err := j.bytes(off, int(size-off))
	if err != nil {
		return false, err
	}
	at := bytes.Index(rest, fmt.Appendf(nil, "acc %016x %016x ", epoch, seq))
	if at < 0 {
		return false, nil
	}
	_, _, err = j.read(off+int64(at), epoch, seq)
	if errors.Is(err, errNoRecord) {
		return false, nil
	}
	return err == nil, err
}

// erase takes back a record that was not decided.
func (j journal) erase(off int64) error {
	if err := j.blank(off); err != nil {
		return err
	}
	return j.f.Sync()
}

// blank is erase for those who live now; it does not sync.
func (j journal) blank(off int64) error {
	_, err := j.f.WriteAt(make([]byte, prefixLen), off)
	return err
}
