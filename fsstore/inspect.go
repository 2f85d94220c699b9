package fsstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"acc/schema"
)

// Inspection looks at a room, however damaged, and changes nothing in it: it
// finishes no write of a dead process, sweeps nothing and takes nothing in.
type Inspection struct {
	store *Store
}

// Inspect opens the room in dir to look at it. Unlike Open it asks for nothing
// but the directory .acc. It fails with ErrNoRoom where there is none, with
// ReasonStoreForeign where something else stands there, and when the directory
// cannot be opened.
func Inspect(dir string, env Env) (*Inspection, error) {
	s, err := newStore(dir, env, usual())
	if err != nil {
		return nil, err
	}
	s.readOnly = true
	return &Inspection{s}, nil
}

// Close ends the inspection.
func (i *Inspection) Close() { i.store.release() }

// Format reads workspace.json. It fails with ErrNoRoom without one, with
// ReasonFormatNewer or with ReasonRecordDamaged.
func (i *Inspection) Format() (schema.Workspace, error) {
	err := i.store.readWorkspace()
	return i.store.workspace, err
}

// Lock keeps writers out while the room is looked at. It waits no longer than
// wait; without the lock, what is found may be half of a write.
func (i *Inspection) Lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	return i.store.lock.acquire(ctx, false, wait)
}

// Shared reports whether other processes have the room open. It needs the
// lock: nobody comes or goes meanwhile.
func (i *Inspection) Shared() (bool, error) {
	alone, err := i.store.live.TryLock()
	if alone {
		err = i.store.live.Unlock()
	}
	return !alone, err
}

// JournalState is where the journal stands.
type JournalState struct {
	Undone  int   // decided transactions that are not known to be applied
	Records int   // transactions since the last checkpoint
	Cursor  int64 // the last event, from here on as the journal says it
	// Messages is how many messages there are.
	Messages int64
}

// Journal reads the journal and the head. It fails when one of them is missing
// or the journal is damaged.
func (i *Inspection) Journal() (JournalState, error) {
	data, err := i.store.disk.Read(journalName)
	if err != nil {
		return JournalState{}, err
	}
	i.store.journal = journal{memoryFile(data)}
	decided, _, err := i.store.scan()
	i.store.journal = journal{}
	if err != nil {
		return JournalState{}, err
	}
	start, err := journal{memoryFile(data)}.readHeader()
	if err != nil {
		return JournalState{}, err
	}
	st := JournalState{Records: int(decided.Seq - start.Seq), Cursor: decided.State.Cursor, Messages: decided.State.Messages}
	head, err := i.store.disk.Read(headName)
	if err != nil {
		return st, err
	}
	switch h, ok := parseHead(head); {
	case !ok || h.Epoch != decided.Epoch:
		st.Undone = st.Records
	case h.Seq < decided.Seq:
		st.Undone = int(decided.Seq - h.Seq)
	}
	return st, nil
}

// memoryFile is a file that was read. Nothing can be written to it.
type memoryFile []byte

var errReadOnly = errors.New("opened to be read only")

func (m memoryFile) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m).ReadAt(p, off)
}
func (m memoryFile) Size() (int64, error)               { return int64(len(m)), nil }
func (m memoryFile) Close() error                       { return nil }
func (m memoryFile) Sync() error                        { return nil }
func (m memoryFile) WriteAt([]byte, int64) (int, error) { return 0, errReadOnly }
func (m memoryFile) Truncate(int64) error               { return errReadOnly }

// Links reads the decisions index, line by line as far as it can be read.
func (i *Inspection) Links() ([]schema.DecisionLink, error) {
	data, err := i.store.disk.Read(decisionsLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var links []schema.DecisionLink
	for line := range bytes.Lines(data) {
		var link schema.DecisionLink
		if schema.Decode(line, &link) == nil {
			links = append(links, link)
		}
	}
	return links, err
}

// CheckPublished lists the published files that the room has not taken in, and
// those that it cannot.
func (i *Inspection) CheckPublished(ctx context.Context, w Workspace) ([]Problem, error) {
	return i.store.CheckPublished(ctx, w)
}

// Unpublished lists what still waits to be published.
func (i *Inspection) Unpublished() ([]Publication, error) { return i.store.Unpublished() }

// Ignored reports whether the room's .gitignore says what Init wrote, whatever
// the line ends and the comments.
func (i *Inspection) Ignored() bool {
	data, err := i.store.disk.Read(gitignoreName)
	return err == nil && slices.Equal(rulesOf(data), rulesOf([]byte(gitignore)))
}

func rulesOf(data []byte) []string {
	return strings.Fields(commentLine.ReplaceAllString(string(data), ""))
}

var commentLine = regexp.MustCompile(`(?m)^#.*$`)
