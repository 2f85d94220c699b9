package fsstore

import (
	"bytes"
	"io/fs"
	"path"

	"acc/schema"
)

// rebuild makes index/ and the journal anew from the records: for a new room,
// and for one whose index/ or run/ was removed. It reads every message once.
func (s *Store) rebuild(lastID string) error {
	st := state{LastID: lastID}
	v := &View{store: s}
	if err := s.rebuildEvents(&st); err != nil {
		return err
	}
	var graph bytes.Buffer
	keys := map[string][]byte{}
	var links [][]byte
	for ref, err := range v.History("") {
		if err != nil {
			return err
		}
		m, err := v.MessageByRef(ref)
		if err != nil {
			continue // damaged: reported by the view, and still there
		}
		st.Messages++
		st.LastID = max(st.LastID, schema.IDSuffix(ref.MessageID))
		link, key, err := indexOf(&m)
		if err != nil {
			return err
		}
		links = append(links, link)
		if key != nil {
			keys[keyName(m.FromParticipantID, m.ClientMessageID)] = key
		}
	}
	for i := len(links) - 1; i >= 0; i-- {
		graph.Write(links[i])
	}
	st.GraphEnd = int64(graph.Len())
	return s.writeRebuilt(st, graph.Bytes(), keys)
}

// indexOf gives the index entries of a message: its line of the decisions
// index, and the file of its key when it has a chosen one.
func indexOf(m *schema.Message) (link, key []byte, err error) {
	if m.Kind == schema.Decision {
		if link, err = schema.EncodeLine(linkOf(m)); err != nil {
			return nil, nil, err
		}
	}
	if m.ClientMessageID != GeneratedKey(m.MessageID) {
		key, err = schema.Encode(keyOf(m))
	}
	return link, key, err
}

func (s *Store) writeRebuilt(st state, graph []byte, keys map[string][]byte) error {
	_ = s.disk.Remove(decisionsLog)
	_ = s.disk.Remove(headName)
	_ = s.disk.Remove(journalName)
	names := []string{decisionsLog, journalName}
	for name, data := range keys {
		_ = s.disk.Remove(name)
		if err := s.place(name, data); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := createJournal(s.disk, st); err != nil {
		return err
	}
	// The decisions index comes last: its absence is what asks for a rebuild.
	if err := s.disk.SyncAll(names); err != nil {
		return err
	}
	return s.publish(decisionsLog, graph)
}

func (s *Store) place(name string, data []byte) error {
	if err := s.ensureDir(name); err != nil {
		return err
	}
	return s.disk.Create(name, data, perm(name))
}

// rebuildEvents finds the end of the event log: the last whole line.
func (s *Store) rebuildEvents(st *state) error {
	entries, err := s.disk.List(eventsDir)
	if err != nil || len(entries) == 0 {
		return err
	}
	name := path.Join(eventsDir, lastFile(entries))
	data, err := s.disk.Read(name)
	if err != nil {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	st.EventEnd = int64(len(whole))
	for line := range bytes.Lines(whole) {
		var e schema.Event
		if schema.Decode(line, &e) == nil {
			st.Cursor, err = schema.ParseCursor("cursor", e.Cursor)
		}
	}
	return err
}

func lastFile(entries []fs.DirEntry) string {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Type().IsRegular() && path.Ext(entries[i].Name()) == ".jsonl" {
			return entries[i].Name()
		}
	}
	return ""
}
