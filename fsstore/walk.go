package fsstore

import (
	"errors"
	"io/fs"
	"path"
	"time"

	"acc/schema"
)

// Item is one name below .acc/.
type Item struct {
	Name   string
	Mode   fs.FileMode
	Time   time.Time
	Dir    bool
	Temp   bool          // a temporary file
	Record schema.Record // what the file holds, nil where it is no record or a bad one
	Err    error         // it is damaged, misplaced, foreign, or cannot be read
}

var errForeignName = errors.New("the name belongs to no record")

// Walk visits every name of the room, in order, and reads every record. What
// goes with the code, in handoffs/ and decisions/, is left to CheckPublished.
// No link is followed, and what is no regular file is not opened.
func (i *Inspection) Walk(visit func(Item)) { i.walk(".", visit) }

func (i *Inspection) walk(dir string, visit func(Item)) {
	entries, err := i.store.disk.List(dir)
	if err != nil {
		visit(Item{Name: dir, Dir: true, Err: err})
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		item := Item{Name: name, Mode: e.Type(), Dir: e.IsDir()}
		if info, err := e.Info(); err == nil {
			item.Mode, item.Time = info.Mode(), info.ModTime()
		}
		switch {
		case publishedKinds[name] != "" && item.Dir:
			continue
		case item.Dir && !knownDir(name):
			item.Err = errForeignName
		case item.Dir:
			visit(item)
			i.walk(name, visit)
			continue
		case !item.Mode.IsRegular():
			item.Err = errNotRegular
		default:
			i.read(&item)
		}
		visit(item)
	}
}

// read judges one regular file.
func (i *Inspection) read(item *Item) {
	record, known := recordAt(item.Name)
	item.Temp = path.Dir(item.Name) == tmpDir
	switch {
	case item.Temp || known && record == nil:
		return
	case !known:
		item.Err = errForeignName
		return
	}
	data, err := i.store.disk.Read(item.Name)
	if err == nil {
		err = schema.Decode(data, record)
	}
	if err == nil && !inPlace(item.Name, record) {
		err = errNotItsName
	}
	if err != nil {
		item.Err = err
		return
	}
	item.Record = record
}

// inPlace is belongs for everything that Walk reads.
func inPlace(name string, record schema.Record) bool {
	switch r := record.(type) {
	case *schema.Workspace:
		return true
	case *schema.SavedPair:
		return name == savedName(r.ParticipantID)
	case *schema.Binding:
		return name == bindingName(r.SessionID, r.AdapterID)
	case *schema.Policy:
		return name == policyName(r.ParticipantID)
	case *schema.Shown:
		return name == shownName(r.ParticipantID)
	case *Publication:
		return name == outboxName(r.MessageID)
	}
	return belongs(name, record)
}
