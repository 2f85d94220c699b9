package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"

	"acc/schema"
)

// rebuild makes index/ and the journal anew from the records: for a new room,
// and for one whose index/ or run/ was removed. It reads every message once.
func (s *Store) rebuild(lastID string) error {
	st := state{LastID: max(lastID, s.lastGiven())}
	v := &View{store: s}
	_ = s.readWorkspace() // a new room has none yet, and no messages either
	if err := s.rebuildEvents(&st); err != nil {
		return err
	}
	keys := map[string][]byte{}
	var decisions []*schema.DecisionLink // newest first
	for ref, err := range v.History("") {
		if err != nil {
			return err
		}
		m, err := v.MessageByRef(ref)
		if err != nil {
			continue // damaged: reported by the view, and still there
		}
		st.Messages++
		own := m.WorkspaceID == s.workspace.WorkspaceID
		if own {
			st.LastID = max(st.LastID, schema.IDSuffix(ref.MessageID))
		} else {
			st.LastID = laterID(st.LastID, ref.MessageID, s.env.Now())
		}
		if m.Kind == schema.Decision {
			decisions = append(decisions, linkOf(&m))
		}
		// A key speaks of one room; that of an imported message is not ours.
		if m.ClientMessageID == GeneratedKey(m.MessageID) || !own {
			continue
		}
		if keys[keyName(m.FromParticipantID, m.ClientMessageID)], err = schema.Encode(keyOf(&m)); err != nil {
			return err
		}
	}
	slices.Reverse(decisions)
	graph, err := linesOf(decisions)
	if err != nil {
		return err
	}
	st.GraphEnd = int64(len(graph))
	return s.writeRebuilt(st, graph, keys)
}

// linesOf writes the index of decisions. By the clocks of several machines one
// may be older than what it changes; its line is written once more at the end.
func linesOf(decisions []*schema.DecisionLink) ([]byte, error) {
	var graph bytes.Buffer
	place := map[string]int{}
	for i, d := range decisions {
		place[d.MessageID] = i
	}
	again := func(i int, d *schema.DecisionLink) bool {
		return slices.ContainsFunc(d.MessageIDs, func(id string) bool { return place[id] > i })
	}
	var late []*schema.DecisionLink
	for i, d := range decisions {
		if again(i, d) {
			late = append(late, d)
		}
	}
	for _, d := range slices.Concat(decisions, late) {
		line, err := schema.EncodeLine(d)
		if err != nil {
			return nil, err
		}
		graph.Write(line)
	}
	return graph.Bytes(), nil
}

func (s *Store) writeRebuilt(st state, graph []byte, keys map[string][]byte) error {
	// The decisions index goes first and comes last: its absence is what asks
	// for a rebuild, also after a crash in the middle of this one.
	old := []string{decisionsLog, headName, journalName}
	for _, name := range old {
		if err := s.disk.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// What the lost journal covered may be in memory alone, and the new one
	// says nothing of it.
	records, err := s.recordNames(".")
	if err != nil {
		return err
	}
	if err := s.disk.SyncAll(append(records, old...)); err != nil {
		return err
	}
	names := []string{decisionsLog, journalName}
	for name, data := range keys {
		_ = s.disk.Remove(name)
		if err := s.create(name, data, perm(name)); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := createJournal(s.disk, s.journalSize, st); err != nil {
		return err
	}
	if err := s.disk.SyncAll(names); err != nil {
		return err
	}
	return s.publish(decisionsLog, graph)
}

// recordNames lists every file below a directory that transactions write, and
// for each directory a name that need not exist: what was removed from it has
// to be synced too.
func (s *Store) recordNames(dir string) (names []string, err error) {
	entries, err := s.disk.List(dir)
	if err != nil {
		return nil, err
	}
	names = append(names, path.Join(dir, noID))
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch _, known := recordAt(name); {
		case name == runDir || name == presenceDir:
		case e.IsDir() && knownDir(name):
			below, err := s.recordNames(name)
			if err != nil {
				return nil, err
			}
			names = append(names, below...)
		case known && e.Type().IsRegular():
			names = append(names, name)
		}
	}
	return names, nil
}

// lastGiven is the highest id in the names of a few directories, so that ids
// do not go backwards although the number that says so is lost.
func (s *Store) lastGiven() string {
	last := ""
	for kind, dirs := range map[schema.IDKind][]string{
		schema.IDSession: {sessionsDir, closedDir}, schema.IDClaim: {claimsDir},
	} {
		for _, dir := range dirs {
			entries, _ := s.disk.List(dir)
			for _, e := range entries {
				if id, ok := parseID(kind, e.Name()); ok {
					last = max(last, schema.IDSuffix(id))
				}
			}
		}
	}
	return last
}

// rebuildEvents finds the end of the event log.
func (s *Store) rebuildEvents(st *state) error {
	entries, err := s.disk.List(eventsDir)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(entries) {
		first, ok := parseEvents(e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		data, err := s.disk.Read(path.Join(eventsDir, e.Name()))
		if err != nil {
			return err
		}
		st.Cursor, st.EventEnd = endOfEvents(first, data)
		return nil
	}
	return nil
}

// endOfEvents is the last cursor in a file of the log and where its line
// ends. A line that cannot be read counts: it was an event. Where nothing can
// be read the log goes on in the next file, so that the damage stays.
func endOfEvents(first int64, data []byte) (cursor, end int64) {
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	last := first + eventsPerFile - 1
	if len(whole) == 0 && len(data) > 0 {
		return last, 0
	}
	cursor = first - 1
	for line := range bytes.Lines(whole) {
		cursor++
		var e schema.Event
		if schema.Decode(line, &e) != nil {
			continue
		}
		if n, err := schema.ParseCursor("cursor", e.Cursor); err == nil && n > cursor {
			cursor = n
		}
	}
	return min(cursor, last), int64(len(whole))
}
