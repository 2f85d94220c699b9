package fsstore

import (
	"io/fs"
	"testing"

	"acc/fsstore/vfs"
	"acc/schema"
)

// raced is a disk on which somebody else takes each note of what has to be
// published back, right after it was listed.
type raced struct{ vfs.Dir }

func (d raced) List(name string) ([]fs.DirEntry, error) {
	entries, err := d.Dir.List(name)
	if name != outboxDir {
		return entries, err
	}
	for _, e := range entries {
		if err := d.Remove(name + "/" + e.Name()); err != nil {
			return nil, err
		}
	}
	return entries, err
}

// TestNoteThatIsTakenBackMeanwhile: the notes are read without the lock, and
// one that its author has just seen to is no damage.
func TestNoteThatIsTakenBackMeanwhile(t *testing.T) {
	dir := t.TempDir()
	var log testLog
	env := testEnv(newTestClock(), &log)
	env.Disk = func(d vfs.Dir) vfs.Dir { return raced{d} }
	s, err := Init(dir, env)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	note := Publication{SchemaVersion: schema.Version, MessageID: "message_01m8pr5b6k4939zmgnfp20gdya", Kind: schema.Handoff}
	data, err := schema.Encode(&note)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, outboxName(note.MessageID), data)
	if left, err := s.Unpublished(); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if log.String() != "" {
		t.Errorf("it was reported: %s", log.String())
	}
}
