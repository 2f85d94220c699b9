package fsstore

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"path"
	"time"

	"acc/schema"
)

// logCache keeps the log files open that were last appended to: opening one
// costs more than the append.
type logCache struct{ open map[string]file }

// maxOpenLogs covers the current file of the event log, the decisions index
// and the turn to a new file.
const maxOpenLogs = 4

// get opens a log, or finds it open. A log that was removed or replaced by
// hand is opened anew: what goes to the old one nobody would see.
func (c *logCache) get(d disk, name string) (file, error) {
	if f, ok := c.open[name]; ok {
		if d.Same(name, f) {
			return f, nil
		}
		c.close()
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
	f, err := s.logs.get(s.disk, o.Name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.makeDir(o.Name); err != nil {
			return err
		}
		f, err = s.logs.get(s.disk, o.Name)
	}
	if err != nil {
		return err
	}
	data, off := o.data, o.Offset
	size, err := f.Size()
	if err != nil {
		return err
	}
	if size < off {
		// Lines before it were removed by hand. What stands there instead is
		// one damaged line, which ends where the last of them did.
		data, off = append([]byte("\n"), data...), off-1
	}
	_, err = f.WriteAt(data, off)
	return err
}

// cutLog takes back what append may have written. What it leaves lies behind
// the end that the head knows, so a failure costs space and nothing else.
func (s *Store) cutLog(o op) {
	if f, err := s.logs.get(s.disk, o.Name); err == nil {
		_ = f.Truncate(o.Offset)
	}
}

// create makes a file in a directory that this process has made once; it is
// made again when it was removed by hand.
func (s *Store) create(name string, data []byte, mode fs.FileMode) error {
	err := s.disk.Create(name, data, mode)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.makeDir(name); err != nil {
		return err
	}
	return s.disk.Create(name, data, mode)
}

// makeDir makes the directory of a file.
func (s *Store) makeDir(name string) error {
	dir := path.Dir(name)
	return s.disk.Mkdir(dir, dirPerm(dir))
}

// tempName is a name in run/tmp that no process uses: the random part differs
// between processes, the number within one.
func (s *Store) tempName() string {
	return path.Join(tmpDir, s.tempPrefix+"."+itoa(s.tempCount.Add(1)))
}

func newTempPrefix() string { return rand.Text()[:12] }

// tempAge is how old a temporary file or a sign of life must be before it
// counts as left behind by a process that was killed.
const tempAge = time.Hour

// sweep removes what killed processes left: temporary files, and signs of
// life older than any that still says something.
func (s *Store) sweep() {
	for _, dir := range []string{tmpDir, presenceDir} {
		entries, err := s.disk.List(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if s.abandoned(dir, e) {
				_ = s.disk.Remove(path.Join(dir, e.Name()))
			}
		}
	}
}

func (s *Store) abandoned(dir string, e fs.DirEntry) bool {
	if _, _, ok := parsePresence(e.Name()); dir == presenceDir && !ok {
		return false // not ours
	}
	return s.outlived(e) && !s.liveSign(path.Join(dir, e.Name()))
}

// liveSign reports whether a file is the sign of a process that is known to
// live: it may idle for as long as it likes.
func (s *Store) liveSign(name string) bool {
	var p schema.Presence
	data, err := s.disk.Read(name)
	return err == nil && schema.Decode(data, &p) == nil && p.ProcessStart != "" && p.Host == s.env.Process.Host && !s.env.DeadSign(&p)
}

// outlived reports whether a file is older than any process would leave it.
func (s *Store) outlived(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && s.env.Now().Sub(info.ModTime()) > tempAge
}
