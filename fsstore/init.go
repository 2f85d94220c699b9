package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"acc/schema"
)

// gitignore keeps the room to this machine, this file included. What travels
// with the code is in two folders, and only once there is something in them.
const gitignore = "# The room of this workspace. Only handoffs and decisions travel with the code.\n" +
	"/*\n!/handoffs/\n!/decisions/\n"

// Init opens the room in dir, and makes it first when there is none. Two
// processes may do so at once. A crash in the middle leaves a directory that
// the next Init completes: workspace.json, which marks a room, comes last.
//
// It fails like Open, never with ErrNoRoom.
func Init(dir string, env Env) (*Store, error) {
	s, err := Open(dir, env)
	if err == nil || !errors.Is(err, ErrNoRoom) && !errors.Is(err, errIncomplete) {
		return s, err
	}
	if err := prepare(dir, env); err != nil {
		return nil, ioError("make the room", err)
	}
	return Open(dir, env)
}

// prepare makes whatever a room needs and is not there.
func prepare(dir string, env Env) error {
	if err := os.Mkdir(filepath.Join(dir, roomDir), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	root, err := openRoom(dir)
	if err != nil {
		return err
	}
	s := &Store{env: env, disk: rootDisk{root}, tempPrefix: newTempPrefix()}
	s.damage.log = env.Log
	defer s.disk.Close()
	for _, name := range []string{lockName, liveName} {
		if err := s.touch(name); err != nil {
			return err
		}
	}
	release, err := newRoomLock(filepath.Join(dir, roomDir, filepath.FromSlash(lockName))).
		acquire(context.Background(), true, LockWait)
	if err != nil {
		return err
	}
	defer release()
	return s.complete()
}

// complete runs under the lock of the room that it makes.
func (s *Store) complete() error {
	if err := s.publish(gitignoreName, []byte(gitignore)); err != nil {
		return err
	}
	if err := s.ensureDir(s.tempName()); err != nil {
		return err
	}
	id, err := nextULID("", uint64(s.env.Now().UnixMilli()), s.env.Rand)
	if err != nil {
		return err
	}
	w := &schema.Workspace{
		SchemaVersion: schema.Version, FormatVersion: schema.FormatVersion,
		WorkspaceID: schema.NewID(schema.IDWorkspace, id), CreatedAt: schema.At(s.env.Now()),
	}
	data, err := schema.Encode(w)
	if err != nil {
		return err
	}
	if err := s.completeRun(schema.IDSuffix(w.WorkspaceID)); err != nil {
		return err
	}
	return s.publish(workspaceName, data)
}

// completeRun makes the journal and the indexes where one of them is missing.
func (s *Store) completeRun(lastID string) error {
	for _, name := range []string{journalName, decisionsLog} {
		there, err := s.disk.Exists(name)
		if err != nil {
			return err
		}
		if !there {
			return s.rebuild(lastID)
		}
	}
	return nil
}

// touch makes an empty file unless the name is taken.
func (s *Store) touch(name string) error {
	if err := s.ensureDir(name); err != nil {
		return err
	}
	err := s.disk.Create(name, nil, perm(name))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// publish makes one file durable under its name, unless the name is taken.
func (s *Store) publish(name string, data []byte) error {
	if there, err := s.disk.Exists(name); there || err != nil {
		return err
	}
	if err := s.ensureDir(name); err != nil {
		return err
	}
	temp := s.tempName()
	if err := s.ensureDir(temp); err != nil {
		return err
	}
	if err := s.disk.Create(temp, data, perm(name)); err != nil {
		return err
	}
	if err := s.disk.SyncAll([]string{temp}); err != nil {
		return err
	}
	if err := s.disk.Rename(temp, name); err != nil {
		return err
	}
	return s.disk.SyncAll([]string{name})
}
