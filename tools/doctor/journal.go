package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"acc/schema"
)

// journal looks at the journal, at the event log and at the numbers that the
// journal keeps.
func (e *examination) journal() {
	st, err := e.room.Journal()
	if err != nil {
		e.noJournal(err)
		return
	}
	shared, err := e.room.Shared()
	switch {
	case err != nil:
		e.report.add(Warning, inRoom("run/live"), "it cannot be locked: "+why(err), byRepair).mendable()
	case st.Undone > 0:
		e.report.add(Warning, inRoom("run/journal"), some(st.Undone, "transaction")+" of a process that was killed, decided and perhaps not carried out",
			byRepair+", and so does the next command").mendable()
	case st.Records > 0 && !shared:
		e.report.add(Note, inRoom("run/journal"), "the last process did not end in order", byRepair+", and so does the next command").mendable()
	default:
		e.report.ok("the journal is whole")
	}
	if st.Undone == 0 { // else the log may lack what is decided
		e.events(st.Cursor)
		e.counted = &st.Messages
	}
}

func (e *examination) noJournal(err error) {
	f := e.report.add(Warning, inRoom("run/journal"), "it cannot be read: "+why(err), "")
	var damaged *schema.Error
	switch {
	case errors.Is(err, fs.ErrPermission):
		f.Level, f.Do = Note, "it is for the user who runs acc; look as that user"
	case errors.As(err, &damaged):
		f.Level, f.What = Problem, "it is damaged, and what it decided last may be lost"
		f.Do = "with nobody in the room, remove it; acc doctor --repair then makes it anew from the records"
	default:
		f.Do = byRepair + ", from the records"
		f.mendable()
	}
}

func (e *examination) events(last int64) {
	problems := e.room.EventLog(last)
	for _, p := range problems {
		where := inRoom(p.Name)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		e.report.add(Warning, where, "the event log is not whole: "+why(p.Err),
			"leave it; readers skip it and ask for scope full to catch up")
	}
	if len(problems) == 0 {
		e.report.ok("the event log is whole up to %s", schema.FormatCursor(last))
	}
}

// count compares the number of messages with what was found. Damaged ones may
// count or not: the journal may be younger than the damage.
func (e *examination) count() {
	found := int64(len(e.messages))
	if n := e.counted; n != nil && (*n < found || *n > found+int64(e.badMessages)) {
		e.report.add(Warning, inRoom("messages"), fmt.Sprintf("there are %d, and the journal counts %d", found, *n), byRepair).mendable()
	}
}

// published compares what goes with the code with the room.
func (e *examination) published(ctx context.Context) {
	problems, err := e.room.CheckPublished(ctx, e.cfg.Workspace)
	if err != nil {
		e.report.add(Warning, ".acc", "what was published cannot be read: "+why(err), "see to it, then run acc doctor again")
	}
	found := e.report.found(func() {
		for _, p := range problems {
			where := e.relative(p.File)
			if p.Err == nil {
				e.report.add(Warning, where, "it came with the code and is not in the room yet", byRepair+", and so does the next command").mendable()
				continue
			}
			e.report.add(Warning, where, "it is no published message: "+why(p.Err), "restore it from Git, or move it away")
		}
		e.waiting()
	})
	if !found && err == nil {
		e.report.ok("what goes with the code is in the room")
	}
}

// relative is a file as seen from the root of the workspace.
func (e *examination) relative(file string) string {
	if rel, err := filepath.Rel(e.cfg.Workspace.Root, file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// waiting reports what the room has still to publish.
func (e *examination) waiting() {
	waiting, _ := e.room.Unpublished()
	slices.Reverse(waiting)
	for _, p := range waiting {
		e.report.add(Warning, inRoom("run/publish"), string(p.Kind)+" "+p.MessageID+" is not in its checkout yet", byRepair+" where the checkout is there").mendable()
	}
}
