package prune

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore"
	"acc/schema"
)

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSettledMessagesGo(t *testing.T) {
	r := newRoom(t)
	alice, bob := r.join("alice"), r.join("bob")
	read := r.send(alice, schema.Note, schema.Retrieved, nil, "bob")
	question := r.send(alice, schema.Question, schema.Acknowledged, nil, "bob")
	answer := r.send(bob, schema.Answer, schema.Retrieved, answers(question), "alice")
	lone := r.send(alice, schema.Note, "", nil) // to a room without anybody
	replaced := r.send(alice, schema.Decision, schema.Queued, nil, "bob")
	withdrawal := r.send(alice, schema.Decision, schema.Retrieved, changes(schema.Withdraw, replaced), "bob")
	for _, keep := range []struct {
		state schema.ReceiptState
		kind  schema.MessageKind
	}{{schema.Queued, schema.Note}, {schema.Offered, schema.Note}, {schema.Retrieved, schema.Question}, {schema.Queued, schema.Request}} {
		r.send(alice, keep.kind, keep.state, nil, "bob")
	}
	unread := r.send(alice, schema.Question, schema.Acknowledged, nil, "bob")
	r.send(bob, schema.Answer, schema.Queued, answers(unread), "alice") // its question stays with it
	standing := r.send(alice, schema.Decision, schema.Retrieved, nil, "bob")
	r.send(alice, schema.Decision, schema.Retrieved, changes(schema.Replace, standing), "bob")
	stranger := r.send(alice, schema.Note, schema.Queued, nil, "eve") // nobody here
	before := r.next()
	young := r.send(alice, schema.Note, schema.Retrieved, nil, "bob")
	done := r.run(Options{Before: before})
	slices.Sort(done.Messages)
	same(t, []string{read, question, answer, lone, replaced, withdrawal, stranger}, done.Messages)
	same(t, Kept{Owed: 5, Decisions: 2, Threads: 1}, done.Kept)
	r.view(func(v *fsstore.View) error {
		if n := v.MessageCount(); n != 9 {
			t.Errorf("%d messages are counted", n)
		}
		if _, err := v.Message(young); err != nil {
			t.Error(err)
		}
		held, err := v.Holdings()
		if err != nil || len(held[read]) != 0 {
			t.Errorf("%v %v", held[read], err)
		}
		return nil
	})
}

func TestHandoffsOfWhatStays(t *testing.T) {
	r := newRoom(t)
	alice, bob := r.join("alice"), r.join("bob")
	kept := r.send(alice, schema.Handoff, schema.Acknowledged, nil, "bob")
	r.close(alice, kept)
	published := r.send(bob, schema.Handoff, schema.Acknowledged, nil, "alice")
	dir := filepath.Join(r.w.Root, ".acc", "handoffs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, published+".json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	done := r.run(Options{Before: r.next(), OlderThan: time.Hour})
	same(t, Kept{Sessions: 1, Published: 1}, done.Kept)
	same(t, []string{}, done.Messages)
	r.now = r.now.Add(2 * time.Hour)
	done = r.run(Options{Before: r.next(), OlderThan: time.Hour})
	same(t, []string{kept}, done.Messages)
	same(t, []string{alice.SessionID}, done.Sessions)
	same(t, []string{}, done.Participants) // the published one is from bob to alice
}

func TestPeople(t *testing.T) {
	r := newRoom(t)
	alice, bob, carol, dora := r.join("alice"), r.join("bob"), r.join("carol"), r.join("dora")
	r.send(alice, schema.Note, schema.Queued, nil, "bob")
	for _, s := range []*schema.Session{bob, carol, dora} {
		r.close(s, "")
	}
	r.update(func(tx *fsstore.Tx) error {
		return tx.PutIntent(&schema.Intent{SchemaVersion: 1, SessionID: carol.SessionID, Summary: "x", Mode: "edit", State: "active",
			ResourceHints: []schema.Resource{}, UpdatedAt: schema.At(tx.Now())})
	})
	for _, start := range []string{"alive", "dead"} {
		env := r.env
		env.Process = fsstore.Process{Host: env.Process.Host, PID: len(start), Start: start}
		s, err := fsstore.Open(r.w.Root, env)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Heartbeat(alice.SessionID); err != nil {
			t.Fatal(err)
		}
		_ = s.Close()
	}
	done := r.run(Options{})
	same(t, []string{bob.SessionID, carol.SessionID, dora.SessionID}, done.Sessions)
	same(t, []string{carol.SessionID}, done.Intents)
	same(t, []string{alice.SessionID + ".4"}, done.Presence)
	same(t, []string{"carol", "dora"}, done.Participants) // mail waits for bob
	r.view(func(v *fsstore.View) error {
		if _, err := v.Participant("bob"); err != nil {
			t.Error(err)
		}
		return nil
	})
}

func TestClaims(t *testing.T) {
	r := newRoom(t)
	alice, bob := r.join("alice"), r.join("bob")
	claim := func(s *schema.Session, lease time.Duration, put func(*fsstore.Tx, *schema.Claim) error) string {
		c := &schema.Claim{SchemaVersion: 1, OwnerSessionID: s.SessionID, OwnerParticipantID: s.ParticipantID, Resource: "file:x",
			Mode: schema.Shared, Enforcement: schema.Advisory}
		r.update(func(tx *fsstore.Tx) error {
			c.ClaimID, c.AcquiredAt, c.ExpiresAt = r.id(tx, schema.IDClaim), schema.At(tx.Now()), schema.At(tx.Now().Add(lease))
			return put(tx, c)
		})
		return c.ClaimID
	}
	ground := func(tx *fsstore.Tx, c *schema.Claim) error { return tx.PutClaim(c) }
	retired := func(told bool) func(*fsstore.Tx, *schema.Claim) error {
		return func(tx *fsstore.Tx, c *schema.Claim) error { return tx.RetireClaim(c, told) }
	}
	live := claim(alice, time.Hour, ground)
	ended := claim(alice, time.Second, ground)
	told := claim(alice, time.Second, retired(true))
	untold := claim(alice, time.Second, retired(false))
	left := claim(bob, time.Second, retired(false))
	r.close(bob, "")
	r.now = r.now.Add(time.Minute)
	done := r.run(Options{})
	same(t, []string{ended, told, left}, done.Claims)
	r.view(func(v *fsstore.View) error {
		on, err := v.Claims()
		if len(on) != 1 || on[0].ClaimID != live || err != nil {
			t.Errorf("on the ground: %v, %v", on, err)
		}
		// Both wait until their holder was told.
		kept, err := v.ExpiredClaims(alice.SessionID)
		if err != nil || len(kept) != 2 || kept[0].Claim.ClaimID != ended || kept[1].Claim.ClaimID != untold || kept[0].Told {
			t.Errorf("kept: %v, %v", kept, err)
		}
		return nil
	})
}

func TestCursors(t *testing.T) {
	r := newRoom(t)
	r.join("alice")
	for before, reason := range map[string]schema.Reason{
		"7": schema.ReasonInvalidField, "0000000000000099": schema.ReasonCursorUnknown,
	} {
		if _, err := Run(t.Context(), r.w, r.env, Options{Before: before}); !schema.HasReason(err, reason) {
			t.Errorf("before %s: %v", before, err)
		}
	}
	empty := t.TempDir()
	w, err := fsstore.Locate(empty)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Run(t.Context(), w, r.env, Options{Apply: true}); err != nil || !got.Empty() {
		t.Errorf("without a room: %+v, %v", got, err)
	}
	if entries, _ := os.ReadDir(empty); len(entries) != 0 {
		t.Errorf("it made %v", entries)
	}
}

// TestOthersWrite has somebody write in the middle of a run.
func TestOthersWrite(t *testing.T) {
	r := newRoom(t)
	alice := r.join("alice")
	r.join("bob")
	question := r.send(alice, schema.Question, schema.Acknowledged, nil, "bob")
	for range 3 * batch {
		r.send(alice, schema.Note, schema.Retrieved, nil, "bob")
	}
	for _, other := range []struct {
		write func()
		want  error
	}{
		{func() { r.send(alice, schema.Note, schema.Queued, nil, "bob") }, nil},
		{func() { r.send(alice, schema.Answer, schema.Queued, answers(question), "bob") }, errMoved},
		{func() { r.send(alice, schema.Decision, schema.Queued, nil, "bob") }, errMoved},
		{func() { r.join("eve") }, errMoved},
	} {
		p, err := makePlan(t.Context(), r.s, r.w, Options{Apply: true, Before: r.next()})
		if err != nil {
			t.Fatal(err)
		}
		other.write()
		known, out := p.st.cursor, newReport()
		if err := p.commit(t.Context(), r.s, p.mails[:2], &known, touchesMail, &out); err != other.want {
			t.Errorf("%v, want %v", err, other.want)
		}
	}
	done := r.run(Options{Before: r.next()})
	if len(done.Messages) != 3*batch-2 || done.Kept.Threads != 1 {
		t.Errorf("%d messages went, kept %+v", len(done.Messages), done.Kept)
	}
}
