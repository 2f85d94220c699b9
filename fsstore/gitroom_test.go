package fsstore

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

// site is a room in a Git repository, as one process has it open.
type site struct {
	t   testing.TB
	dir string // top of the main worktree
	w   Workspace
	s   *Store
	log *testLog
}

// newSite makes a repository and opens the room in it.
func newSite(t testing.TB) *site {
	t.Helper()
	return openSite(t, gittest.NewRepo(t, filepath.Join(gittest.TempDir(t), "project")), 1)
}

// openSite opens the room of a repository. Rooms differ by their seed.
func openSite(t testing.TB, dir string, seed byte) *site {
	t.Helper()
	g := &site{t: t, dir: dir, log: &testLog{}}
	g.w = g.locate(dir)
	env := testEnv(newTestClock(), g.log)
	env.Rand = seeded(seed)
	var err error
	if g.s, err = Init(g.w.Root, env); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.s.Close() })
	return g
}

func (g *site) locate(dir string) Workspace {
	g.t.Helper()
	w, err := Locate(dir)
	if err != nil {
		g.t.Fatal(err)
	}
	return w
}

// clone makes a second repository that knows the first, with its own room.
func (g *site) clone(seed byte, options ...string) *site {
	g.t.Helper()
	dir := filepath.Join(gittest.TempDir(g.t), "clone")
	gittest.Run(g.t, g.dir, append(append([]string{"clone", "-q"}, options...), g.dir, dir)...)
	return openSite(g.t, dir, seed)
}

// worktree adds a linked worktree on a branch of that name.
func (g *site) worktree(branch string) string {
	g.t.Helper()
	dir := filepath.Join(filepath.Dir(g.dir), branch)
	gittest.Run(g.t, g.dir, "worktree", "add", "-q", "-b", branch, dir)
	return dir
}

// handoff finishes a session that works in a checkout.
func (g *site) handoff(who, checkout string, to ...string) *schema.Message {
	g.t.Helper()
	me := join(g.t, g.s, who)
	return g.publish(checkout, func(tx *Tx) (*schema.Message, error) { return finishTx(tx, me, note(to...)) })
}

func (g *site) decide(me schema.Session, checkout string, change *schema.DecisionChange) *schema.Message {
	g.t.Helper()
	l := letter{kind: schema.Decision, obligation: schema.OweNothing, change: change}
	return g.publish(checkout, func(tx *Tx) (*schema.Message, error) { return sendTx(tx, me, l) })
}

func (g *site) publish(checkout string, send func(*Tx) (*schema.Message, error)) *schema.Message {
	g.t.Helper()
	w := g.locate(checkout)
	var m *schema.Message
	update(g.t, g.s, func(tx *Tx) (err error) {
		if m, err = send(tx); err != nil {
			return err
		}
		return tx.Publish(m, w)
	})
	return m
}

// imports imports, and returns how many messages came.
func (g *site) imports() int {
	g.t.Helper()
	n, err := g.s.Import(context.Background(), g.w)
	if err != nil {
		g.t.Fatal(err)
	}
	return n
}

// commit commits everything that git status shows in a checkout.
func commitAll(t testing.TB, checkout string) {
	t.Helper()
	gittest.Run(t, checkout, "add", "-A")
	gittest.Run(t, checkout, "commit", "-q", "-m", "work")
}

func status(t testing.TB, checkout string) string {
	t.Helper()
	return gittest.Run(t, checkout, "status", "--porcelain", "-uall")
}

func publishedFile(checkout string, m *schema.Message) string {
	return filepath.Join(checkout, roomDir, filepath.FromSlash(publishedName(m.MessageID, m.Kind)))
}

func storedFile(g *site, m *schema.Message) string {
	return filepath.Join(g.dir, roomDir, filepath.FromSlash(messageName(m.MessageID, m.Kind)))
}

func mustRead(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// has fails the test unless the room holds exactly those messages.
func (g *site) has(want ...*schema.Message) {
	g.t.Helper()
	view(g.t, g.s, func(v *View) error {
		if n := v.MessageCount(); n != int64(len(want)) {
			g.t.Errorf("the room holds %d messages, want %d", n, len(want))
		}
		for _, m := range want {
			if _, err := v.Message(m.MessageID); err != nil {
				g.t.Errorf("%s: %v", m.MessageID, err)
			}
		}
		return nil
	})
}

// events lists the types of all events, from the given one on.
func (g *site) eventsOf(kind schema.EventType) (found []schema.Event) {
	g.t.Helper()
	view(g.t, g.s, func(v *View) error {
		all, err := allEvents(v)
		for _, e := range all {
			if e.Type == kind {
				found = append(found, e)
			}
		}
		return err
	})
	return found
}

// warned counts the lines of the log that name something.
func (g *site) warned(text string) int { return strings.Count(g.log.String(), text) }

func seeded(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }
