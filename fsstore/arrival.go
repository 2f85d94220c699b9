package fsstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"acc/schema"
)

// maxPublishedBytes bounds what is read as a published file. The largest
// legal message, a handoff whose lists are full of escapes, stays below it.
const maxPublishedBytes = 8 << 20

// fresh is how young a file may be and still be in the making: Git writes in
// place, so what cannot be read yet is looked at again before it is reported.
const fresh = time.Second

var (
	errUnfinished = errors.New("it is being written")
	errOtherwise  = errors.New("the room knows a message of that id with other content")
	errMisplaced  = errors.New("it holds another message than its folder and name say")
	errForeign    = errors.New("the name belongs to no published file")
)

// arrival is a published message that the room may not know yet.
type arrival struct {
	file    string // for reports
	message schema.Message
	data    []byte // canonical
}

// file judges one published file.
func (sc *scan) file(d disk, dir, name string, e fs.DirEntry, until int64, ref MessageRef) {
	full := filepath.Join(dir, e.Name())
	info, err := e.Info()
	if err != nil {
		delete(sc.stamps, dir)
		return // it is gone, perhaps; the next look knows
	}
	if at, ok := changedAt(info); ok && at < until {
		return
	}
	v := version{info.Size(), info.ModTime().UnixNano()}
	if sc.known.seen[full] == v {
		return
	}
	a, err := readArrival(d, name, info.Size(), ref)
	if err == nil {
		err = sc.compare(&a, ref)
	}
	age := sc.store.env.Now().Sub(info.ModTime())
	switch {
	case errors.Is(err, errOtherwise) || err != nil && age.Abs() >= fresh:
		sc.seen[full] = v
		sc.report(full, err)
	case err != nil:
		sc.report(full, errUnfinished)
	case a.data == nil:
		sc.seen[full] = v
	default:
		a.file = full
		sc.found = append(sc.found, a)
		delete(sc.stamps, dir) // until it is in the room
	}
}

// readArrival reads one published file like any foreign input.
func readArrival(d disk, name string, size int64, ref MessageRef) (arrival, error) {
	var a arrival
	if size > maxPublishedBytes {
		return a, fmt.Errorf("%d bytes are too many for a message", size)
	}
	raw, err := d.Read(name)
	if err != nil {
		return a, err
	}
	if err := schema.Decode(raw, &a.message); err != nil {
		return a, err
	}
	if a.message.MessageID != ref.MessageID || a.message.Kind != ref.Kind {
		return a, errMisplaced
	}
	a.data, err = schema.Encode(&a.message)
	return a, err
}

// compare drops the content of an arrival that the room has already, and
// refuses one that says something else under the same id.
func (sc *scan) compare(a *arrival, ref MessageRef) error {
	have, err := sc.store.disk.Read(messageName(ref.MessageID, ref.Kind))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if other, err := sc.store.messageTaken(ref.MessageID); other || err != nil {
			return errors.Join(errOtherwise, err)
		}
		return nil
	case err == nil && bytes.Equal(have, a.data):
		a.data = nil
		return nil
	}
	var stored schema.Message
	if err == nil && schema.Decode(have, &stored) == nil {
		if again, err := schema.Encode(&stored); err == nil && bytes.Equal(again, a.data) {
			a.data = nil
			return nil
		}
	}
	return errOtherwise
}
