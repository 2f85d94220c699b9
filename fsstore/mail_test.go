package fsstore

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

// TestReceiptPlaces takes a receipt through all states and finds it in exactly
// one place each time.
func TestReceiptPlaces(t *testing.T) {
	for _, l := range []letter{
		note("bob"), question("bob"), {to: []string{"bob"}, kind: schema.Decision, obligation: schema.OweAcknowledge},
	} {
		s, dir := realRoom(t)
		me := join(t, s, "alice")
		bob := join(t, s, "bob")
		m := send(t, s, me, l)
		for _, state := range schema.ReceiptStates() {
			if state != schema.Queued {
				update(t, s, func(tx *Tx) error { return advanceTx(tx, bob, m, state) })
			}
			open := state.Pending(m.Obligation)
			var places []string
			for name := range treeOf(t, dir) {
				if strings.Contains(name, m.MessageID) && !strings.HasPrefix(name, messagesDir) && !strings.HasPrefix(name, eventsDir) {
					places = append(places, path.Dir(name))
				}
			}
			want := []string{"receipts/bob"}
			if open {
				want = []string{"inbox/bob"}
			}
			if diff := cmp.Diff(want, places); diff != "" {
				t.Errorf("%s, %s: %s", l.kind, state, diff)
			}
			view(t, s, func(v *View) error {
				r, err := v.Receipt("bob", m)
				if err != nil || r.State != state {
					t.Errorf("%s, %s: %v %v", l.kind, state, r.State, err)
				}
				entries, err := v.Inbox("bob")
				if (len(entries) == 1) != open || open && entries[0] != (InboxEntry{m.MessageID, m.Kind, m.Obligation, state}) {
					t.Errorf("%s, %s: inbox %v", l.kind, state, entries)
				}
				return err
			})
		}
	}
}

func TestNoReceiptOfAnother(t *testing.T) {
	s, _ := realRoom(t)
	m := send(t, s, join(t, s, "alice"), note("bob"))
	view(t, s, func(v *View) error {
		if _, err := v.Receipt("carol", m); !isMissing(err) {
			t.Errorf("%v", err)
		}
		if _, err := v.Message(aMessageID); !isMissing(err) {
			t.Errorf("%v", err)
		}
		if _, err := v.Message("../../etc/passwd"); !isMissing(err) {
			t.Errorf("%v", err)
		}
		return nil
	})
}

func TestKeys(t *testing.T) {
	s, _ := realRoom(t)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	keyed := func(who schema.Session, key string) *schema.Message {
		return send(t, s, who, letter{kind: schema.Note, obligation: schema.OweNothing, key: key})
	}
	odd := "../../é \"x\" " + strings.Repeat("k", 150)
	first, second, bobs, generated := keyed(alice, "key"), keyed(alice, odd), keyed(bob, "key"), keyed(alice, "")
	foreign := keyed(alice, GeneratedKey(aMessageID)) // looks generated, is chosen
	for _, c := range []struct {
		who, key string
		want     *schema.Message
	}{
		{"alice", "key", first}, {"alice", odd, second}, {"bob", "key", bobs}, {"bob", odd, nil}, {"alice", "other", nil},
		{"alice", generated.ClientMessageID, generated}, {"bob", generated.ClientMessageID, nil},
		{"alice", GeneratedKey(aMessageID), foreign}, {"alice", "auto_", nil}, {"alice", "auto_../x", nil},
	} {
		view(t, s, func(v *View) error {
			m, err := v.KeyedMessage(c.who, c.key)
			switch {
			case c.want == nil && !isMissing(err):
				t.Errorf("%s %q: %v %v", c.who, c.key, m.MessageID, err)
			case c.want != nil && (err != nil || m.MessageID != c.want.MessageID):
				t.Errorf("%s %q: %v %v", c.who, c.key, m.MessageID, err)
			}
			return nil
		})
	}
}

// TestKeyOfAnotherMessage: an entry of the index that was changed by hand
// never answers for a message sent under another key.
func TestKeyOfAnotherMessage(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	l := note()
	l.key = "one"
	one := send(t, s, me, l)
	l.key = "two"
	two := send(t, s, me, l)
	data := treeOf(t, dir)[keyName("alice", "one")]
	writeFile(t, dir, keyName("alice", "one"), []byte(strings.Replace(data, one.MessageID, two.MessageID, 1)))
	view(t, s, func(v *View) error {
		if m, err := v.KeyedMessage("alice", "one"); !schema.HasReason(err, schema.ReasonRecordDamaged) {
			t.Errorf("%s, %v", m.MessageID, err)
		}
		return nil
	})
}

// TestHistoryAcrossDays pages through three days from every anchor.
func TestHistoryAcrossDays(t *testing.T) {
	clock := newTestClock()
	s, err := Init(t.TempDir(), testEnv(clock, &testLog{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	me := join(t, s, "alice")
	var ids []string // newest first
	for i := range 12 {
		ids = append([]string{send(t, s, me, note()).MessageID}, ids...)
		if i%4 == 3 {
			clock.add(24 * time.Hour)
		}
	}
	view(t, s, func(v *View) error {
		for i, before := range append([]string{""}, ids...) {
			var got []string
			for ref, err := range v.History(before) {
				if err != nil {
					return err
				}
				got = append(got, ref.MessageID)
			}
			if diff := cmp.Diff(ids[i:], append([]string{}, got...)); diff != "" {
				t.Errorf("before %q: %s", before, diff)
			}
		}
		days, err := v.days("")
		if len(days) != 3 {
			t.Errorf("%v", days)
		}
		return err
	})
}

// TestTransactionReadsItself: what a transaction wrote it reads, in lists too.
func TestTransactionReadsItself(t *testing.T) {
	s, _ := realRoom(t)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	old := send(t, s, alice, note("bob"))
	update(t, s, func(tx *Tx) error {
		m, err := sendTx(tx, alice, note("bob"))
		if err != nil {
			return err
		}
		if err := advanceTx(tx, bob, old, schema.Retrieved); err != nil {
			return err
		}
		entries, err := tx.Inbox("bob")
		if len(entries) != 1 || entries[0].MessageID != m.MessageID {
			t.Errorf("%v", entries)
		}
		c, claimErr := claimTx(tx, alice, "file:a")
		if claimErr != nil {
			return claimErr
		}
		if claims, err := tx.Claims(); len(claims) != 1 || err != nil {
			t.Errorf("%v %v", claims, err)
		}
		tx.DeleteClaim(c)
		if claims, err := tx.Claims(); len(claims) != 0 || err != nil {
			t.Errorf("%v %v", claims, err)
		}
		return err
	})
	view(t, s, func(v *View) error { checkWhole(t, v); return nil })
}
