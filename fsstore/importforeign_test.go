package fsstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

// hostileFiles are published files that are none, made from a good one. Each is
// written under a name of its own; the content comes from text and its id.
func hostileFiles() map[string]func(text, id string) (folder, content string) {
	in := func(content func(text string) string) func(string, string) (string, string) {
		return func(text, _ string) (string, string) { return handoffsDir, content(text) }
	}
	swap := func(old, new string) func(string, string) (string, string) {
		return in(func(text string) string { return strings.Replace(text, old, new, 1) })
	}
	return map[string]func(string, string) (string, string){
		"empty":             in(func(string) string { return "" }),
		"garbage":           in(func(string) string { return "\x00\x01 {" }),
		"cut":               in(func(text string) string { return text[:len(text)/2] }),
		"huge":              in(func(text string) string { return text + strings.Repeat(" ", maxPublishedBytes) }),
		"conflict markers":  in(func(text string) string { return "<<<<<<< ours\n" + text + ">>>>>>> theirs\n" }),
		"two values":        in(func(text string) string { return text + text }),
		"path for a thread": in(func(text string) string { return strings.ReplaceAll(text, `"threadId": "`, `"threadId": "../../`) }),
		"path for a sender": swap(`"fromParticipantId": "alice"`, `"fromParticipantId": "../../alice"`),
		"path for a reader": swap(`"bob"`, `"../../bob"`),
		"unknown field":     swap(`"subject"`, `"colour": "red", "subject"`),
		"newer version":     swap(`"schemaVersion": 1`, `"schemaVersion": 2`),
		"another kind":      swap(`"kind": "handoff"`, `"kind": "note"`),
		"wrong folder":      func(text, _ string) (string, string) { return decisionsDir, text },
		"another's id": func(text, id string) (string, string) {
			return handoffsDir, strings.ReplaceAll(text, id, strings.Repeat("0", 26))
		},
	}
}

func TestHostilePublishedFiles(t *testing.T) {
	g := newSite(t)
	join(t, g.s, "bob")
	m := g.handoff("alice", g.dir, "bob")
	text := mustRead(t, publishedFile(g.dir, m))
	commitAll(t, g.dir)
	there := g.clone(7)
	join(t, there.s, "bob")

	files := map[string]string{}
	n := byte('a')
	for label, make := range hostileFiles() {
		id := schema.IDSuffix(m.MessageID)[:24] + "0" + string(n)
		if n++; n == 'i' || n == 'l' || n == 'o' {
			n++ // no letters of the alphabet of ids
		}
		folder, content := make(strings.ReplaceAll(text, schema.IDSuffix(m.MessageID), id), id)
		name := filepath.Join(there.dir, roomDir, folder, "message_"+id+jsonExt)
		gittest.PutFile(t, name, content)
		if err := os.Chtimes(name, time.Time{}, testStart.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		files[name] = content
		t.Logf("%s is %s", label, id)
	}
	link := filepath.Join(there.dir, roomDir, handoffsDir, "message_"+strings.Repeat("0", 26)+jsonExt)
	gittest.Link(t, "/etc/passwd", link)
	gittest.MakeDir(t, there.dir, roomDir, handoffsDir, "message_"+strings.Repeat("1", 26)+jsonExt)
	gittest.PutFile(t, filepath.Join(there.dir, roomDir, handoffsDir, "..%2f..%2fx.json"), text)
	gittest.PutFile(t, filepath.Join(there.dir, roomDir, decisionsDir, "README.md"), "why")

	if n := there.imports(); n != 1 {
		t.Errorf("%d messages were imported, want the good one", n)
	}
	there.has(m)
	for range 3 {
		there.imports()
	}
	for name, content := range files {
		if got := there.warned(filepath.Base(name)); got != 1 {
			t.Errorf("%s: warned %d times", name, got)
		}
		if mustRead(t, name) != content {
			t.Errorf("%s was changed", name)
		}
	}
	problems, err := there.s.CheckPublished(context.Background(), there.w)
	if want := len(files) + 4; err != nil || len(problems) != want {
		t.Errorf("%d problems, want %d: %v, %v", len(problems), want, problems, err)
	}
	checkInbox(t, there.s, "bob", m)
}

func checkInbox(t *testing.T, s *Store, who string, want *schema.Message) {
	t.Helper()
	view(t, s, func(v *View) error {
		open, err := v.Inbox(who)
		if len(open) != 1 || open[0].MessageID != want.MessageID {
			t.Errorf("the inbox of %s: %+v", who, open)
		}
		return err
	})
}

// A published file that says something else than the room knows is reported,
// and neither of the two is touched.
func TestPublishedOtherwise(t *testing.T) {
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	stored := mustRead(t, storedFile(g, m))
	forged := strings.Replace(stored, "a body", "another body", 1)
	gittest.PutFile(t, publishedFile(g.dir, m), forged)
	for range 2 {
		if g.imports() != 0 {
			t.Error("it was imported")
		}
	}
	if g.warned("other content") != 1 {
		t.Errorf("log: %s", g.log)
	}
	if mustRead(t, storedFile(g, m)) != stored || mustRead(t, publishedFile(g.dir, m)) != forged {
		t.Error("a file was changed")
	}
	problems, err := g.s.CheckPublished(context.Background(), g.w)
	if err != nil || len(problems) != 1 || !errors.Is(problems[0].Err, errOtherwise) {
		t.Errorf("problems: %v, %v", problems, err)
	}
	// The same id under the name of another kind is no second message.
	wrong := strings.Replace(strings.Replace(stored, `"kind": "handoff"`, `"kind": "decision"`, 1), "\"handoff\": {", "\"x\": {", 1)
	gittest.PutFile(t, filepath.Join(g.dir, roomDir, decisionsDir, m.MessageID+jsonExt), wrong)
	if g.imports() != 0 {
		t.Error("it was imported")
	}
	g.has(m)
}

// A file that Git is still writing is not called damaged.
func TestUnfinishedFile(t *testing.T) {
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	text := mustRead(t, publishedFile(g.dir, m))
	commitAll(t, g.dir)
	there := g.clone(7)
	name := publishedFile(there.dir, m)
	gittest.PutFile(t, name, text[:100])
	if err := os.Chtimes(name, time.Time{}, testStart); err != nil {
		t.Fatal(err)
	}
	if there.imports() != 0 || there.warned(m.MessageID) != 0 {
		t.Errorf("log: %s", there.log)
	}
	gittest.PutFile(t, name, text)
	if there.imports() != 1 {
		t.Errorf("it was not imported: %s", there.log)
	}
}
