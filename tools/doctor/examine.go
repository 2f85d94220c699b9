package doctor

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// Config says what to examine.
type Config struct {
	Workspace fsstore.Workspace
	Env       fsstore.Env
	Version   string // of this program
	Revision  string // of its source, "" when the build does not say
	Look      func(program string) (path string, err error)
	Agents    []Agent // as far as they are known without the room
}

// lockWait is how long an examination waits for a writer to finish.
const lockWait = 2 * time.Second

// Examine looks at everything and changes nothing. It does not fail: what
// cannot be looked at is a finding.
func Examine(ctx context.Context, cfg Config) Report {
	cfg.Env.Log = slog.New(slog.DiscardHandler) // what is damaged is reported here
	r := Report{Root: cfg.Workspace.Root, Findings: []Finding{}, Repaired: []string{}}
	r.agents(cfg.Agents, nil, nil)
	cfg.programs(&r)
	cfg.fileSystem(&r)
	room, err := fsstore.Inspect(cfg.Workspace.Root, cfg.Env)
	if err != nil {
		noRoom(&r, err)
		return r
	}
	defer room.Close()
	if !format(&r, room) {
		return r
	}
	e := &examination{cfg: cfg, room: room, report: &r, now: cfg.Env.Now()}
	e.run(ctx)
	r.agents(cfg.Agents, e.sessions, e.alive)
	return r
}

// Unplaced is the report on a workspace in which no room can be.
func Unplaced(err error) Report {
	r := Report{Findings: []Finding{}, Repaired: []string{}, Clients: []Agent{}}
	r.add(Problem, "", schema.AsError(err).Message, "start in the directory of a project, or give one with --cwd")
	return r
}

func noRoom(r *Report, err error) {
	if errors.Is(err, fsstore.ErrNoRoom) {
		r.add(Note, ".acc", "there is no room here yet", "acc init makes one, and so does the first acc attach")
		return
	}
	r.add(Problem, ".acc", schema.AsError(err).Message, "see to it, then run acc doctor again")
}

// format tells whether the rest of the room is ours to judge.
func format(r *Report, room *fsstore.Inspection) bool {
	w, err := room.Format()
	switch {
	case errors.Is(err, fsstore.ErrNoRoom):
		return emptyRoom(r, room)
	case schema.HasReason(err, schema.ReasonFormatNewer):
		r.add(Problem, ".acc/workspace.json", schema.AsError(err).Message, "update acc; nothing else was looked at")
		return false
	case err != nil:
		r.add(Problem, ".acc/workspace.json", schema.AsError(err).Message, "restore the file, or move .acc/ away to start a new room")
		return true
	}
	r.ok("format %d, %s", w.FormatVersion, w.WorkspaceID)
	return true
}

// emptyRoom tells a directory that lost its mark from one that holds nothing
// but what came with the code.
func emptyRoom(r *Report, room *fsstore.Inspection) (examine bool) {
	records := 0
	room.Walk(func(item fsstore.Item) {
		if item.Record != nil {
			records++
		}
	})
	if records > 0 {
		r.add(Problem, ".acc/workspace.json", "the file that marks the room is missing, and there are "+some(records, "record"),
			"restore the file, or move .acc/ away to start a new room")
		return true
	}
	r.add(Note, ".acc", "there is no room here yet, only what came with the code", "acc init makes one and takes it in")
	return false
}
