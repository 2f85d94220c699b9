package fsstore

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/schema"
)

// sameReplaced holds the end of the index to the whole of it, for each decision
// in a process of its own.
func sameReplaced(t *testing.T, dir string, ids ...string) {
	t.Helper()
	for _, id := range ids {
		s, err := Open(dir, testEnv(newTestClock(), io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		var replaced bool
		var status schema.DecisionStatus
		view(t, s, func(v *View) error {
			if replaced, err = v.DecisionReplaced(id); err != nil {
				return err
			}
			if s.graph.links != nil {
				t.Error("the whole index was read")
			}
			status, err = v.DecisionStatus(id)
			return err
		})
		if replaced == status.IsHead {
			t.Errorf("%s: replaced %v, head %v", id, replaced, status.IsHead)
		}
		s.Close()
	}
}

func TestReplacedIsReadFromTheEnd(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	random := rand.New(rand.NewPCG(1, 2))
	var ids []string
	for range 60 {
		var changes []string
		if n := len(ids); n > 0 && random.IntN(2) == 0 {
			changes = append(changes, ids[random.IntN(n)])
		}
		ids = append(ids, send(t, s, me, decision(changes...)).MessageID)
	}
	sameReplaced(t, dir, ids...)
}

// One process sees what others decide while it is there.
func TestReplacedWhileWatching(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	first := send(t, s, me, decision()).MessageID
	other := openTestRoom(t, dir, io.Discard)
	replaced := func() (is bool) {
		view(t, other, func(v *View) (err error) {
			is, err = v.DecisionReplaced(first)
			return err
		})
		return is
	}
	if replaced() {
		t.Error("replaced before it was")
	}
	send(t, s, me, decision(first))
	if !replaced() {
		t.Error("not replaced after it was")
	}
}

// A decision that comes with the code after the one that replaces it is
// replaced all the same, also when the index is made anew.
func TestReplacedBeforeItCame(t *testing.T) {
	g := newSite(t)
	me := join(t, g.s, "alice")
	old := g.decide(me, g.dir, nil)
	successor := g.decide(me, g.dir, &schema.DecisionChange{Action: schema.Replace, MessageIDs: []string{old.MessageID}})
	there := g.clone(2)
	publish := func(m *schema.Message) {
		t.Helper()
		file := publishedFile(there.dir, m)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(mustRead(t, publishedFile(g.dir, m))), 0o644); err != nil {
			t.Fatal(err)
		}
		if n := there.imports(); n != 1 {
			t.Fatalf("%d messages were imported", n)
		}
	}
	publish(successor)
	decideOften(t, there.s, join(t, there.s, "bob"), tailChunk/50) // more than is read at a time
	publish(old)
	there.decide(join(t, there.s, "bob"), there.dir, nil) // something younger behind both
	if err := there.s.Close(); err != nil {
		t.Fatal(err)
	}
	sameReplaced(t, there.dir, old.MessageID, successor.MessageID)
	if err := os.RemoveAll(filepath.Join(there.dir, roomDir, "index")); err != nil {
		t.Fatal(err)
	}
	if s, err := Init(there.dir, testEnv(newTestClock(), io.Discard)); err != nil {
		t.Fatal(err)
	} else {
		s.Close()
	}
	sameReplaced(t, there.dir, old.MessageID, successor.MessageID)
}

// By the clocks of two machines a decision may be older than what it replaces.
func TestLinesOfSkewedClocks(t *testing.T) {
	link := func(id string, changes ...string) *schema.DecisionLink {
		l := &schema.DecisionLink{SchemaVersion: schema.Version, MessageID: "message_01m8pr5b6k4939zmgnfp20gdy" + id}
		for _, c := range changes {
			l.Action, l.MessageIDs = schema.Replace, append(l.MessageIDs, "message_01m8pr5b6k4939zmgnfp20gdy"+c)
		}
		return l
	}
	lines, err := linesOf([]*schema.DecisionLink{link("1", "2"), link("2"), link("3")})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for line := range strings.Lines(string(lines)) {
		l, ok := plainLink(line)
		if !ok {
			t.Fatalf("%q", line)
		}
		order = append(order, l.MessageID[len(l.MessageID)-1:])
	}
	if got := order; len(got) != 4 || got[3] != "1" {
		t.Errorf("the lines are of %v", got)
	}
}

// decideOften makes decisions that concern nobody.
func decideOften(t *testing.T, s *Store, me schema.Session, count int) {
	t.Helper()
	update(t, s, func(tx *Tx) error {
		for range count {
			if _, err := sendTx(tx, me, decision()); err != nil {
				return err
			}
		}
		return nil
	})
}

// A command reads as much of the index for a young decision as there is behind
// it, and no more.
func TestReplacedCost(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	decideOften(t, s, me, 3000)
	young := send(t, s, me, decision()).MessageID
	next := openTestRoom(t, dir, io.Discard)
	counted := &counter{disk: next.disk}
	next.disk = counted
	view(t, next, func(v *View) error {
		_, err := v.DecisionReplaced(young)
		return err
	})
	if counted.n > 1 || next.graph.tail.from == 0 {
		t.Errorf("%d reads, back to %d", counted.n, next.graph.tail.from)
	}
}
