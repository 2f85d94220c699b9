package fsstore

import (
	"context"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/fsstore/crashdisk"
	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

func TestPublishInMainWorktree(t *testing.T) {
	g := newSite(t)
	alice := join(t, g.s, "alice")
	for range 3 {
		send(t, g.s, alice, note())
	}
	if got := status(t, g.dir); got != "" {
		t.Errorf("before the first handoff git status says %q", got)
	}
	m := g.decide(alice, g.dir, nil)
	h := g.handoff("bob", g.dir)
	want := "?? .acc/.gitattributes\n?? .acc/decisions/" + m.MessageID + ".json\n?? .acc/handoffs/" + h.MessageID + ".json"
	if got := status(t, g.dir); got != want {
		t.Errorf("git status says\n%s\nwant\n%s", got, want)
	}
	for _, m := range []*schema.Message{m, h} {
		if mustRead(t, publishedFile(g.dir, m)) != mustRead(t, storedFile(g, m)) {
			t.Errorf("%s: the published file is not the stored one", m.Kind)
		}
	}
	if left, err := g.s.Unpublished(); err != nil || len(left) > 0 {
		t.Errorf("left to publish: %v, %v", left, err)
	}
	if g.imports() != 0 {
		t.Error("the room imports its own files")
	}
}

func TestPublishInLinkedWorktree(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	m := g.handoff("alice", linked)
	if got := status(t, g.dir); got != "" {
		t.Errorf("git status of the main worktree says %q", got)
	}
	if got, want := status(t, linked), "?? .acc/.gitattributes\n?? .acc/handoffs/"+m.MessageID+".json"; got != want {
		t.Errorf("git status says\n%s\nwant\n%s", got, want)
	}
	if mustRead(t, publishedFile(linked, m)) != mustRead(t, storedFile(g, m)) {
		t.Error("the published file is not the stored one")
	}
	if mustRead(t, filepath.Join(linked, roomDir, gitignoreName)) != gitignore {
		t.Error("the worktree has another .gitignore than the room")
	}
	entries, _ := os.ReadDir(filepath.Join(linked, roomDir))
	if len(entries) != 3 {
		t.Errorf("the .acc/ of the worktree holds %v", entries)
	}
	if w := g.locate(linked); w.Root != g.dir || w.Checkout != linked {
		t.Errorf("the published folder became a room: %+v", w)
	}
}

// Git refuses a merge that brings a file which lies untracked in the way. So
// .gitattributes is made in one place only.
func TestAttributesOnce(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	g.handoff("alice", linked)
	commitAll(t, linked)
	g.handoff("bob", g.dir) // not committed
	if exists(filepath.Join(g.dir, roomDir, gitattributes)) {
		t.Error("there is a second .gitattributes")
	}
	gittest.Run(t, g.dir, "merge", "-q", "feature")
	gittest.Run(t, g.dir, "checkout", "-q", "-b", "older", "HEAD~1")
	g.handoff("carol", g.dir)
	gittest.Run(t, g.dir, "checkout", "-q", "main")
	if g.imports() != 0 {
		t.Error("known files were imported")
	}
}

func TestCheckoutIsGone(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	w := g.locate(linked)
	gittest.Run(t, g.dir, "worktree", "remove", linked)
	me := join(t, g.s, "alice")
	var m *schema.Message
	update(t, g.s, func(tx *Tx) (err error) {
		if m, err = finishTx(tx, me, note()); err != nil {
			return err
		}
		return tx.Publish(m, w)
	})
	g.has(m)
	for range 3 {
		g.imports()
	}
	if n := g.warned(m.MessageID); n != 1 {
		t.Errorf("warned %d times", n)
	}
	left, err := g.s.Unpublished()
	if err != nil || len(left) != 1 || left[0].MessageID != m.MessageID || left[0].Checkout != linked {
		t.Fatalf("left to publish: %+v, %v", left, err)
	}
	if exists(linked) {
		t.Error("the removed worktree was made anew")
	}
	gittest.Run(t, g.dir, "worktree", "add", "-q", linked, "feature")
	g.imports()
	if !exists(publishedFile(linked, m)) {
		t.Error("it was not published when the worktree came back")
	}
	if left, _ := g.s.Unpublished(); len(left) != 0 {
		t.Errorf("left to publish: %+v", left)
	}
}

func TestForgetPublication(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	if err := os.WriteFile(filepath.Join(linked, roomDir), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	m := g.handoff("alice", linked)
	if left, _ := g.s.Unpublished(); len(left) != 1 {
		t.Fatalf("left to publish: %+v", left)
	}
	if err := g.s.Forget(context.Background(), m.MessageID); err != nil {
		t.Fatal(err)
	}
	if left, _ := g.s.Unpublished(); len(left) != 0 {
		t.Errorf("left to publish: %+v", left)
	}
}

// A link among the published folders leads nowhere.
func TestPlantedFolder(t *testing.T) {
	g := newSite(t)
	outside := gittest.MakeDir(t, t.TempDir(), "outside")
	gittest.Link(t, outside, filepath.Join(g.dir, roomDir, handoffsDir))
	m := g.handoff("alice", g.dir)
	g.has(m)
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("the link was followed: %v", entries)
	}
	if left, _ := g.s.Unpublished(); len(left) != 1 {
		t.Errorf("left to publish: %v", left)
	}
	if g.imports() != 0 {
		t.Error("something was imported")
	}
}

// TestPublishCrash kills the process, or cuts the power, at every operation
// between the decision and the published file.
func TestPublishCrash(t *testing.T) {
	crashes := map[string]func(*crashdisk.Disk, int) *crashdisk.Disk{
		"killed": func(d *crashdisk.Disk, _ int) *crashdisk.Disk { return d.AfterKill() },
		"power cut": func(d *crashdisk.Disk, k int) *crashdisk.Disk {
			return d.AfterPowerCut(crashdisk.Some(mathrand.New(mathrand.NewPCG(uint64(k), 5))))
		},
	}
	for label, crash := range crashes {
		t.Run(label, func(t *testing.T) {
			for k := 0; ; k++ {
				d := crashdisk.New(newTestClock().now)
				d.PowerOffAt = k
				p := newPlay(t, d)
				err := p.publish()
				p.die()
				over := !d.Off
				d = crash(d, k)
				p.on(d)
				if err := p.open(); err != nil {
					t.Fatalf("crash %d: %v", k, err)
				}
				checkPublished(t, p, d, k)
				p.die()
				if over {
					if err != nil {
						t.Error(err)
					}
					t.Logf("%d operations", k)
					return
				}
			}
		})
	}
}

func (p *play) publish() error {
	if err := p.open(); err != nil {
		return err
	}
	err := p.update(func(tx *Tx) error {
		me, err := joinTx(tx, "alice")
		if err != nil {
			return err
		}
		m, err := finishTx(tx, me, note())
		if err != nil {
			return err
		}
		return tx.Publish(m, Workspace{Root: p.dir, Checkout: p.dir})
	})
	if err != nil {
		return err
	}
	return p.s.Close()
}

// checkPublished holds the room to it: what is in it is published, and nothing
// else is.
func checkPublished(t *testing.T, p *play, d *crashdisk.Disk, k int) {
	t.Helper()
	files := d.Tree()
	var stored, published []string
	for name, data := range files {
		switch {
		case strings.HasPrefix(name, messagesDir+"/") && strings.HasSuffix(name, jsonExt):
			stored = append(stored, data)
		case strings.HasPrefix(name, handoffsDir+"/") && strings.HasSuffix(name, jsonExt):
			published = append(published, data)
		case strings.HasPrefix(name, outboxDir+"/"):
			t.Errorf("crash %d: %s is left", k, name)
		}
	}
	if len(stored) != len(published) || len(stored) > 0 && stored[0] != published[0] {
		t.Errorf("crash %d: %d stored, %d published", k, len(stored), len(published))
	}
}

// What Git takes away does not come back, also not out of the journal.
func TestRemovedFilesStayAway(t *testing.T) {
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	commitAll(t, g.dir)
	gittest.Run(t, g.dir, "checkout", "-q", "-b", "older", "HEAD~1")
	g.s.release() // killed: the journal was not cut
	again := openSite(t, g.dir, 2)
	before := len(again.eventsOf(schema.EventMessageImported))
	if again.imports() != 0 || exists(publishedFile(g.dir, m)) {
		t.Error("the file came back")
	}
	if got := status(t, g.dir); got != "" {
		t.Errorf("git status says %q", got)
	}
	again.has(m)
	gittest.Run(t, g.dir, "checkout", "-q", "main")
	if again.imports() != 0 || len(again.eventsOf(schema.EventMessageImported)) != before {
		t.Error("a known file was imported")
	}
}

// Where a message appears depends on where its author works.
func TestWherePublished(t *testing.T) {
	top := gittest.TempDir(t)
	plain := gittest.MakeDir(t, top, "plain")
	repo := gittest.NewRepo(t, filepath.Join(top, "repo"))
	nested := gittest.MakeDir(t, repo, "tools")
	if _, err := Init(nested, testEnv(newTestClock(), &testLog{})); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(top, "bare.git")
	gittest.Run(t, repo, "clone", "-q", "--bare", repo, bare)
	tree := filepath.Join(top, "tree")
	gittest.Run(t, bare, "worktree", "add", "-q", tree, "main")
	for _, test := range []struct{ label, start, room, checkout string }{
		{"outside Git", plain, plain, plain},
		{"in a subdirectory", filepath.Join(repo, "src"), repo, repo},
		{"in a room of its own below the top", nested, nested, nested},
		{"in a worktree of a bare repository", tree, bare, tree},
		{"in a bare repository", bare, bare, bare},
	} {
		t.Run(test.label, func(t *testing.T) {
			g := openSite(t, test.start, 1)
			if g.w.Root != test.room {
				t.Fatalf("the room is in %s", g.w.Root)
			}
			m := g.handoff("alice", test.start)
			if !exists(publishedFile(test.checkout, m)) {
				t.Errorf("nothing appeared in %s", test.checkout)
			}
			if g.imports() != 0 {
				t.Error("it was imported")
			}
		})
	}
}

// Every process that sees the note of a publication may be at it. The one that
// sends must find the file there when it returns, and never a torn one.
func TestPublishSideBySide(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	other := openSite(t, g.dir, 2)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				other.s.PublishLeft(context.Background())
			}
		}
	}()
	me := join(t, g.s, "alice")
	for range 30 {
		m := g.decide(me, linked, nil)
		if mustRead(t, publishedFile(linked, m)) != mustRead(t, storedFile(g, m)) {
			t.Error("the published file is not the stored one")
		}
	}
	close(stop)
	<-done
	if n := g.warned("could not be published"); n != 0 {
		t.Errorf("%d publications failed", n)
	}
}

// Whoever can write into .acc/ can plant a note. It does not lead out of the
// repository.
func TestPlantedNoteLeadsNowhere(t *testing.T) {
	g := newSite(t)
	m := g.decide(join(t, g.s, "alice"), g.dir, nil)
	foreign := gittest.NewRepo(t, filepath.Join(gittest.TempDir(t), "foreign"))
	gittest.PutFile(t, filepath.Join(g.dir, roomDir, filepath.FromSlash(outboxName(m.MessageID))),
		`{"schemaVersion":1,"messageId":"`+m.MessageID+`","kind":"decision","checkout":"`+foreign+`","attributes":true}`)
	g.s.PublishLeft(context.Background())
	if exists(filepath.Join(foreign, roomDir)) {
		t.Error("the note made .acc/ in another repository")
	}
	if g.warned("could not be published") != 1 {
		t.Errorf("not reported: %s", g.log)
	}
}
