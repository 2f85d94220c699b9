package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// Repair does what can be done without losing anything and without deciding
// anything, and then examines the room again: what it left is in the findings.
func Repair(ctx context.Context, cfg Config) Report {
	before := Examine(ctx, cfg)
	m := &mender{cfg: cfg}
	m.cfg.Env.Log = slog.New(slog.DiscardHandler)
	if m.mayRepair() {
		m.private()
		m.room(ctx, before)
	}
	after := Examine(ctx, cfg)
	after.Repaired = append(after.Repaired, m.done...)
	after.Findings = append(after.Findings, m.failed...)
	return after
}

// mender collects what was repaired and what could not be.
type mender struct {
	cfg    Config
	anew   bool // there was no journal
	done   []string
	failed []Finding
}

func (m *mender) did(format string, args ...any) {
	m.done = append(m.done, fmt.Sprintf(format, args...))
}

func (m *mender) fail(what string, err error) {
	m.failed = append(m.failed, Finding{Level: Warning, What: "not repaired, " + what + ": " + schema.AsError(err).Message, Do: "see to it, then try again"})
}

// mayRepair leaves alone what is no room, and one of a newer format.
func (m *mender) mayRepair() bool {
	room, err := fsstore.Inspect(m.cfg.Workspace.Root, m.cfg.Env)
	if err != nil {
		return false
	}
	defer room.Close()
	_, err = room.Journal()
	m.anew = errors.Is(err, fs.ErrNotExist)
	_, err = room.Format()
	return err == nil
}

func (m *mender) private() {
	mended, err := fsstore.MakePrivate(m.cfg.Workspace.Root)
	if len(mended) > 0 {
		m.did("took the rights of others away from %s", some(len(mended), "name"))
	}
	if err != nil {
		m.fail("the modes of private files", err)
	}
}

// room opens the room, which finishes what dead processes left and makes run/
// or index/ anew when one is missing.
func (m *mender) room(ctx context.Context, before Report) {
	s, err := fsstore.Init(m.cfg.Workspace.Root, m.cfg.Env)
	if err != nil {
		m.fail("the room", err)
		return
	}
	m.finished(before)
	m.imported(ctx, s)
	m.presence(ctx, s)
	m.adapters(ctx, s)
	s.Sweep() // opening does so only where nobody else is in the room
	if err := s.TryRename(); err != nil {
		m.failed = append(m.failed, Finding{Level: Problem, What: "a rename is not one step here: " + why(err), Do: "keep the repository on a local disk"})
	}
	_ = s.Close()
	if wanted(before, inRoom("index"), inRoom("messages")) {
		if err := fsstore.RebuildIndex(ctx, m.cfg.Workspace.Root, m.cfg.Env); err != nil {
			m.fail("the index", err)
			return
		}
		m.did("made index/ and the journal anew")
	}
}

// finished tells what opening the room did.
func (m *mender) finished(before Report) {
	switch {
	case m.anew:
		m.did("made run/ anew from the records")
	case wanted(before, inRoom("run/journal")):
		m.did("finished what a dead process left in the journal")
	}
	if wanted(before, inRoom("run/tmp")) {
		m.did("removed the temporary files of processes that were killed")
	}
}

// wanted reports whether a finding of one of these places asked for repair.
func wanted(before Report, places ...string) bool {
	for _, f := range before.Findings {
		for _, place := range places {
			if f.Repair && (f.Where == place || strings.HasPrefix(f.Where, place+"/")) {
				return true
			}
		}
	}
	return false
}

func (m *mender) imported(ctx context.Context, s *fsstore.Store) {
	n, err := s.Import(ctx, m.cfg.Workspace)
	if n > 0 {
		m.did("took in %s", some(n, "published message"))
	}
	if err != nil {
		m.fail("the published files", err)
	}
}

// presence forgets the processes that are gone.
func (m *mender) presence(ctx context.Context, s *fsstore.Store) {
	var gone []schema.Presence
	err := s.View(ctx, func(v *fsstore.View) error {
		signs, err := v.Presence()
		for id, all := range signs {
			owner, err := v.Session(id)
			over := err != nil || owner.State != schema.SessionOpen
			for _, sign := range all {
				if over || m.cfg.Env.DeadSign(&sign) {
					gone = append(gone, sign)
				}
			}
		}
		return err
	})
	n := 0
	for i := range gone {
		if err = errors.Join(err, s.ForgetPresence(&gone[i])); err == nil {
			n++
		}
	}
	if n > 0 {
		m.did("removed %s of life of processes that are gone", some(n, "sign"))
	}
	if err != nil {
		m.fail("the signs of life", err)
	}
}
