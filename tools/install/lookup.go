package install

import (
	"strings"
)

// found is an entry in a file: which element, and its text.
type found struct {
	there bool
	index int
	text  string
}

// look finds an entry: by the hash that was noted of it, else by its form.
func (d *draft) look(e entry, noted *entryRecord) (found, error) {
	switch e.kind {
	case member:
		v, err := d.json.find(e.at)
		if v == nil || err != nil {
			return found{}, err
		}
		return found{there: true, text: canonical(*v)}, nil
	case element:
		return d.lookElement(e, noted)
	case block:
		from, to := findBlock(d.text)
		if from < 0 {
			return found{}, nil
		}
		return found{there: true, text: plainBlock(d.text[from:to])}, nil
	}
	return found{there: d.text != nil, text: string(d.text)}, nil
}

// plainBlock is the text of a block whatever its line ends.
func plainBlock(text []byte) string {
	return strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") + "\n"
}

func (d *draft) lookElement(e entry, noted *entryRecord) (found, error) {
	elements, err := d.json.elements(e.at)
	if err != nil {
		return found{}, err
	}
	byForm := found{}
	for i, v := range elements {
		f := found{there: true, index: i, text: canonical(v)}
		if f.text == e.text || noted.wrote(f.text) {
			return f, nil
		}
		if !byForm.there && e.ours != nil && e.ours(f.text) {
			byForm = f
		}
	}
	return byForm, nil
}
