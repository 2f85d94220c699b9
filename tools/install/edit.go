package install

import (
	"slices"

	"github.com/tailscale/hujson"

	"acc/tools/delivery/client"
)

// change is what happens to one file.
type change struct {
	file   file
	after  []byte // nil for a file that goes
	note   *fileRecord
	edited []string // entries that somebody edited, and that are left
	added  bool     // an entry went in that was not there
}

// draft is a file under edit: as text, and as JSON where it is some.
type draft struct {
	text []byte
	json *jsonDoc
}

// newDraft parses a file that is to hold entries of a kind.
func newDraft(data []byte, k kind) (*draft, error) {
	d := &draft{text: data}
	switch k {
	case member, element:
		if data == nil {
			data = []byte("{}\n")
		}
		doc, err := parseJSON(data)
		d.json = doc
		return d, err
	case block:
		return d, checkTOML(data, client.ServerName)
	}
	return d, nil
}

// bytes is the draft as it stands.
func (d *draft) bytes() []byte {
	if d.json != nil {
		return d.json.bytes()
	}
	return d.text
}

// put writes an entry that is not there.
func (d *draft) put(e entry, note *fileRecord) error {
	var m made
	var err error
	switch e.kind {
	case member:
		m, err = d.json.setMember(e.at, e.value)
	case element:
		m, err = d.json.addElement(e.at, e.value)
	case block:
		d.text, note.Lead = putBlock(d.text, e.text)
		err = checkTOML(d.text, client.ServerName)
	case whole:
		d.text = []byte(e.text)
	}
	note.Made = union(note.Made, m.containers)
	note.Opened = union(note.Opened, m.opened)
	return err
}

// renew writes an entry in the place of what it was.
func (d *draft) renew(e entry, f found) error {
	switch e.kind {
	case member:
		v, err := d.json.find(e.at)
		if err != nil {
			return err
		}
		container, _ := parent(e.at)
		return d.json.replace(container, v, e.value)
	case element:
		elements, err := d.json.elements(e.at)
		if err != nil {
			return err
		}
		return d.json.replace(e.at, &elements[f.index], e.value)
	case block:
		d.text, _ = putBlock(d.text, e.text)
		return checkTOML(d.text, client.ServerName)
	}
	d.text = []byte(e.text)
	return nil
}

// take removes an entry.
func (d *draft) take(e entry, f found, note *fileRecord) error {
	switch e.kind {
	case member:
		container, _ := parent(e.at)
		i, err := d.json.indexOf(e.at)
		if err != nil {
			return err
		}
		return d.json.removeChild(container, i, note.wasOpened(container))
	case element:
		return d.json.removeChild(e.at, f.index, note.wasOpened(e.at))
	case block:
		d.text = takeBlock(d.text, note.Lead)
	case whole:
		d.text = nil
	}
	return nil
}

// prune removes the containers that were made and hold nothing any more.
func (d *draft) prune(note *fileRecord) error {
	for _, path := range slices.Backward(note.Made) {
		v, err := d.json.find(path)
		if err != nil {
			return err
		}
		if v == nil || !empty(v) {
			continue
		}
		i, err := d.json.indexOf(path)
		if err != nil {
			return err
		}
		container, _ := parent(path)
		if err := d.json.removeChild(container, i, note.wasOpened(container)); err != nil {
			return err
		}
	}
	return nil
}

// isBare reports whether nothing is left that anybody could want. What clients
// write into a file that they find, its schema or its version, does not count.
func (d *draft) isBare() bool {
	if d.json == nil {
		return isSpace(d.text)
	}
	root := d.json.root
	object, _ := root.Value.(*hujson.Object)
	for _, m := range object.Members {
		if name := nameOf(m); name != "$schema" && name != "$version" || !isSpace(m.Name.BeforeExtra) {
			return false
		}
	}
	return isSpace(object.AfterExtra) && isSpace(root.BeforeExtra) && isSpace(root.AfterExtra)
}

func (f *fileRecord) wasOpened(container string) bool {
	if container == "" {
		container = "/"
	}
	return slices.Contains(f.Opened, container)
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
