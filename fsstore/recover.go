package fsstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"acc/schema"
)

// checkpointOnClose is the journal length, in bytes, from which the last
// process to leave a room cuts it.
const checkpointOnClose = 64 << 10

// head returns where the journal stands; false when a process died between
// deciding a transaction and applying it, or in a checkpoint. A room that can
// only be read is shown as it lies there.
func (s *Store) head() (head, bool) {
	if s.readOnly {
		data, _ := s.disk.Read(headName)
		h, _ := parseHead(data)
		return h, true
	}
	h, ok := readHead(s.headFile)
	return h, ok && !s.journal.peek(h.Tail, h.Epoch, h.Seq+1)
}

// settledHead applies what a dead process left decided and returns the head.
// It needs the exclusive lock.
func (s *Store) settledHead() (head, error) {
	h, ok := readHead(s.headFile)
	if !ok {
		return s.recoverAll()
	}
	r, end, err := s.journal.read(h.Tail, h.Epoch, h.Seq+1)
	if errors.Is(err, errNoRecord) {
		return h, nil
	}
	if err != nil {
		return head{}, ioError("read the journal", err)
	}
	// The record may be whole in memory and not on the disk: its writer died
	// before or after the sync. Its effects must not become visible first.
	if err := s.journal.f.Sync(); err != nil {
		return head{}, s.fail("sync the journal", err)
	}
	return s.replay(r, end)
}

func (s *Store) replay(r *record, end int64) (head, error) {
	for _, o := range r.Ops {
		if err := s.redo(o); err != nil {
			return head{}, ioError("finish an interrupted write", err)
		}
	}
	h := head{Epoch: r.Epoch, Seq: r.Seq, Tail: end, State: r.State}
	s.env.Log.Info("finished the write of a process that was killed", "seq", r.Seq)
	return h, writeHead(s.headFile, h)
}

// recoverFirst is for the process that finds nobody else in the room. After a
// power cut the head and the files may be older than the journal.
func (s *Store) recoverFirst() error {
	release, err := s.enter(context.Background(), true)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.recoverAll()
	return err
}

// recoverAll brings every file to the state that the journal decided, and
// makes the head anew. Running it twice changes nothing.
func (s *Store) recoverAll() (head, error) {
	h, last, err := s.scan()
	if err != nil {
		return head{}, err
	}
	if len(last) > 0 {
		if err := s.journal.f.Sync(); err != nil {
			return head{}, s.fail("sync the journal", err)
		}
	}
	for _, o := range last {
		if err := s.redo(o); err != nil {
			return head{}, ioError("finish an interrupted write", err)
		}
	}
	s.sweepTemporary()
	return h, writeHead(s.headFile, h)
}

// scan reads the journal from its last checkpoint to the first record that is
// not whole. It returns the head and the operations that still count: the
// last put or remove of each name, and every append.
func (s *Store) scan() (head, []op, error) {
	header, err := s.journal.readHeader()
	if err != nil {
		return head{}, nil, schema.Fail(schema.ReasonStoreFailed,
			"the journal of .acc/ cannot be read; remove .acc/run/ and open the room again: it is rebuilt from the records.").Because(err)
	}
	h := head{Epoch: header.Epoch, Seq: header.Seq, Tail: recordsStart, State: header.State}
	var ops []op
	latest := map[string]int{}
	for {
		r, end, err := s.journal.read(h.Tail, h.Epoch, h.Seq+1)
		if errors.Is(err, errNoRecord) {
			return h, live(ops, latest), nil
		}
		if err != nil {
			return head{}, nil, ioError("read the journal", err)
		}
		for _, o := range r.Ops {
			if o.Kind != opAppend {
				latest[o.Name] = len(ops)
			}
			ops = append(ops, o)
		}
		h = head{Epoch: r.Epoch, Seq: r.Seq, Tail: end, State: r.State}
	}
}

func live(ops []op, latest map[string]int) []op {
	var kept []op
	for i, o := range ops {
		if o.Kind == opAppend || latest[o.Name] == i {
			kept = append(kept, o)
		}
	}
	return kept
}

// redo makes one operation true. What is true already is left alone: it is as
// durable as the journal, which covers it until the next checkpoint.
func (s *Store) redo(o op) error {
	switch o.Kind {
	case opRemove:
		if err := s.disk.Remove(o.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	case opAppend:
		return s.append(o)
	}
	if have, err := s.disk.Read(o.Name); err == nil && bytes.Equal(have, o.data) {
		return nil
	}
	if err := s.ensureDir(o.Name); err != nil {
		return err
	}
	temp := s.tempName()
	if err := s.disk.Create(temp, o.data, perm(o.Name)); err != nil {
		return err
	}
	return s.disk.Rename(temp, o.Name)
}

// checkpoint makes every applied file durable and starts a new epoch. The
// head is invalid in between, so a crash here leads to a recovery.
func (s *Store) checkpoint(h head) error {
	if err := invalidateHead(s.headFile); err != nil {
		return ioError("cut the journal", err)
	}
	_, ops, err := s.scan()
	if err != nil {
		return err
	}
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = o.Name
	}
	if err := s.disk.SyncAll(names); err != nil {
		return s.fail("make the room durable", err)
	}
	if err := s.journal.writeHeader(&header{Epoch: h.Epoch + 1, Seq: h.Seq, State: h.State}); err != nil {
		return s.fail("cut the journal", err)
	}
	return writeHead(s.headFile, head{Epoch: h.Epoch + 1, Seq: h.Seq, Tail: recordsStart, State: h.State})
}

// fail makes the store refuse every further write: after a failed sync the
// kernel may have dropped the data, and a second sync would not say so.
func (s *Store) fail(what string, err error) error {
	s.env.Log.Error("the store stops writing", "what", what, "error", err)
	s.failed = schema.Fail(schema.ReasonStoreFailed,
		"could not %s: the disk reported a failure. Nothing more is written by this process; check the disk, then restart it.", what).Because(err)
	return s.failed
}

func formatOf(data []byte) int {
	var w struct {
		FormatVersion int `json:"formatVersion"`
	}
	_ = json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &w)
	return w.FormatVersion
}
