package fsstore

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"acc/schema"
)

// View is a consistent state of the room, valid until the function that got
// it returns. Lists skip damaged files, which are reported once; a record
// asked for by id is reason record_damaged when it is damaged, and
// fs.ErrNotExist when it is not there.
type View struct {
	store *Store
	head  head
	// staged holds what a transaction wrote so far, and what it was built upon;
	// nil bytes are a removal.
	staged map[string][]byte
	// lockFirst is set while the lock is not there yet. What staged does not
	// cover, such as the logs, is read after it.
	lockFirst func() error
}

// Cursor is the number of the last event.
func (v *View) Cursor() int64 { return v.head.State.Cursor }

// MessageCount is how many messages the room holds.
func (v *View) MessageCount() int64 { return v.head.State.Messages }

// Workspace is the record that marks the room.
func (v *View) Workspace() schema.Workspace { return v.store.workspace }

func (v *View) read(name string) ([]byte, error) {
	if data, ok := v.staged[name]; ok {
		if data == nil {
			return nil, fs.ErrNotExist
		}
		return data, nil
	}
	return v.store.disk.Read(name)
}

// load reads one record. A failure to read a file that is there counts as
// damage to it, whatever the file turned out to be.
func (v *View) load(name string, into schema.Record) error {
	data, err := v.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	if err == nil {
		err = schema.Decode(data, into)
	}
	if err == nil && !belongs(name, into) {
		err = errors.New("it holds another record than its name says")
	}
	if err != nil {
		v.store.damage.report(name, err)
		return schema.Fail(schema.ReasonRecordDamaged,
			"the record %s is damaged and was left as it is; restore it or ask its author to send it again.",
			path.Base(name)).Because(err)
	}
	return nil
}

// names lists the files of one directory, sorted, that parse as what belongs
// there. Whatever else is there is reported and hides nothing.
func (v *View) names(dir string, parse func(base string) bool) ([]string, error) {
	entries, err := v.entries(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		switch {
		case e.Type().IsRegular() && parse(e.Name()):
			names = append(names, e.Name())
		case e.IsDir() && path.Join(dir, e.Name()) == closedDir:
		case !e.Type().IsRegular():
			v.store.damage.report(path.Join(dir, e.Name()), errNotRegular)
		default:
			v.store.damage.report(path.Join(dir, e.Name()), errors.New("the name belongs to no record"))
		}
	}
	return v.overlay(dir, names), nil
}

// list lists a directory as it is on the disk.
func (v *View) list(dir string) ([]fs.DirEntry, error) {
	if err := v.locked(); err != nil {
		return nil, err
	}
	return v.entries(dir)
}

// readLog reads a piece of a log.
func (v *View) readLog(name string, off int64, n int) ([]byte, error) {
	if err := v.locked(); err != nil {
		return nil, err
	}
	return v.store.disk.ReadAt(name, off, n)
}

// locked waits for the lock where it is not there yet.
func (v *View) locked() error {
	if v.lockFirst == nil {
		return nil
	}
	return v.lockFirst()
}

// entries lists a directory. Whatever stands in its place is reported, and then
// there is nothing in it.
func (v *View) entries(dir string) ([]fs.DirEntry, error) {
	entries, err := v.store.disk.List(dir)
	if errors.Is(err, errNotDirectory) {
		v.store.damage.report(dir, err)
		return nil, nil
	}
	if err != nil {
		return nil, ioError("read the room", err)
	}
	return entries, nil
}

// overlay merges what the transaction staged into a directory listing.
func (v *View) overlay(dir string, names []string) []string {
	changed := false
	for name, data := range v.staged {
		parent, base := path.Split(name)
		if parent != dir+"/" {
			continue
		}
		changed = true
		at := slices.Index(names, base)
		switch {
		case data == nil && at >= 0:
			names = slices.Delete(names, at, at+1)
		case data != nil && at < 0:
			names = append(names, base)
		}
	}
	if changed {
		slices.Sort(names)
	}
	return names
}

// loadAll reads every record of a directory whose name parses.
func loadAll[R any, P interface {
	*R
	schema.Record
}](v *View, dir string, parse func(string) bool) ([]R, error) {
	names, err := v.names(dir, parse)
	if err != nil {
		return nil, err
	}
	records := make([]R, 0, len(names))
	for _, base := range names {
		var r R
		if v.load(path.Join(dir, base), P(&r)) == nil {
			records = append(records, r)
		}
	}
	return records, nil
}

func parsesAs(kind schema.IDKind) func(string) bool {
	return func(base string) bool {
		_, ok := parseID(kind, base)
		return ok
	}
}
