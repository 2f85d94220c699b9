package fsstore

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"acc/schema"
)

// adaptersDir holds a lock for each session that live adapters serve.
const adaptersDir = "run/adapters"

const lockExt = ".lock"

// serveTries is how often Serve tries a lock whose file is removed meanwhile.
const serveTries = 3

func servingName(sessionID string) string {
	return path.Join(adaptersDir, checked(schema.IDSession, sessionID)+lockExt)
}

func parseServing(base string) (sessionID string, ok bool) {
	id, ok := strings.CutSuffix(base, lockExt)
	return id, ok && schema.ValidID(schema.IDSession, id)
}

// Serving is the right to be the live adapter of one session, until Close. It
// is a kernel lock and ends with its process.
type Serving struct {
	store *Store
	lock  *flock.Flock
	name  string
}

// Serve gets the right to be the live adapter of a session; nil while another
// process has it. It never waits.
func (s *Store) Serve(sessionID string) (*Serving, error) {
	g := &Serving{store: s, name: servingName(sessionID)}
	for range serveTries {
		var err error
		if g.lock, err = s.tryLock(g.name); g.lock == nil || err != nil {
			return nil, err
		}
		if g.Holds() {
			return g, nil
		}
		_ = g.lock.Close() // whoever had it has just removed it
	}
	return nil, nil
}

// Holds reports whether the right still counts. The file of the lock may have
// been removed, and others would not see the lock that this process has.
func (g *Serving) Holds() bool {
	mine, err := g.lock.Stat()
	if err != nil || !g.lock.Locked() {
		return false
	}
	now, err := os.Lstat(g.store.lockPath(g.name))
	return err == nil && os.SameFile(mine, now)
}

// Close gives up the right. The file of the lock goes with it, which tells the
// next one that its turn has come.
func (g *Serving) Close() {
	if g.Holds() {
		_ = g.store.disk.Remove(g.name)
	}
	_ = g.lock.Close()
}

func (s *Store) lockPath(name string) string {
	return filepath.Join(s.dir, roomDir, filepath.FromSlash(name))
}
