package fsstore

import (
	"crypto/rand"
	"io/fs"
	"path"
	"time"
)

// logCache keeps the log files open that were last appended to: opening one
// costs more than the append.
type logCache struct{ open map[string]file }

// maxOpenLogs covers the current file of the event log, the decisions index
// and the turn to a new file.
const maxOpenLogs = 4

func (c *logCache) get(d disk, name string) (file, error) {
	if f, ok := c.open[name]; ok {
		return f, nil
	}
	f, err := d.Open(name, true, perm(name))
	if err != nil {
		return nil, err
	}
	if c.open == nil || len(c.open) >= maxOpenLogs {
		c.close()
		c.open = map[string]file{}
	}
	c.open[name] = f
	return f, nil
}

func (c *logCache) close() {
	for _, f := range c.open {
		_ = f.Close()
	}
	c.open = nil
}

// append puts bytes at their place in a log. Doing it twice is doing it once.
func (s *Store) append(o op) error {
	if err := s.ensureDir(o.Name); err != nil {
		return err
	}
	f, err := s.logs.get(s.disk, o.Name)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(o.data, o.Offset); err != nil {
		_ = f.Truncate(o.Offset)
	}
	return err
}

// ensureDir makes the directory of a file. Each one is made once a process.
func (s *Store) ensureDir(name string) error {
	dir := path.Dir(name)
	if _, made := s.made.Load(dir); made {
		return nil
	}
	if err := s.disk.Mkdir(dir, dirPerm(dir)); err != nil {
		return err
	}
	s.made.Store(dir, true)
	return nil
}

// tempName is a name in run/tmp that no process uses: the random part differs
// between processes, the number within one.
func (s *Store) tempName() string {
	return path.Join(tmpDir, s.tempPrefix+"."+itoa(s.tempCount.Add(1)))
}

func newTempPrefix() string { return rand.Text()[:12] }

// tempAge is how old a temporary file must be before it counts as left behind
// by a writer that was killed.
const tempAge = time.Hour

// sweepTemporary removes what killed writers left in run/tmp.
func (s *Store) sweepTemporary() {
	entries, err := s.disk.List(tmpDir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if s.abandoned(e) {
			_ = s.disk.Remove(path.Join(tmpDir, e.Name()))
		}
	}
}

func (s *Store) abandoned(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && s.env.Now().Sub(info.ModTime()) > tempAge
}
