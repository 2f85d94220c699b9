package install

import (
	"errors"
	"slices"

	"acc/tools/delivery/client"
)

// errForeign is an entry of our name that is not ours.
func errForeign(e entry) error {
	switch e.kind {
	case whole:
		return errors.New("there is a file that acc install did not write; move it away, then try again")
	default:
		return errors.New("it has a server " + client.ServerName + " that acc install did not write, or that was set up by hand; remove or rename it, then try again")
	}
}

// planFile works out what becomes of one file. It changes nothing.
func (r *run) planFile(id string, w wanted) (change, error) {
	f, err := r.open(w.path)
	if err != nil {
		return change{}, err
	}
	noted := r.ledger.file(id, w.path)
	c := change{file: f, note: &fileRecord{Path: w.path, Created: f.data == nil}}
	if noted != nil {
		c.note.Created = noted.Created || f.data == nil
		c.note.Dirs, c.note.Made, c.note.Opened, c.note.Lead = noted.Dirs, slices.Clone(noted.Made), slices.Clone(noted.Opened), noted.Lead
	}
	if f.data == nil {
		c.note.Dirs = union(slices.Clone(c.note.Dirs), missingDirs(w.path))
	}
	d, err := newDraft(f.data, w.entries[0].kind)
	if err != nil {
		return c, err
	}
	for _, e := range w.entries {
		if err := c.entry(d, e, noted.entry(e.kind, e.at)); err != nil {
			return c, err
		}
	}
	c.after = d.bytes()
	if f.data == nil && len(c.note.Entries) == 0 {
		c.after = nil
	}
	return c, nil
}

// entry works out what becomes of one entry, and does it in the draft.
func (c *change) entry(d *draft, e entry, noted *entryRecord) error {
	f, err := d.look(e, noted)
	if err != nil {
		return err
	}
	note := entryRecord{Kind: e.kind, At: e.at, SHA256: hash(e.text)}
	switch {
	case !f.there:
		c.added = true
		err = d.put(e, c.note)
	case f.text == e.text:
	case noted.wrote(f.text), noted == nil && e.ours(f.text):
		note.Previous = hash(f.text)
		err = d.renew(e, f)
	case noted == nil:
		return errForeign(e)
	default:
		c.edited = append(c.edited, e.name())
		note = *noted
	}
	c.note.Entries = append(c.note.Entries, note)
	return err
}

// name is what people call an entry.
func (e entry) name() string {
	switch e.kind {
	case whole:
		return "the file"
	case block:
		return "the block of " + e.at
	case element:
		return "the hook of acc in " + e.at
	}
	return e.at
}

// planRemoval works out what of a file goes. What somebody edited stays.
func (r *run) planRemoval(c client.Client, noted *fileRecord) (change, error) {
	f, err := r.open(noted.Path)
	if err != nil {
		return change{}, err
	}
	ch := change{file: f, after: f.data}
	if f.data == nil || len(noted.Entries) == 0 {
		return ch, nil
	}
	d, err := newDraft(f.data, noted.Entries[0].Kind)
	if err != nil {
		return ch, err
	}
	for _, n := range noted.Entries {
		e := entry{kind: n.Kind, at: n.At, ours: knows(c, n)}
		found, err := d.look(e, &n)
		switch {
		case err != nil:
			return ch, err
		case !found.there:
		case n.wrote(found.text):
			err = d.take(e, found, noted)
		default:
			ch.edited = append(ch.edited, e.name())
		}
		if err != nil {
			return ch, err
		}
	}
	if err := d.prune(noted); err != nil {
		return ch, err
	}
	if ch.after = d.bytes(); noted.Created && d.isBare() {
		ch.after = nil
	}
	return ch, nil
}
