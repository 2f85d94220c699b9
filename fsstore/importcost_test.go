package fsstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

// publishMany copies one handoff under other ids, into a folder that nobody
// has touched for a while.
func publishMany(t testing.TB, g *site, m *schema.Message, count int) {
	t.Helper()
	text := mustRead(t, publishedFile(g.dir, m))
	dir := filepath.Join(g.dir, roomDir, handoffsDir)
	suffix := schema.IDSuffix(m.MessageID)
	const digits = "0123456789abcdefghjkmnpqrstvwxyz"
	for i := range count {
		id := suffix[:22] + string([]byte{digits[i>>15&31], digits[i>>10&31], digits[i>>5&31], digits[i&31]})
		gittest.PutFile(t, filepath.Join(dir, "message_"+id+jsonExt), strings.ReplaceAll(text, suffix, id))
	}
	leaveAlone(t, dir)
}

// leaveAlone makes a directory look as if nobody had touched it for a while.
func leaveAlone(t testing.TB, dir string) {
	t.Helper()
	if err := os.Chtimes(dir, time.Time{}, testStart.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
}

// TestImportCost holds looking again to no read at all, in this process and in
// the next.
func TestImportCost(t *testing.T) {
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	publishMany(t, g, m, 300)
	if n := g.imports(); n != 300 {
		t.Fatalf("%d messages were imported", n)
	}
	g.imports() // finds them all in the room
	counted := &counter{disk: g.s.disk}
	g.s.disk = counted
	g.imports()
	if counted.n > 2 {
		t.Errorf("looking again costs %d operations in the room", counted.n)
	}
	next := openSite(t, g.dir, 3)
	counted = &counter{disk: next.s.disk}
	next.s.disk = counted
	if next.imports() != 0 || counted.n > 3 {
		t.Errorf("the next process has %d operations in the room", counted.n)
	}
	// One more file is found although the others are known.
	late := strings.ReplaceAll(mustRead(t, publishedFile(g.dir, m)), schema.IDSuffix(m.MessageID), strings.Repeat("0", 26))
	gittest.PutFile(t, filepath.Join(g.dir, roomDir, handoffsDir, "message_"+strings.Repeat("0", 26)+jsonExt), late)
	if n := next.imports(); n != 1 {
		t.Errorf("%d messages were imported", n)
	}
}

// TestImportCostAfterOneMore holds the look of a new process into a folder to
// which one file was added to that file, however many were there.
func TestImportCostAfterOneMore(t *testing.T) {
	if _, ok := changedAt(statOf(t, t.TempDir())); !ok {
		t.Skip("this system does not tell when a file got its name")
	}
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	publishMany(t, g, m, 100)
	g.imports()
	dir := filepath.Join(g.dir, roomDir, handoffsDir)
	g.s.env.Now = func() time.Time { return time.Now().Add(time.Minute) } // everything was left alone since
	settle := func(newest string) {
		written, _ := changedAt(statOf(t, newest))
		for statOf(t, dir).ModTime().UnixNano() <= written { // clocks of file systems go in steps
			passing := filepath.Join(dir, "passing")
			gittest.PutFile(t, passing, "")
			if err := os.Remove(passing); err != nil {
				t.Fatal(err)
			}
		}
		g.imports()
	}
	settle(filepath.Join(dir, newestIn(t, dir)))
	text := mustRead(t, publishedFile(g.dir, m))
	suffix := schema.IDSuffix(m.MessageID)
	for _, digit := range []string{"0", "1"} {
		late := strings.Repeat(digit, 26)
		file := filepath.Join(dir, "message_"+late+jsonExt)
		gittest.PutFile(t, file, strings.ReplaceAll(text, suffix, late))
		next := openSite(t, g.dir, 3)
		next.s.env.Now = g.s.env.Now
		counted := &counter{disk: next.s.disk}
		next.s.disk = counted
		if n := next.imports(); n != 1 || counted.n > 20 {
			t.Errorf("%d messages were imported in %d operations", n, counted.n)
		}
		settle(file)
	}
	// A file that was replaced since is judged, whatever time it claims.
	changed := publishedFile(g.dir, m)
	gittest.PutFile(t, changed, strings.Replace(text, m.Subject, "other words", 1))
	if err := os.Chtimes(changed, time.Time{}, testStart.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	gittest.PutFile(t, filepath.Join(dir, "README"), "touches the folder")
	sc, err := g.s.look(t.Context(), g.w, &imports{stamps: g.s.loadStamps()})
	if err != nil || len(sc.bad) != 2 {
		t.Errorf("%v, %v", sc.bad, err)
	}
}

// newestIn is the file of a directory that was made last.
func newestIn(t *testing.T, dir string) (name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var newest int64
	for _, e := range entries {
		if at, _ := changedAt(statOf(t, filepath.Join(dir, e.Name()))); at >= newest {
			name, newest = e.Name(), at
		}
	}
	return name
}

func statOf(t *testing.T, name string) os.FileInfo {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// counter counts what is read of the room.
type counter struct {
	disk
	n int
}

func (c *counter) Read(name string) ([]byte, error) {
	c.n++
	return c.disk.Read(name)
}

func (c *counter) ReadAt(name string, off int64, n int) ([]byte, error) {
	c.n++
	return c.disk.ReadAt(name, off, n)
}

// BenchmarkImport measures a look at 1,000 published files that the room
// knows: the first of a process that finds no note of another, one in a folder
// that changed, one where nothing changed.
func BenchmarkImport(b *testing.B) {
	g := newSite(b)
	m := g.handoff("alice", g.dir)
	publishMany(b, g, m, 1000)
	start := time.Now()
	g.imports()
	b.Logf("importing 1,000 takes %v", time.Since(start))
	g.imports()
	run := func(name string, before func()) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				before()
				if _, err := g.s.Import(context.Background(), g.w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("nothing known", func() { g.s.imports.stamps, g.s.imports.seen = map[string]int64{}, nil })
	run("folder touched", func() { clear(g.s.imports.stamps) })
	run("nothing changed", func() {})
	b.Run("first of a process", func(b *testing.B) {
		for range b.N {
			g.s.imports.stamps = nil
			if _, err := g.s.Import(context.Background(), g.w); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("new participant", func(b *testing.B) {
		for range b.N {
			update(b, g.s, func(tx *Tx) error { return tx.DeliverImported("carol") })
		}
	})
}

// BenchmarkPublish measures what the appearance in the checkout adds to a
// decision.
func BenchmarkPublish(b *testing.B) {
	g := newSite(b)
	me := join(b, g.s, "alice")
	linked := g.worktree("feature")
	b.Run("sent only", func(b *testing.B) {
		for range b.N {
			send(b, g.s, me, letter{kind: schema.Decision, obligation: schema.OweNothing})
		}
	})
	for label, checkout := range map[string]string{"main": g.dir, "linked": linked} {
		w := g.locate(checkout)
		b.Run(label, func(b *testing.B) {
			for range b.N {
				update(b, g.s, func(tx *Tx) error {
					m, err := sendTx(tx, me, letter{kind: schema.Decision, obligation: schema.OweNothing})
					if err != nil {
						return err
					}
					return tx.Publish(m, w)
				})
			}
		})
	}
}
