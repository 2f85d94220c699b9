package fsstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

// A linked worktree's handoff merges into main while main's room is live.
func TestMergeKnownHandoff(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	join(t, g.s, "bob")
	m := g.handoff("alice", linked, "bob")
	commitAll(t, linked)
	mine := g.handoff("carol", g.dir) // lies untracked in main
	gittest.Run(t, g.dir, "merge", "-q", "feature")
	if g.imports() != 0 {
		t.Error("a known handoff was imported")
	}
	g.has(m, mine)
	if got, want := status(t, g.dir), "?? .acc/handoffs/"+mine.MessageID+".json"; got != want {
		t.Errorf("git status says %q, want %q", got, want)
	}
}

// A clone has a room of its own, which imports what the clone brought.
func TestCloneImports(t *testing.T) {
	g := newSite(t)
	join(t, g.s, "bob")
	m := g.handoff("alice", g.dir, "bob")
	commitAll(t, g.dir)

	there := g.clone(7)
	bob := join(t, there.s, "bob")
	if n := there.imports(); n != 1 {
		t.Fatalf("%d messages were imported", n)
	}
	there.has(m)
	if mustRead(t, storedFile(there, m)) != mustRead(t, publishedFile(there.dir, m)) {
		t.Error("the stored file is not the published one")
	}
	events := there.eventsOf(schema.EventMessageImported)
	want := schema.Payload{MessageID: m.MessageID, Kind: schema.Handoff}
	if len(events) != 1 || events[0].Payload != want || events[0].ActorSessionID != m.FromSessionID {
		t.Errorf("events: %+v", events)
	}
	view(t, there.s, func(v *View) error {
		open, err := v.Inbox("bob")
		if len(open) != 1 || open[0] != (InboxEntry{m.MessageID, schema.Handoff, schema.OweAcknowledge, schema.Queued}) {
			t.Errorf("bob's inbox: %+v", open)
		}
		got, _ := v.Message(m.MessageID)
		if got.WorkspaceID != g.s.Workspace().WorkspaceID {
			t.Error("the workspace of the author was not kept")
		}
		return err
	})
	if there.imports() != 0 {
		t.Error("it was imported twice")
	}
	next := send(t, there.s, bob, note("bob"))
	if next.MessageID <= m.MessageID {
		t.Errorf("ids went backwards: %s after %s", next.MessageID, m.MessageID)
	}
}

// Whoever becomes known later finds what was addressed to it.
func TestImportedMailWaits(t *testing.T) {
	g := newSite(t)
	join(t, g.s, "bob")
	m := g.handoff("alice", g.dir, "bob")
	commitAll(t, g.dir)
	there := g.clone(7)
	there.imports()
	update(t, there.s, func(tx *Tx) error {
		if entries, err := tx.Inbox("bob"); err != nil || len(entries) > 0 {
			t.Errorf("an inbox of nobody: %v, %v", entries, err)
		}
		if _, err := joinTx(tx, "bob"); err != nil {
			return err
		}
		return tx.DeliverImported("bob")
	})
	view(t, there.s, func(v *View) error {
		open, err := v.Inbox("bob")
		if len(open) != 1 || open[0].MessageID != m.MessageID {
			t.Errorf("bob's inbox: %+v", open)
		}
		return err
	})
}

// Two branches that both left a handoff, on two machines, meet by merge and by
// rebase, and nothing conflicts.
func TestBranchesMeet(t *testing.T) {
	for _, how := range []string{"merge", "rebase"} {
		t.Run(how, func(t *testing.T) {
			g := newSite(t)
			there := g.clone(7)
			ours, theirs := g.handoff("alice", g.dir), there.handoff("bob", there.dir)
			commitAll(t, g.dir)
			commitAll(t, there.dir)
			gittest.Run(t, there.dir, "fetch", "-q")
			gittest.Run(t, there.dir, how, "-q", "origin/main")
			if n := there.imports(); n != 1 {
				t.Errorf("%d messages were imported", n)
			}
			there.has(ours, theirs)
			if got := status(t, there.dir); got != "" {
				t.Errorf("git status says %q", got)
			}
			gittest.Run(t, g.dir, "pull", "-q", "--no-rebase", there.dir, "main")
			if n := g.imports(); n != 1 {
				t.Errorf("%d messages were imported back", n)
			}
			g.has(ours, theirs)
		})
	}
}

// A checkout that takes published files away again loses nothing.
func TestCheckoutRemovesFiles(t *testing.T) {
	g := newSite(t)
	join(t, g.s, "bob")
	m := g.handoff("alice", g.dir, "bob")
	commitAll(t, g.dir)
	there := g.clone(7)
	there.imports()
	gittest.Run(t, there.dir, "checkout", "-q", "HEAD~1")
	if there.imports() != 0 || exists(publishedFile(there.dir, m)) {
		t.Error("something happened")
	}
	there.has(m)
	gittest.Run(t, there.dir, "checkout", "-q", "main")
	if there.imports() != 0 || len(there.eventsOf(schema.EventMessageImported)) != 1 {
		t.Error("it was imported again")
	}
}

// A checkout with CRLF changes nothing that matters: with the attributes not a
// byte, without them none of the record.
func TestLineEnds(t *testing.T) {
	for label, attributed := range map[string]bool{"with attributes": true, "without": false} {
		t.Run(label, func(t *testing.T) {
			g := newSite(t)
			m := g.handoff("alice", g.dir)
			if !attributed {
				if err := os.Remove(filepath.Join(g.dir, roomDir, gitattributes)); err != nil {
					t.Fatal(err)
				}
			}
			gittest.Run(t, g.dir, "config", "core.autocrlf", "true")
			commitAll(t, g.dir)
			there := g.clone(7, "-c", "core.autocrlf=true")
			checkedOut := mustRead(t, publishedFile(there.dir, m))
			if strings.Contains(checkedOut, "\r\n") == attributed {
				t.Errorf("the file was checked out as %q", checkedOut[:40])
			}
			if n := there.imports(); n != 1 {
				t.Fatalf("%d messages were imported", n)
			}
			if mustRead(t, storedFile(there, m)) != mustRead(t, storedFile(g, m)) {
				t.Error("the two rooms hold different bytes")
			}
			if there.imports() != 0 || there.warned("published file") != 0 {
				t.Errorf("log: %s", there.log)
			}
			// Attributes that come later leave the checkout clean.
			gittest.PutFile(t, filepath.Join(there.dir, roomDir, gitattributes), attributes)
			gittest.Run(t, there.dir, "add", "--renormalize", ".")
			if got := status(t, there.dir); strings.Contains(got, "handoffs") {
				t.Errorf("git status says %q", got)
			}
		})
	}
}

// Decisions that change each other may come in any order, and their parents
// later or never.
func TestImportedDecisions(t *testing.T) {
	g := newSite(t)
	alice := join(t, g.s, "alice")
	first := g.decide(alice, g.dir, nil)
	second := g.decide(alice, g.dir, &schema.DecisionChange{Action: schema.Replace, MessageIDs: []string{first.MessageID}})
	third := g.decide(alice, g.dir, &schema.DecisionChange{Action: schema.Withdraw, MessageIDs: []string{second.MessageID}})
	commitAll(t, g.dir)
	there := g.clone(7)
	held := mustRead(t, publishedFile(there.dir, first))
	if err := os.Remove(publishedFile(there.dir, first)); err != nil {
		t.Fatal(err)
	}
	if n := there.imports(); n != 2 {
		t.Fatalf("%d decisions were imported", n)
	}
	gittest.PutFile(t, publishedFile(there.dir, first), held)
	if n := there.imports(); n != 1 {
		t.Fatalf("%d decisions were imported", n)
	}
	want := map[string]schema.DecisionState{
		first.MessageID: schema.DecisionWithdrawn, second.MessageID: schema.DecisionWithdrawn, third.MessageID: schema.DecisionWithdrawn,
	}
	got := map[string]schema.DecisionState{}
	view(t, there.s, func(v *View) error {
		for id := range want {
			st, err := v.DecisionStatus(id)
			if err != nil {
				return err
			}
			got[id] = st.State
			if st.GroupID != first.MessageID || st.IsHead != (id == third.MessageID) {
				t.Errorf("%s: %+v", id, st)
			}
		}
		return nil
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The key of another room's message is nobody's key here, also after the
// indexes were made anew.
func TestImportedKeys(t *testing.T) {
	g := newSite(t)
	alice := join(t, g.s, "alice")
	theirs := g.publish(g.dir, func(tx *Tx) (*schema.Message, error) {
		return sendTx(tx, alice, letter{kind: schema.Decision, obligation: schema.OweNothing, key: "k"})
	})
	commitAll(t, g.dir)
	there := g.clone(7)
	me := join(t, there.s, "alice")
	there.imports()
	noKey := func(v *View) error {
		if m, err := v.KeyedMessage("alice", "k"); !isMissing(err) {
			t.Errorf("the key finds %s, %v", m.MessageID, err)
		}
		return nil
	}
	view(t, there.s, noKey)
	if err := there.s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"index", "run"} {
		if err := os.RemoveAll(filepath.Join(there.dir, roomDir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	again := openSite(t, there.dir, 8)
	view(t, again.s, noKey)
	again.has(theirs)
	if m := send(t, again.s, me, note("alice")); m.MessageID <= theirs.MessageID {
		t.Error("ids went backwards")
	}
}

// An id far ahead is imported and does not carry the room's ids along.
func TestImportFromTheFuture(t *testing.T) {
	g := newSite(t)
	m := g.handoff("alice", g.dir)
	far := strings.ReplaceAll(mustRead(t, publishedFile(g.dir, m)), schema.IDSuffix(m.MessageID), "76ez91zpzzzzzzzzzzzzzzzzzz")
	commitAll(t, g.dir)
	there := g.clone(7)
	gittest.PutFile(t, filepath.Join(there.dir, roomDir, handoffsDir, "message_76ez91zpzzzzzzzzzzzzzzzzzz.json"), far)
	me := join(t, there.s, "bob")
	if n := there.imports(); n != 2 {
		t.Fatalf("%d messages were imported: %s", n, there.log)
	}
	next := send(t, there.s, me, note("bob"))
	if d := schema.IDTime(next.MessageID).Sub(testStart); d < 0 || d > maxAhead {
		t.Errorf("the next message is of %s", schema.IDTime(next.MessageID))
	}
	if next.MessageID <= m.MessageID {
		t.Error("ids went backwards")
	}
	if _, err := there.s.CheckPublished(context.Background(), there.w); err != nil {
		t.Error(err)
	}
}
