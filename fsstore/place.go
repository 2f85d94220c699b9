package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"acc/fsstore/gitrepo"
	"acc/schema"
)

// publishOne makes the file appear, unless somebody else has seen to it.
func (s *Store) publishOne(p Publication) error {
	if waits, err := taken(s.disk, outboxName(p.MessageID)); err != nil || !waits {
		return err
	}
	data, err := s.disk.Read(messageName(p.MessageID, p.Kind))
	if err != nil {
		return err
	}
	if err := schema.Decode(data, &schema.Message{}); err != nil {
		return err
	}
	if p.Checkout == "" {
		return publishInto(s.disk, s.tempName(), p, data)
	}
	d, err := s.openCheckout(p.Checkout)
	if err != nil {
		return err
	}
	defer d.Close()
	// Every process that sees the note may be at it, so each has its own name.
	temp := s.tempPrefix + tempExt
	s.sweepCheckout(d)
	if err := placeOnce(d, temp, gitignoreName, []byte(gitignore)); err != nil && !errors.Is(err, errTaken) {
		return err
	}
	return publishInto(d, temp, p, data)
}

// tempExt ends the name of a file that is on its way into another checkout.
const tempExt = ".tmp"

// sweepCheckout removes what killed processes left in another checkout.
func (s *Store) sweepCheckout(d disk) {
	entries, err := d.List(".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), tempExt) && s.outlived(e) {
			_ = d.Remove(e.Name())
		}
	}
}

func publishInto(d disk, temp string, p Publication, data []byte) error {
	if p.Attributes {
		if err := placeOnce(d, temp, gitattributes, []byte(attributes)); err != nil && !errors.Is(err, errTaken) {
			return err
		}
	}
	return placeOnce(d, temp, publishedName(p.MessageID, p.Kind), data)
}

var errNoWorktree = errors.New("it is no worktree of the room's repository, or none any more")

// openCheckout opens .acc/ in another worktree to publish there, and makes it
// first when there is none. A note may have been planted: nothing is written
// to what is not a worktree of the room's own repository.
func (s *Store) openCheckout(top string) (disk, error) {
	repo, ok, err := gitrepo.Find(s.dir)
	if err != nil || !ok || top != repo.Main && !repo.IsLinkedWorktree(top) {
		return nil, errors.Join(errNoWorktree, err)
	}
	if err := os.Mkdir(filepath.Join(top, roomDir), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return openTree(top)
}

// openTree opens .acc/ of a checkout; ErrNoRoom when there is none.
func openTree(top string) (disk, error) {
	root, err := openRoom(top)
	if err != nil {
		return nil, err
	}
	d, err := newRootDisk(root)
	if err != nil {
		root.Close()
		return nil, err
	}
	return d, nil
}

var errTaken = errors.New("the name is taken by something else, which is left as it is")

// placeOnce makes a file appear whole and durable, or finds it there.
func placeOnce(d disk, temp, name string, data []byte) error {
	have, err := d.Read(name)
	switch {
	case err == nil && bytes.Equal(have, data):
		// Whoever put it there may have been killed before its sync.
		return d.SyncAll([]string{name})
	case !errors.Is(err, fs.ErrNotExist):
		return errors.Join(errTaken, err)
	}
	for _, file := range []string{temp, name} {
		if err := d.Mkdir(path.Dir(file), dirPerm(path.Dir(file))); err != nil {
			return err
		}
	}
	if err := d.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.Create(temp, data, perm(name)); err != nil {
		return err
	}
	if err := d.SyncAll([]string{temp}); err != nil {
		return err
	}
	if err := d.Rename(temp, name); err != nil {
		return err
	}
	return d.SyncAll([]string{name})
}
