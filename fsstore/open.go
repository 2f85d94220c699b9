package fsstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"acc/schema"
)

// settings are the same in every program; tests choose others.
type settings struct {
	journalSize int64
	lockWait    time.Duration
}

func usual() settings {
	return settings{journalSize: journalSize, lockWait: LockWait}
}

// Open opens the room in dir. It fails with ErrNoRoom when there is none,
// and with a *schema.Error of code data when the room is foreign, damaged,
// of a newer format, or cannot be read.
//
// The first process to open a room after a crash makes it whole: with nobody
// else alive, every record of the journal is compared with the files.
func Open(dir string, env Env) (*Store, error) { return open(dir, env, usual()) }

func open(dir string, env Env, set settings) (*Store, error) {
	s, err := newStore(dir, env, set)
	if err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		s.release()
		return nil, err
	}
	s.PublishLeft(context.Background())
	return s, nil
}

// newStore opens the directory of the room and nothing in it.
func newStore(dir string, env Env, set settings) (*Store, error) {
	root, err := openRoom(dir)
	if err != nil {
		return nil, err
	}
	real, err := newRootDisk(root)
	if err != nil {
		root.Close()
		return nil, ioError("open the room", err)
	}
	var d disk = real
	if env.Disk != nil {
		d = env.Disk(real)
	}
	path := func(name string) string { return filepath.Join(dir, roomDir, filepath.FromSlash(name)) }
	return &Store{
		dir: dir, env: env, settings: set, disk: d,
		lock: newRoomLock(path(lockName), path(gateName)), live: openLock(path(liveName)),
		damage: damageLog{log: env.Log}, tempPrefix: newTempPrefix(),
	}, nil
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
	if err := s.openJournal(); err != nil || s.readOnly {
		return err
	}
	e, err := s.enter(context.Background(), true)
	if err == nil {
		defer e.leave()
		err = s.wait(e)
	}
	if errors.Is(err, ErrNoRoom) {
		return errIncomplete // workspace.json is there, its locks are not
	}
	if err != nil {
		return err
	}
	return s.arrive(context.Background())
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

func formatOf(data []byte) int {
	var w struct {
		FormatVersion int `json:"formatVersion"`
	}
	_ = json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &w)
	return w.FormatVersion
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
		_, err = s.disk.Type(decisionsLog)
	}
	if err != nil && !s.noteReadOnly(err) {
		return s.damagedRun(err)
	}
	return nil
}

// noteReadOnly reports whether err means a room that may only be read.
func (s *Store) noteReadOnly(err error) bool {
	s.readOnly = errors.Is(err, fs.ErrPermission) || isReadOnly(err)
	return s.readOnly
}

// damagedRun is the failure of a room whose run/ directory lost a file. Init
// puts it back.
func (s *Store) damagedRun(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errIncomplete
	}
	return ioError("open the room", err)
}

// errIncomplete says that run/ or index/ has to be made again, which Init
// does.
var errIncomplete = schema.Fail(schema.ReasonStoreFailed,
	"run/ or index/ is missing from .acc/; the next call that writes makes it again from the records.")
