package fsstore

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
)

// imports is what this process knows of the published files.
type imports struct {
	mu       sync.Mutex
	reported map[string]bool
	stamps   map[string]int64   // by folder: its time when it held nothing new; nil before the first look
	seen     map[string]version // by file: the ones that were judged
}

// Import takes in the published files that the room does not know, from the
// room's own directory and every worktree of the repository: after a pull, a
// merge, a fresh clone. Each becomes a message with one event and a queued
// receipt for every addressee who is known here; imported is how many did.
// They are foreign input: what is damaged, misplaced or says something else
// under a known id is reported once and changes nothing. A file that goes
// away again changes nothing either.
//
// Folders that nobody has touched since the last look, of any process, cost
// one lstat each.
func (s *Store) Import(ctx context.Context, w Workspace) (imported int, err error) {
	if s.readOnly {
		return 0, nil
	}
	s.imports.mu.Lock()
	defer s.imports.mu.Unlock()
	s.PublishLeft(ctx)
	if s.imports.stamps == nil {
		s.imports.stamps = s.loadStamps()
	}
	sc, err := s.look(ctx, w, &s.imports)
	if err != nil {
		return 0, err
	}
	if s.closed.Load() {
		return 0, ErrNoRoom // what could not be read says nothing of the files
	}
	s.reportOnce(sc.bad)
	imported, err = s.takeIn(ctx, sc.found)
	if err != nil {
		return imported, err
	}
	s.keepStamps(sc)
	return imported, nil
}

// CheckPublished reads all published files, whatever is known of them, and
// lists those that are not in the room. It changes nothing.
func (s *Store) CheckPublished(ctx context.Context, w Workspace) ([]Problem, error) {
	sc, err := s.look(ctx, w, &imports{})
	if err != nil {
		return nil, err
	}
	problems := sc.bad
	for _, a := range sc.found {
		problems = append(problems, Problem{File: a.file})
	}
	return problems, nil
}

func (s *Store) reportOnce(bad []Problem) {
	for _, p := range bad {
		if errors.Is(p.Err, errUnfinished) || s.imports.reported[p.File] {
			continue
		}
		if s.imports.reported == nil {
			s.imports.reported = map[string]bool{}
		}
		s.imports.reported[p.File] = true
		s.env.Log.Warn("a published file is damaged or foreign; it is not imported and is left as it is", "file", p.File, "error", p.Err)
	}
}

// loadStamps reads what the last process to look found in order. It is a
// cache: lost or torn, everything is looked at again.
func (s *Store) loadStamps() map[string]int64 {
	stamps := map[string]int64{}
	data, err := s.disk.Read(stampsName)
	if err != nil || json.Unmarshal(data, &stamps) != nil {
		return map[string]int64{}
	}
	return stamps
}

func (s *Store) keepStamps(sc *scan) {
	if s.imports.seen == nil {
		s.imports.seen = map[string]version{}
	}
	maps.Copy(s.imports.seen, sc.seen)
	if maps.Equal(sc.stamps, s.imports.stamps) {
		return
	}
	s.imports.stamps = sc.stamps
	data, err := json.Marshal(sc.stamps)
	if err == nil {
		err = s.place(stampsName, append(data, '\n'))
	}
	if err != nil {
		s.env.Log.Debug("what was read of the published files is not noted", "error", err)
	}
}
