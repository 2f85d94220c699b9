package fsstore

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

func TestSessionsOf(t *testing.T) {
	log := &testLog{}
	dir := t.TempDir()
	s := openTestRoom(t, dir, log)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	sameAsSessions := func(label string) {
		t.Helper()
		view(t, s, func(v *View) error {
			all, err := v.Sessions()
			if err != nil {
				return err
			}
			for _, who := range [][]string{{"alice"}, {"alice", "bob"}, {"carol"}} {
				got, err := v.SessionsOf(who...)
				if err != nil {
					return err
				}
				want := slices.DeleteFunc(slices.Clone(all), func(s schema.Session) bool { return !slices.Contains(who, s.ParticipantID) })
				if diff := cmp.Diff(want, got); len(want)+len(got) > 0 && diff != "" {
					t.Errorf("%s: sessions of %v (-want +got):\n%s", label, who, diff)
				}
			}
			return nil
		})
	}
	sameAsSessions("at first")
	join(t, s, "alice")
	join(t, s, "carol")
	sameAsSessions("with new ones")
	update(t, s, func(tx *Tx) error {
		alice.State = schema.SessionClosed
		at := schema.At(tx.Now())
		alice.ClosedAt = &at
		return tx.RetireSession(&alice)
	})
	sameAsSessions("after one was retired")

	// What is known to be somebody else's is not read again: its damage does
	// not show.
	writeFile(t, dir, sessionName(bob.SessionID), []byte("{"))
	view(t, s, func(v *View) error { _, err := v.SessionsOf("alice"); return err })
	if strings.Contains(log.String(), "damaged") {
		t.Errorf("the record of another participant was read: %s", log)
	}
	view(t, s, func(v *View) error { _, err := v.SessionsOf("bob"); return err })
	if !strings.Contains(log.String(), filepath.Base(sessionName(bob.SessionID))) {
		t.Errorf("the damage of the one that was asked for is not reported: %s", log)
	}
}
