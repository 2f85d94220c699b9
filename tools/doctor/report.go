package doctor

import (
	"fmt"
	"path"
)

// Level says how much a finding matters.
type Level string

// The levels. Warnings and problems ask for action.
const (
	OK      Level = "ok"
	Note    Level = "note"
	Warning Level = "warning"
	Problem Level = "problem"
)

// Finding is one thing that was looked at. Where is relative to the root of
// the workspace, "" for what has no place there.
type Finding struct {
	Level  Level  `json:"level"`
	What   string `json:"what"`
	Where  string `json:"where"`
	Do     string `json:"do"`
	Repair bool   `json:"repair"` // acc doctor --repair sees to it
}

// Report is all findings, in the order in which they were looked for.
type Report struct {
	Root     string    `json:"root"`
	Findings []Finding `json:"findings"`
	Repaired []string  `json:"repaired"` // what Repair did
	Clients  []Agent   `json:"clients"`  // the coding agents of this machine
}

// Action counts the findings that ask for it.
func (r Report) Action() int {
	n := 0
	for _, f := range r.Findings {
		if f.Level == Warning || f.Level == Problem {
			n++
		}
	}
	return n
}

func (r *Report) ok(format string, args ...any) {
	r.Findings = append(r.Findings, Finding{Level: OK, What: fmt.Sprintf(format, args...)})
}

func (r *Report) add(level Level, where, what, do string) *Finding {
	r.Findings = append(r.Findings, Finding{Level: level, Where: where, What: what, Do: do})
	return &r.Findings[len(r.Findings)-1]
}

// mendable says that Repair sees to a finding.
func (f *Finding) mendable() { f.Repair = true }

// found counts the findings that ask for action, to tell whether a part of the
// examination found any.
func (r *Report) found(fn func()) bool {
	before := r.Action()
	fn()
	return r.Action() > before
}

const byRepair = "acc doctor --repair does it"

// inRoom is a name below .acc/ as seen from the root of the workspace.
func inRoom(name string) string { return path.Join(".acc", name) }

func some(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
