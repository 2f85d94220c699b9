package fsstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"acc/schema"
)

// RebuildIndex makes index/ and the journal anew from the records, also while
// others have the room open: they notice, and open it again. It fails like
// Init and Update.
func RebuildIndex(ctx context.Context, dir string, env Env) error {
	s, err := Init(dir, env)
	if err != nil {
		return err
	}
	err = s.whileWhole(ctx, s.rebuildIndex)
	_ = s.Close()
	if err != nil {
		return err
	}
	// What this store had open is gone. The head is made by whoever is next.
	if s, err = Init(dir, env); err != nil {
		return err
	}
	return s.Close()
}

func (s *Store) rebuildIndex(h head) error {
	// The journal covers what is not durable yet, and is about to go.
	if err := s.checkpoint(h); err != nil {
		return err
	}
	// From here on a crash leaves a room that asks for this very rebuild.
	if err := s.disk.Remove(decisionsLog); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("rebuild the index", err)
	}
	if err := s.dropKeys(); err != nil {
		return ioError("rebuild the index", err)
	}
	if err := s.rebuild(h.State.LastID); err != nil {
		return ioError("rebuild the index", err)
	}
	return nil
}

// dropKeys removes the files of keys, those of messages that are gone too.
func (s *Store) dropKeys() error {
	owners, err := s.disk.List(keysDir)
	if err != nil {
		return err
	}
	for _, owner := range owners {
		dir := path.Join(keysDir, owner.Name())
		if !owner.IsDir() {
			continue
		}
		keys, err := s.disk.List(dir)
		if err != nil {
			return err
		}
		for _, k := range keys {
			name := path.Join(dir, k.Name())
			if record, ours := recordAt(name); !ours || record == nil || !k.Type().IsRegular() {
				continue
			}
			if err := s.disk.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// Sweep removes what killed processes left and nobody uses any more: temporary
// files, and signs of life that say nothing.
func (s *Store) Sweep() { s.sweep() }

// MakePrivate takes the rights of others away from everything that may hold a
// secret, in the room in dir, and lists what was open to them. It opens no
// room: the file modes do not depend on what is in the files.
func MakePrivate(dir string) (mended []string, err error) {
	root, err := openRoom(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, top := range []string{sessionsDir, runDir} {
		err := fs.WalkDir(root.FS(), top, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() && !e.Type().IsRegular() {
				return nil
			}
			info, err := e.Info()
			if err != nil || !Exposed(name, info.Mode()) {
				return nil
			}
			if err := root.Chmod(name, info.Mode().Perm()&0o700); err != nil {
				return err
			}
			mended = append(mended, name)
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return mended, ioError("take the rights of others away", err)
		}
	}
	return mended, nil
}

// Exposed reports whether others than the owner may open what is private. A
// file in run/tmp has the rights of what it is to become; the directory keeps
// others from it.
func Exposed(name string, mode fs.FileMode) bool {
	private := perm(name+"/") == 0o600 && path.Dir(name) != tmpDir
	return private && os.PathSeparator == '/' && mode.Perm()&0o077 != 0
}

// DeadSign reports whether a sign of life is that of a process of this host
// that is known to be dead.
func (e Env) DeadSign(p *schema.Presence) bool {
	return e.dead(Process{Host: p.Host, PID: p.PID, Start: p.ProcessStart})
}

func (e Env) dead(proc Process) bool {
	return proc.PID > 0 && proc.Start != "" && proc.Host == e.Process.Host && !e.Alive(proc)
}

// TryRename tries in run/tmp whether a rename replaces a file, as every write
// of the store does.
func (s *Store) TryRename() error {
	one, other := s.tempName(), s.tempName()
	defer func() { _ = s.disk.Remove(one); _ = s.disk.Remove(other) }()
	if err := errors.Join(s.disk.Create(one, []byte("new"), perm(one)), s.disk.Create(other, []byte("old"), perm(other))); err != nil {
		return err
	}
	if err := s.disk.Rename(one, other); err != nil {
		return err
	}
	data, err := s.disk.Read(other)
	if err == nil && string(data) != "new" {
		err = errors.New("the old file is still there")
	}
	return err
}
