package fsstore

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"acc/schema"
)

// scan looks through the published files of a workspace. It holds no lock:
// these files belong to Git as much as to the room.
type scan struct {
	store *Store
	ctx   context.Context
	// known skips the files that were judged before, and the folders that
	// nobody has touched since.
	known  *imports
	found  []arrival          // files that the room does not know, by id
	bad    []Problem          // what is no published file
	seen   map[string]version // files that need no second look
	stamps map[string]int64   // when the folders that hold nothing else changed
}

// Problem is a file among the published ones that was not taken in.
type Problem struct {
	File string // absolute
	Err  error  // nil when the room merely has not imported it yet
}

// version tells whether a file was replaced.
type version struct{ size, changed int64 }

// settledAfter is how long a directory must have been left alone before its
// time says that it has not changed since: file systems count time in steps.
const settledAfter = 3 * time.Second

func (s *Store) look(ctx context.Context, w Workspace, known *imports) (*scan, error) {
	sc := &scan{store: s, ctx: ctx, known: known, seen: map[string]version{}, stamps: map[string]int64{}}
	for _, tree := range w.trees() {
		if err := sc.tree(tree); err != nil {
			return sc, err
		}
	}
	slices.SortStableFunc(sc.found, func(a, b arrival) int { return strings.Compare(a.message.MessageID, b.message.MessageID) })
	return sc, nil
}

// tree looks through the folders of one checkout that changed.
func (sc *scan) tree(top string) error {
	changed := map[string]int64{} // folders, and until when all in them is known
	for _, folder := range publishedFolders() {
		dir := filepath.Join(top, roomDir, folder)
		info, err := os.Lstat(dir)
		if err != nil {
			continue // nothing was published there
		}
		stamp := info.ModTime().UnixNano()
		if age := sc.store.env.Now().Sub(info.ModTime()); age > settledAfter {
			sc.stamps[dir] = stamp
		}
		if known := sc.known.stamps[dir]; known > stamp {
			changed[folder] = 0 // the clock went back: times tell nothing
		} else if known != stamp {
			changed[folder] = known
		}
	}
	if len(changed) == 0 {
		return nil
	}
	d, err := openTree(top)
	if err != nil {
		sc.report(filepath.Join(top, roomDir), err)
		return nil
	}
	defer d.Close()
	for folder, until := range changed {
		if err := sc.folder(d, top, folder, until); err != nil {
			return err
		}
	}
	return nil
}

// folder judges the files of one folder. Those that have not changed since the
// folder was in order as a whole are as they were then.
func (sc *scan) folder(d disk, top, folder string, until int64) error {
	dir := filepath.Join(top, roomDir, folder)
	entries, err := d.List(folder)
	if err != nil {
		sc.report(dir, err)
		return nil
	}
	for _, e := range entries {
		if err := sc.ctx.Err(); err != nil {
			return err
		}
		name := path.Join(folder, e.Name())
		id, ok := parseID(schema.IDMessage, e.Name())
		switch {
		case !ok: // somebody's own file, such as a README
			sc.bad = append(sc.bad, Problem{filepath.Join(dir, e.Name()), errForeign})
		case !e.Type().IsRegular():
			sc.report(filepath.Join(dir, e.Name()), errNotRegular)
		default:
			sc.file(d, dir, name, e, until, MessageRef{id, publishedKinds[folder]})
		}
	}
	return nil
}

// report keeps a folder from being taken for read: the file is looked at
// again, here and by the next process.
func (sc *scan) report(file string, err error) {
	sc.bad = append(sc.bad, Problem{file, err})
	delete(sc.stamps, filepath.Dir(file))
}
