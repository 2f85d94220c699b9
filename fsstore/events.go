package fsstore

import (
	"bytes"
	"errors"
	"io/fs"

	"acc/schema"
)

// How much of a log is read at a time: by a page, and to find where it starts.
// A probe holds a whole line of any event.
const (
	readChunk  = 16 << 10
	probeChunk = 2 << 10
)

// Events returns up to limit events after a cursor, oldest first, without those
// that were trimmed. Its cost depends on limit, not on how long the log is.
func (v *View) Events(after int64, limit int) ([]schema.Event, error) {
	last := v.head.State.Cursor
	after = max(after, v.TrimmedThrough())
	var events []schema.Event
	for next := after + 1; next <= last && len(events) < limit; {
		lines, err := v.eventLines(next, limit-len(events))
		if err != nil {
			return nil, err
		}
		events = append(events, lines...)
		if next = lastInFile(next) + 1; len(lines) == 0 {
			if next, err = v.fileFrom(next); err != nil {
				return nil, err
			}
		}
	}
	return events, nil
}

// fileFrom is the first cursor of the next file of the log that is there, from
// a cursor on; past all cursors when there is none. Numbers alone would lead
// through every file that was ever lost.
func (v *View) fileFrom(cursor int64) (int64, error) {
	files, err := v.eventFiles()
	if err != nil {
		return 0, err
	}
	for _, first := range files {
		if first >= cursor {
			return first, nil
		}
	}
	return maxCursor + 1, nil
}

// eventLines reads up to limit events of one file, from a cursor on. A damaged
// line is reported and skipped; what a write that was taken back left behind
// the last event of the file is no event.
func (v *View) eventLines(from int64, limit int) ([]schema.Event, error) {
	name := eventsName(from)
	off, err := v.seekEvent(name, from)
	if err != nil {
		return nil, err
	}
	first, last := schema.FormatCursor(from), schema.FormatCursor(lastInFile(from))
	var events []schema.Event
	var rest []byte
	for len(events) < limit {
		chunk, err := v.logChunk(name, off, readChunk)
		if err != nil || len(chunk) == 0 {
			return events, err
		}
		off += int64(len(chunk))
		rest = append(rest, chunk...)
		for len(events) < limit {
			line, after, ok := bytes.Cut(rest, []byte("\n"))
			if !ok {
				break
			}
			rest = after
			e, ok := v.parseEvent(name, line)
			if ok && e.Cursor > last {
				return events, nil
			}
			if ok && e.Cursor >= first {
				events = append(events, e)
			}
		}
	}
	return events, nil
}

// lastInFile is the last cursor of the file that holds an event.
func lastInFile(cursor int64) int64 { return (cursor-1)/eventsPerFile*eventsPerFile + eventsPerFile }

// seekEvent finds an offset at or before the line of a cursor by halving the
// file: lines are sorted by cursor.
func (v *View) seekEvent(name string, cursor int64) (int64, error) {
	low, high := int64(0), v.eventsEnd(name)
	for high-low > readChunk {
		mid := low + (high-low)/2
		chunk, err := v.logChunk(name, mid, probeChunk)
		if err != nil {
			return 0, err
		}
		_, line, ok := bytes.Cut(chunk, []byte("\n"))
		line, _, whole := bytes.Cut(line, []byte("\n"))
		if !ok || !whole {
			high = mid // past the end, or within the last line
			continue
		}
		e, ok := v.parseEvent(name, line)
		switch {
		case !ok:
			return low, nil
		case e.Cursor < schema.FormatCursor(cursor):
			low = mid + int64(bytes.IndexByte(chunk, '\n')) + 1
		default:
			high = mid
		}
	}
	return low, nil
}

// eventsEnd is how much of an events file counts. In the current one that is
// up to the last decided event.
func (v *View) eventsEnd(name string) int64 {
	if v.head.State.Cursor > 0 && name == eventsName(v.head.State.Cursor) {
		return v.head.State.EventEnd
	}
	return eventsPerFile * 1024
}

// logChunk reads a piece of an events file; past its end it is empty.
func (v *View) logChunk(name string, off, size int64) ([]byte, error) {
	n := min(size, v.eventsEnd(name)-off)
	if n <= 0 {
		return nil, nil
	}
	chunk, err := v.readLog(name, off, int(n))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errNotRegular):
		v.store.damage.report(name, err)
		return nil, nil
	case err != nil:
		return nil, ioError("read the event log", err)
	}
	return chunk, nil
}

func (v *View) parseEvent(name string, line []byte) (schema.Event, bool) {
	var e schema.Event
	if err := schema.Decode(line, &e); err != nil {
		v.store.damage.report(name, err)
		return e, false
	}
	return e, true
}

// Event appends one event to the log; its cursor is the next number.
func (tx *Tx) Event(kind schema.EventType, actorSession string, p schema.Payload) error {
	cursor := tx.next.Cursor + 1
	line, err := schema.EncodeLine(&schema.Event{
		SchemaVersion: schema.Version, Cursor: schema.FormatCursor(cursor), Type: kind,
		ActorSessionID: actorSession, OccurredAt: schema.At(tx.now), Payload: p,
	})
	if err != nil {
		return err
	}
	name := eventsName(cursor)
	if tx.next.Cursor == 0 || eventsName(tx.next.Cursor) != name {
		tx.next.EventEnd = 0
	}
	tx.appendLog(name, tx.next.EventEnd, line)
	tx.next.Cursor = cursor
	tx.next.EventEnd += int64(len(line))
	return nil
}
