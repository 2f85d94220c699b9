package coordination

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/fsstore/crashdisk"

	"github.com/google/go-cmp/cmp"
)

// stage is the prepared room of an act, and what is in it before and after.
type stage struct {
	act
	t             *testing.T
	world         *world
	args          string
	disk          *crashdisk.Disk
	before, after content
}

// prepare plays what comes before the act. Its processes are killed, so that
// all that was acknowledged until now is on the disk through the journal alone.
func (a act) prepare(t *testing.T) *stage {
	t.Helper()
	w := newWorld(t)
	if err := crashdisk.MakeLocks(w.dir); err != nil {
		t.Fatal(err)
	}
	d := crashdisk.New(func() time.Time { return w.now })
	w.disk = crashdisk.Instead(d)
	s := &stage{act: a, t: t, world: w}
	s.args = a.given(w)
	d.PowerOff()
	for _, c := range w.ran {
		_ = c.room.Close()
	}
	s.disk = d.AfterKill()
	s.shortenJournal()
	before, after := s.disk.Clone(), s.disk.Clone()
	s.before, before = s.reopen(before)
	s.examine(before)
	if was := roomOn(s.disk); len(was) > 0 {
		s.same("opening the room changes it", was, s.before)
	}
	if err := s.perform(after); err != nil {
		t.Fatal(err)
	}
	s.after, after = s.reopen(after.AfterKill())
	s.examine(after)
	if cmp.Equal(s.before, s.after) {
		t.Fatal("the act changes nothing")
	}
	return s
}

// shortenJournal takes away what the journal has not used, so that copying a
// disk is quick. Writing makes it longer again.
func (s *stage) shortenJournal() {
	f, err := s.disk.Open("run/journal", false, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = errors.Join(f.Truncate(64<<10), f.Sync())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// on is the same workspace on another disk, with nobody in it.
func (s *stage) on(d *crashdisk.Disk) *world {
	w := *s.world
	w.disk, w.ran, w.alive = crashdisk.Instead(d), nil, map[int]bool{}
	w.rand = &sharedRand{random: rand.NewChaCha8([32]byte{2})}
	return &w
}

func (s *stage) start(d *crashdisk.Disk) *client {
	return s.on(d).unwatched("alice", fsstore.Process{Host: "box", PID: 100, Start: "100"})
}

func (s *stage) do(c *client) error {
	if s.call != nil {
		return s.call(c, s.args)
	}
	_, err := c.call(s.what, s.args)
	return err
}

// perform is the life of a process that acts once.
func (s *stage) perform(d *crashdisk.Disk) error {
	c := s.start(d)
	err := s.do(c)
	_ = c.room.Close()
	return err
}

func (s *stage) same(label string, want, got content) {
	s.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Fatalf("%s (-want +got):\n%s", label, diff)
	}
}

// wholeOrAbsent holds a room to what the act answered.
func (s *stage) wholeOrAbsent(label string, answer error, got content) (whole bool) {
	s.t.Helper()
	if answer == nil || !cmp.Equal(s.before, got) {
		s.same(label+": the act is neither whole nor absent", s.after, got)
		return true
	}
	return false
}

// again makes the call once more and leaves.
func (s *stage) again(label string, d *crashdisk.Disk, whole bool) {
	s.t.Helper()
	s.repeated(label, d, whole, s.perform(d))
}

// repeated holds the room to what the call makes of it, when it was repeated.
func (s *stage) repeated(label string, d *crashdisk.Disk, whole bool, answer error) {
	s.t.Helper()
	if answer != nil && (!whole || strings.Contains(s.args, "clientMessageId")) {
		s.t.Fatalf("%s: the call fails again: %v", label, answer)
	}
	got, _ := s.look(d.AfterPowerCut(crashdisk.Nothing()))
	switch {
	case !whole || s.repeat == once:
		s.same(label+": repeated, it is not once", s.after, got)
	case s.repeat == noted:
		s.same(label+": repeated, it is not once", s.after.records(), got.records())
	}
}
