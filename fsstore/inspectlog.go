package fsstore

import (
	"bytes"
	"errors"

	"acc/schema"
)

// LogProblem is something wrong in the event log.
type LogProblem struct {
	Name string // the file
	Line int    // in it, 0 for the whole
	Err  error
}

// What is wrong in the event log.
var (
	errGap  = errors.New("events are missing before this line")
	errLost = errors.New("events are missing at the end")
)

// EventLog reads the log up to an event, and lists what is wrong with it.
func (i *Inspection) EventLog(last int64) []LogProblem {
	v := &View{store: i.store, head: head{State: state{Cursor: last}}}
	files, err := v.eventFiles()
	if err != nil {
		return []LogProblem{{Name: eventsDir, Err: err}}
	}
	var problems []LogProblem
	next := v.TrimmedThrough() + 1
	for _, first := range files {
		var found []LogProblem
		if next, found = i.eventFile(eventsName(first), next, last); len(found) > 0 {
			problems = append(problems, found...)
		}
	}
	if next <= last {
		problems = append(problems, LogProblem{Name: eventsName(last), Err: errLost})
	}
	return problems
}

// eventFile reads the events of one file, and gives the number that comes next.
func (i *Inspection) eventFile(name string, next, last int64) (int64, []LogProblem) {
	data, err := i.store.disk.Read(name)
	if err != nil {
		return next, []LogProblem{{Name: name, Err: err}}
	}
	var problems []LogProblem
	number := 0
	for line := range bytes.Lines(data) {
		if number++; next > last {
			break // what a write that was taken back left behind the end
		}
		var e schema.Event
		if err := schema.Decode(line, &e); err != nil {
			problems = append(problems, LogProblem{name, number, err})
			next++ // it was an event
			continue
		}
		n, _ := schema.ParseCursor("cursor", e.Cursor)
		if n != next {
			problems = append(problems, LogProblem{name, number, errGap})
		}
		next = n + 1
	}
	return next, problems
}
