package install

import (
	"acc/tools/delivery/client"
)

// Standing is how an installation stands.
type Standing string

// The standings.
const (
	Whole   Standing = "installed" // as acc install wrote it
	Edited  Standing = "edited"    // somebody changed entries since
	Missing Standing = "missing"   // entries are gone, or their file cannot be read
)

// Status is one installation: a client in a scope.
type Status struct {
	Client      string   `json:"client"`
	Scope       string   `json:"scope"`
	State       Standing `json:"state"`
	Version     string   `json:"version"` // of the acc that wrote it
	Participant string   `json:"participant"`
	Delivery    string   `json:"delivery"`
	Edited      []string `json:"edited"`  // entries, by file
	Missing     []string `json:"missing"` // likewise
}

// Statuses are the installations that the ledger of a scope knows, in the order
// of the table. It reads and changes nothing; a scope whose ledger cannot be
// read fails with the reasons of Install.
func Statuses(opt Options) ([]Status, error) {
	l, err := readLedger(StateDir(opt.Env, opt.Home), client.Scope(opt.Scope), opt.Root)
	if err != nil {
		return nil, err
	}
	r := &run{opt: opt, ledger: l}
	var all []Status
	for _, c := range client.All() {
		if rec := l.Clients[c.ID]; rec != nil {
			all = append(all, r.status(c, rec))
		}
	}
	return all, nil
}

func (r *run) status(c client.Client, rec *record) Status {
	s := Status{
		Client: c.ID, Scope: r.opt.Scope, State: Whole, Version: rec.Version, Participant: rec.Participant, Delivery: rec.Delivery,
		Edited: []string{}, Missing: []string{},
	}
	for _, noted := range rec.Files {
		if len(noted.Entries) > 0 {
			r.standing(&s, c, noted)
		}
	}
	switch {
	case len(s.Missing) > 0:
		s.State = Missing
	case len(s.Edited) > 0:
		s.State = Edited
	}
	return s
}

// standing holds the entries of one file against what was noted.
func (r *run) standing(s *Status, c client.Client, noted *fileRecord) {
	name := r.shown(noted.Path)
	f, err := r.open(noted.Path)
	var d *draft
	if err == nil {
		d, err = newDraft(f.data, noted.Entries[0].Kind)
	}
	if err != nil || f.data == nil {
		s.Missing = append(s.Missing, name)
		return
	}
	for _, n := range noted.Entries {
		e := entry{kind: n.Kind, at: n.At, ours: knows(c, n)}
		what := name
		if n.Kind != whole {
			what += ": " + e.name()
		}
		found, err := d.look(e, &n)
		switch {
		case err != nil || !found.there:
			s.Missing = append(s.Missing, what)
		case !n.wrote(found.text):
			s.Edited = append(s.Edited, what)
		}
	}
}
