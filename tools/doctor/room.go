package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// examination is what is known of a room while it is examined.
type examination struct {
	cfg    Config
	room   *fsstore.Inspection
	report *Report
	now    time.Time

	records      int
	participants map[string]bool
	sessions     map[string]*schema.Session
	messages     map[string]*letter
	items        []fsstore.Item // intents, claims, presence and receipts, to be held against the rest
	keys         []fsstore.Item
	bad          int
	badMessages  int
	counted      *int64 // messages, as the journal counts them; nil when it cannot be compared
}

// letter is what the rest of a room says of a message.
type letter struct {
	kind       schema.MessageKind
	obligation schema.Obligation
	from, key  string
	to         []string
	own        bool // sent in this room
	receipts   map[string]bool
}

func (e *examination) run(ctx context.Context) {
	e.participants, e.sessions, e.messages = map[string]bool{}, map[string]*schema.Session{}, map[string]*letter{}
	unlock, err := e.room.Lock(ctx, lockWait)
	switch {
	case err == nil:
		defer unlock()
	case schema.HasReason(err, schema.ReasonLockTimeout):
		e.report.add(Note, inRoom("run/lock"), "another process is writing, so that some of this may be half of a write", "run acc doctor again")
	case errors.Is(err, fs.ErrPermission):
		e.report.add(Note, inRoom("run/lock"), "this user may not lock the room, so that some of this may be half of a write", "look as the user who runs acc")
	default:
		e.report.add(Warning, inRoom("run/lock"), "the lock of the room cannot be taken: "+why(err),
			"give this user the right to read it, or let acc doctor --repair make run/ anew").mendable()
	}
	if !e.room.Ignored() {
		e.report.add(Warning, inRoom(".gitignore"), "it does not keep the room out of Git any more",
			`put it back: printf '/*\n!/handoffs/\n!/decisions/\n' > .acc/.gitignore`)
	}
	e.journal()
	e.report.ok("%s read", some(e.walk(), "record"))
	for _, part := range []func(){e.count, e.people, e.claims, e.mail, e.index} {
		part()
	}
	e.published(ctx)
}

// walk reads everything and reports what is wrong with single files.
func (e *examination) walk() int {
	workspace, _ := e.room.Format()
	temporary := 0
	e.room.Walk(func(item fsstore.Item) {
		if fsstore.Exposed(item.Name, item.Mode) && item.Mode&fs.ModeSymlink == 0 {
			e.report.add(Warning, inRoom(item.Name), fmt.Sprintf("others may open it (mode %04o)", item.Mode.Perm()), byRepair).mendable()
		}
		switch {
		case item.Err != nil:
			e.damaged(item)
		case item.Temp && e.now.Sub(item.Time) > time.Hour:
			temporary++
		case item.Record != nil:
			e.records++
			e.file(item, workspace.WorkspaceID)
		}
	})
	if temporary > 0 {
		e.report.add(Note, inRoom("run/tmp"), some(temporary, "temporary file")+" of processes that were killed", byRepair).mendable()
	}
	return e.records
}

// damaged reports one file that is not what its place asks for.
func (e *examination) damaged(item fsstore.Item) {
	where := inRoom(item.Name)
	switch {
	case errors.Is(item.Err, fs.ErrPermission):
		e.report.add(Warning, where, "this user may not read it", "give it back to the user who runs acc")
	case strings.HasPrefix(item.Name, "presence/"):
		e.report.add(Note, where, "a sign of life that says nothing", "leave it; it is replaced or swept")
	case item.Name == "workspace.json": // said already
	case item.Dir || !item.Mode.IsRegular() || isForeign(item):
		e.report.add(Warning, where, "it does not belong here: "+why(item.Err), "move it away; it is ignored and left as it is")
	case strings.HasPrefix(item.Name, "index/"):
		e.report.add(Warning, where, "it is damaged: "+why(item.Err), byRepair).mendable()
	default:
		e.bad++
		if strings.HasPrefix(item.Name, "messages/") {
			e.badMessages++
		}
		e.report.add(Problem, where, "it is damaged: "+why(item.Err), "restore it from a copy, or move it away; it hides nothing else")
	}
}

func isForeign(item fsstore.Item) bool {
	var refused *schema.Error
	return !errors.As(item.Err, &refused)
}

// why is a cause in words, without the path that it names.
func why(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// file notes what a record says of the others.
func (e *examination) file(item fsstore.Item, workspace string) {
	switch record := item.Record.(type) {
	case *schema.Participant:
		e.participants[record.ParticipantID] = true
	case *schema.Session:
		e.sessions[record.SessionID] = record
	case *schema.Message:
		e.messages[record.MessageID] = &letter{
			kind: record.Kind, obligation: record.Obligation, from: record.FromParticipantID, key: record.ClientMessageID,
			to: record.ToParticipantIDs, own: record.WorkspaceID == workspace, receipts: map[string]bool{},
		}
		if day := path.Base(path.Dir(item.Name)); day != schema.IDTime(record.MessageID).Format(time.DateOnly) {
			e.report.add(Warning, inRoom(item.Name), "it lies in the folder of another day", "move it to the day that its id carries")
		}
	case *schema.Key:
		e.keys = append(e.keys, item)
	default:
		e.items = append(e.items, item)
	}
}
