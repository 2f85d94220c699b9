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
// with the code is in two folders, and the attributes that Git needs for them;
// none of it is there before something is published.
const gitignore = "# The room of this workspace. Only handoffs and decisions travel with the code.\n" +
	"/*\n!/.gitattributes\n!/handoffs/\n!/decisions/\n"

// Init opens the room in dir, and makes it first when there is none. Two
// processes may do so at once. A crash in the middle leaves a directory that
// the next Init completes: workspace.json, which marks a room, comes last.
//
// It fails like Open, never with ErrNoRoom.
func Init(dir string, env Env) (*Store, error) { return initialise(dir, env, usual()) }

func initialise(dir string, env Env, set settings) (*Store, error) {
	s, err := open(dir, env, set)
	if err == nil || !errors.Is(err, ErrNoRoom) && !errors.Is(err, errIncomplete) {
		return s, err
	}
	if err := prepare(dir, env, set); err != nil {
		return nil, ioError("make the room", err)
	}
	return open(dir, env, set)
}

// prepare makes whatever a room needs and is not there.
func prepare(dir string, env Env, set settings) error {
	if err := os.Mkdir(filepath.Join(dir, roomDir), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s, err := newStore(dir, env, set)
	if err != nil {
		return err
	}
	defer s.release()
	for _, name := range []string{gateName, lockName, liveName} {
		if err := s.touch(name); err != nil {
			return err
		}
	}
	leave, err := s.lock.acquire(context.Background(), true, s.lockWait)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.complete(); err != nil {
		return err
	}
	syncName(dir)
	return nil
}

// syncName makes the name .acc durable in the workspace. The directory is not
// ours and may not be for us to flush; the file systems that were tried keep
// the name with what lies in it.
func syncName(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		f.Close()
	}
}

// complete runs under the lock of the room that it makes.
func (s *Store) complete() error {
	if err := s.publish(gitignoreName, []byte(gitignore)); err != nil {
		return err
	}
	if err := s.makeDir(s.tempName()); err != nil {
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
	journaled, err := taken(s.disk, journalName)
	if err != nil {
		return err
	}
	indexed, err := taken(s.disk, decisionsLog)
	if err != nil || journaled && indexed {
		return err
	}
	if journaled {
		if err := s.salvage(); err != nil {
			return err
		}
	}
	return s.rebuild(lastID)
}

// salvage makes what the journal still covers true and durable before the
// journal is made anew. One without a header has nothing to give: it was not
// finished itself.
func (s *Store) salvage() error {
	if err := s.openJournal(); s.headFile == nil {
		return err
	}
	if _, err := s.journal.readHeader(); errors.Is(err, fs.ErrInvalid) {
		return nil
	}
	h, err := s.recoverAll()
	if err != nil {
		return err
	}
	return s.checkpoint(h)
}

// touch makes an empty file unless the name is taken.
func (s *Store) touch(name string) error {
	err := s.create(name, nil, perm(name))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// publish makes one file durable under its name, unless the name is taken.
func (s *Store) publish(name string, data []byte) error {
	if there, err := taken(s.disk, name); there || err != nil {
		return err
	}
	temp := s.tempName()
	if err := errors.Join(s.makeDir(name), s.create(temp, data, perm(name))); err != nil {
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
