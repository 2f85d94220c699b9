package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"

	"acc/schema"
)

// ErrNoRoom says that the directory holds no initialised room. Reading then
// has nothing to show; the first write makes the room.
var ErrNoRoom = errors.New("no initialised room here")

// Store is an open room. It is safe for concurrent use.
type Store struct {
	env       Env
	disk      disk
	lock      *roomLock
	live      *flock.Flock // shared for as long as the process has the room open
	journal   journal
	headFile  file
	workspace schema.Workspace
	readOnly  bool
	failed    error // set once a sync failed: nothing is written any more
	logs      logCache
	graph     decisionGraph
	damage    damageLog

	made       sync.Map // directories this process has made sure of
	tempPrefix string
	tempCount  atomic.Int64
}

// Open opens the room in dir. It fails with ErrNoRoom when there is none,
// and with a *schema.Error of code data when the room is foreign, damaged,
// of a newer format, or cannot be read.
//
// The first process to open a room after a crash makes it whole: with nobody
// else alive, every record of the journal is compared with the files.
func Open(dir string, env Env) (*Store, error) {
	return open(dir, env, func(root *os.Root) disk { return rootDisk{root} })
}

func open(dir string, env Env, wrap func(*os.Root) disk) (*Store, error) {
	root, err := openRoom(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{env: env, disk: wrap(root), tempPrefix: newTempPrefix()}
	s.damage.log = env.Log
	roomPath := filepath.Join(dir, roomDir)
	s.lock = newRoomLock(filepath.Join(roomPath, filepath.FromSlash(lockName)))
	s.live = openLock(filepath.Join(roomPath, filepath.FromSlash(liveName)))
	if err := s.start(); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

// openRoom opens .acc below dir, which must be a real directory.
func openRoom(dir string) (*os.Root, error) {
	info, err := os.Lstat(filepath.Join(dir, roomDir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoRoom
	case err != nil:
		return nil, ioError("open the room", err)
	case !info.IsDir():
		return nil, schema.Fail(schema.ReasonStoreForeign,
			".acc in this workspace is not a directory of its own (a file or a symbolic link); move it away, then try again.")
	}
	root, err := os.OpenRoot(filepath.Join(dir, roomDir))
	if err != nil {
		return nil, ioError("open the room", err)
	}
	return root, nil
}

// start checks the format, opens the journal and recovers what a crash left.
func (s *Store) start() error {
	if err := s.readWorkspace(); err != nil {
		return err
	}
	first, err := s.live.TryLock()
	if err != nil && !s.noteReadOnly(err) {
		return s.damagedRun(err)
	}
	if err := s.openJournal(); err != nil {
		return err
	}
	if first && !s.readOnly {
		if err := s.recoverFirst(); err != nil {
			return err
		}
	}
	if err := s.live.RLock(); err != nil && !s.readOnly {
		return ioError("open the room", err)
	}
	return nil
}

func (s *Store) readWorkspace() error {
	data, err := s.disk.Read(workspaceName)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoRoom
	}
	if err != nil {
		return ioError("read "+workspaceName, err)
	}
	if newer := formatOf(data); newer > schema.FormatVersion {
		return schema.Fail(schema.ReasonFormatNewer,
			".acc/ has format %d; this program knows %d and leaves it untouched. Update acc, then try again.",
			newer, schema.FormatVersion)
	}
	if err := schema.Decode(data, &s.workspace); err != nil {
		return schema.Fail(schema.ReasonRecordDamaged,
			".acc/workspace.json is damaged: %s. Restore it, or move .acc/ away to start a new room.", err).Because(err)
	}
	return nil
}

// openJournal opens the two files that every write needs. Without the right
// to write them the room can still be read.
func (s *Store) openJournal() error {
	j, err := s.disk.Open(journalName, false, 0)
	if err == nil {
		s.journal.f = j
		s.headFile, err = s.disk.Open(headName, true, perm(headName))
	}
	if err == nil {
		err = s.indexed()
	}
	if err != nil && !s.noteReadOnly(err) {
		return s.damagedRun(err)
	}
	return nil
}

// indexed reports a room whose indexes were removed.
func (s *Store) indexed() error {
	there, err := s.disk.Exists(decisionsLog)
	if err == nil && !there {
		err = fs.ErrNotExist
	}
	return err
}

// noteReadOnly reports whether err means a room that may only be read.
func (s *Store) noteReadOnly(err error) bool {
	if errors.Is(err, fs.ErrPermission) || isReadOnly(err) {
		s.readOnly = true
		return true
	}
	return false
}

// damagedRun is the failure of a room whose run/ directory lost a file. Init
// puts it back.
func (s *Store) damagedRun(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errIncomplete
	}
	return ioError("open the room", err)
}

// errIncomplete says that run/ has to be made again, which Init does.
var errIncomplete = errors.New("run/ is incomplete")

// Workspace is the record that marks the room.
func (s *Store) Workspace() schema.Workspace { return s.workspace }

// Env is the environment the room was opened with.
func (s *Store) Env() Env { return s.env }

// View runs fn over a consistent state of the room. Writers wait meanwhile,
// so fn is short and reads no more than it shows.
func (s *Store) View(ctx context.Context, fn func(*View) error) error {
	for {
		release, err := s.enter(ctx, false)
		if err != nil {
			return err
		}
		h, ok := s.head()
		if ok {
			err = fn(&View{store: s, head: h})
		}
		release()
		if ok || err != nil {
			return err
		}
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
}

// Update runs fn and commits what it wrote as one transaction, durably. An
// error of fn, or a fn that writes nothing, changes nothing.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	if s.readOnly {
		return ioError("write to the room", fs.ErrPermission)
	}
	release, err := s.enter(ctx, true)
	if err != nil {
		return err
	}
	defer release()
	if s.failed != nil {
		return s.failed
	}
	h, err := s.settledHead()
	if err != nil {
		return err
	}
	tx := newTx(s, h)
	if err := fn(tx); err != nil {
		return err
	}
	return tx.commit()
}

// enter takes the room's lock. A room that was removed or made anew meanwhile
// is ErrNoRoom: what this store has open is not what the names stand for.
func (s *Store) enter(ctx context.Context, exclusive bool) (func(), error) {
	release, err := s.lock.acquire(ctx, exclusive, LockWait)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoRoom
	}
	if err != nil {
		return nil, ioError("lock the room", err)
	}
	if s.headFile != nil && !s.disk.Same(headName, s.headFile) {
		release()
		return nil, ErrNoRoom
	}
	return release, nil
}

// settle makes the room whole under the exclusive lock.
func (s *Store) settle(ctx context.Context) error {
	release, err := s.enter(ctx, true)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.settledHead()
	return err
}

// Close gives the room back. The last process to leave makes a long journal
// short, so that the next one to come has little to check.
func (s *Store) Close() error {
	defer s.release()
	if s.readOnly || s.failed != nil {
		return nil
	}
	_ = s.live.Unlock()
	if last, err := s.live.TryLock(); err != nil || !last {
		return nil
	}
	return s.Update(context.Background(), func(tx *Tx) error {
		if tx.head.Tail > checkpointOnClose {
			return s.checkpoint(tx.head)
		}
		return nil
	})
}

func (s *Store) release() {
	_ = s.live.Close()
	s.logs.close()
	for _, f := range []file{s.journal.f, s.headFile} { // either may be missing
		if f != nil {
			_ = f.Close()
		}
	}
	_ = s.disk.Close()
}
