package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"acc/schema"
	"acc/tools"
	"acc/tools/delivery/client"
)

// ledger is what was written into one scope: a checkout, or the settings of a
// person. It lies outside of both.
type ledger struct {
	SchemaVersion int                `json:"schemaVersion"`
	Scope         client.Scope       `json:"scope"`
	Root          string             `json:"root"`
	Clients       map[string]*record `json:"clients"`

	path string
}

// record is what was written for one client.
type record struct {
	Version     string        `json:"version"` // of acc
	Participant string        `json:"participant"`
	Delivery    string        `json:"delivery"`
	Files       []*fileRecord `json:"files"`
}

// fileRecord is what was written into one file, and what had to be made for it.
type fileRecord struct {
	Path    string        `json:"path"`
	Created bool          `json:"created"`          // there was no file
	Dirs    []string      `json:"dirs,omitempty"`   // directories that were not there
	Made    []string      `json:"made,omitempty"`   // containers that were not there
	Opened  []string      `json:"opened,omitempty"` // containers that were empty and on one line
	Lead    string        `json:"lead,omitempty"`   // what went in before a block
	Entries []entryRecord `json:"entries"`
}

// entryRecord is one entry. Previous is the hash from before the last change,
// which holds where a process was killed between the ledger and the file.
type entryRecord struct {
	Kind     kind   `json:"kind"`
	At       string `json:"at"`
	SHA256   string `json:"sha256"`
	Previous string `json:"previous,omitempty"`
}

const ledgerVersion = 1

// readLedger reads what was noted; nothing where there is no ledger.
func readLedger(stateDir string, scope client.Scope, root string) (*ledger, error) {
	l := &ledger{SchemaVersion: ledgerVersion, Scope: scope, Root: root, path: ledgerPath(stateDir, scope, root)}
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		l.Clients = map[string]*record{}
		return l, nil
	}
	if err != nil {
		return nil, ledgerFailed(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil || l.SchemaVersion != ledgerVersion || l.Root != root || l.Clients == nil {
		return nil, schema.Fail(schema.ReasonRecordDamaged, "the ledger of installs, %s in the state directory of acc, is damaged or of a newer version. "+
			"Update acc, or move the file away: install then finds what it wrote by its form.", filepath.Base(l.path)).Because(err)
	}
	return l, nil
}

func ledgerFailed(err error) *schema.Error {
	if errors.Is(err, fs.ErrPermission) {
		return schema.Fail(schema.ReasonStoreReadOnly, "the ledger of installs in the state directory of acc cannot be used by this user. Nothing was changed.").Because(err)
	}
	return schema.Fail(schema.ReasonStoreFailed, "the ledger of installs in the state directory of acc cannot be used: %s.", tools.Cause(err)).Because(err)
}

// lockLedger keeps two installs of one scope apart.
func lockLedger(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, ledgerFailed(err)
	}
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return nil, ledgerFailed(err)
	}
	return func() { _ = lock.Close() }, nil
}

// save writes the ledger; one that holds nothing is removed.
func (l *ledger) save() error {
	if len(l.Clients) == 0 {
		if err := os.Remove(l.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return ledgerFailed(err)
		}
		return nil
	}
	data, err := schema.Format(l)
	if err != nil {
		return err
	}
	f := file{real: l.path, mode: 0o600}
	if err := f.replace(data); err != nil {
		return ledgerFailed(err)
	}
	return nil
}

// file is what was noted of a file for a client, else for another one that
// shares it; nil when nothing was.
func (l *ledger) file(id, path string) *fileRecord {
	if r := l.Clients[id].file(path); r != nil {
		return r
	}
	for _, r := range l.Clients {
		if found := r.file(path); found != nil {
			return found
		}
	}
	return nil
}

// sharedBy is another client that a file was written for, "" when there is none.
func (l *ledger) sharedBy(id, path string) string {
	for _, other := range client.IDs() {
		if other != id && l.Clients[other].file(path) != nil {
			return other
		}
	}
	return ""
}

func (r *record) file(path string) *fileRecord {
	if r == nil {
		return nil
	}
	for _, f := range r.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

func (f *fileRecord) entry(k kind, at string) *entryRecord {
	if f == nil {
		return nil
	}
	for i := range f.Entries {
		if f.Entries[i].Kind == k && f.Entries[i].At == at {
			return &f.Entries[i]
		}
	}
	return nil
}

// wrote reports whether a text is what was written.
func (e *entryRecord) wrote(text string) bool {
	sum := hash(text)
	return e != nil && (e.SHA256 == sum || e.Previous == sum)
}
