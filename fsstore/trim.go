package fsstore

import (
	"errors"
	"io/fs"

	"acc/schema"
)

// trimName is the record of how far the event log was cut. It lies beside the
// log and not in run/, so that it outlives whatever is rebuilt.
const trimName = eventsDir + "/trimmed.json"

// TrimmedThrough is the number of the last event that was cut off at the
// beginning of the log, 0 when none was. Where the record of it is damaged the
// log itself says where it begins.
func (v *View) TrimmedThrough() int64 {
	var t schema.Trim
	err := v.load(trimName, &t)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err == nil {
		n, _ := schema.ParseCursor("trimmedThrough", t.TrimmedThrough)
		if n <= v.Cursor() {
			return n
		}
		v.store.damage.report(trimName, errors.New("it says that events were cut off which have not happened yet"))
	}
	if files, err := v.eventFiles(); err == nil && len(files) > 0 {
		return files[0] - 1
	}
	return 0
}

// eventFiles are the files of the log by the first cursor in each, in order.
func (v *View) eventFiles() ([]int64, error) {
	entries, err := v.list(eventsDir)
	if err != nil {
		return nil, err
	}
	var files []int64
	for _, e := range entries {
		if first, ok := parseEvents(e.Name()); ok && e.Type().IsRegular() {
			files = append(files, first)
		}
	}
	return files, nil
}

// Trimmable gives the files of the log that hold nothing but events before a
// cursor, by their first cursors, and the last cursor in them. The file of the
// last event never is one: it says where the count goes on.
func (v *View) Trimmable(before int64) (files []int64, through int64, err error) {
	all, err := v.eventFiles()
	if err != nil {
		return nil, 0, err
	}
	for _, first := range all {
		last := lastInFile(first)
		if last < before && last < v.Cursor() {
			files, through = append(files, first), last
		}
	}
	return files, through, nil
}

// TrimEvents cuts off what Trimmable gives, and records how far.
func (tx *Tx) TrimEvents(before int64) error {
	files, through, err := tx.Trimmable(before)
	if err != nil || len(files) == 0 {
		return err
	}
	for _, first := range files {
		tx.remove(eventsName(first))
	}
	through = max(through, tx.TrimmedThrough())
	return tx.put(trimName, &schema.Trim{
		SchemaVersion: schema.Version, TrimmedThrough: schema.FormatCursor(through), TrimmedAt: schema.At(tx.now),
	})
}
