package fsstore

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"acc/schema"
)

// offering prepares to hand messages to a participant.
func offering(t *testing.T, s *Store, participant string) (o *Offering) {
	t.Helper()
	view(t, s, func(v *View) error {
		o = v.Offer(participant)
		return nil
	})
	t.Cleanup(o.Close)
	return o
}

func takes(t *testing.T, o *Offering, id string, want bool) {
	t.Helper()
	if ok, err := o.Take(id); ok != want || err != nil {
		t.Errorf("%s: taken %t, %v; want %t", id, ok, err, want)
	}
}

// otherStripe is a message that shares no lock with another.
func otherStripe(participant, id string) string {
	for i := 0; ; i++ {
		other := fmt.Sprintf("message_%026d", i)
		if offerName(participant, other) != offerName(participant, id) {
			return other
		}
	}
}

// TestOneOffersAMessage is about two stores, which are two processes to each
// other.
func TestOneOffersAMessage(t *testing.T) {
	one, dir := realRoom(t)
	two := openTestRoom(t, dir, io.Discard)
	const id = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	first, second := offering(t, one, "bob"), offering(t, two, "bob")
	takes(t, first, id, true)
	takes(t, first, id, true)
	takes(t, second, id, false)
	takes(t, second, otherStripe("bob", id), true)
	first.Close()
	takes(t, second, id, true)
	takes(t, first, id, false)
}

func TestOffersNeedNoFileAMessage(t *testing.T) {
	s, dir := realRoom(t)
	o := offering(t, s, "bob")
	for i := range 1000 {
		takes(t, o, fmt.Sprintf("message_%026d", i), true)
	}
	entries, err := os.ReadDir(filepath.Join(dir, roomDir, offersDir))
	if err != nil || len(entries) != offerLocks {
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		if !parseOffer(e.Name()) {
			t.Errorf("%s belongs nowhere", e.Name())
		}
	}
	for _, bad := range []string{"40.lock", "0.lock", "00.lock2", "zz.lock", "00", "-1.lock", "+1.lock"} {
		if parseOffer(bad) {
			t.Errorf("%q is taken for a lock", bad)
		}
	}
}

// TestOfferRace has many stores want the same message: exactly one gets it.
func TestOfferRace(t *testing.T) {
	s, dir := realRoom(t)
	stores := []*Store{s}
	for range 3 {
		stores = append(stores, openTestRoom(t, dir, io.Discard))
	}
	for round := range 50 {
		id := fmt.Sprintf("message_%026d", round)
		var got atomic.Int32
		var done, all sync.WaitGroup
		done.Add(len(stores))
		for _, s := range stores {
			o := offering(t, s, "bob")
			all.Go(func() {
				if ok, err := o.Take(id); err != nil {
					t.Error(err)
				} else if ok {
					got.Add(1)
				}
				done.Done()
				done.Wait() // nobody gives up before all have tried
				o.Close()
			})
		}
		all.Wait()
		if n := got.Load(); n != 1 {
			t.Fatalf("round %d: %d of them may offer it", round, n)
		}
	}
}

func TestServing(t *testing.T) {
	one, dir := realRoom(t)
	two := openTestRoom(t, dir, io.Discard)
	alice, bob := join(t, one, "alice"), join(t, one, "bob")
	serve := func(s *Store, me schema.Session, want bool) *Serving {
		t.Helper()
		g, err := s.Serve(me.SessionID)
		if (g != nil) != want || err != nil {
			t.Fatalf("serves %s: %t, %v", me.ParticipantID, g != nil, err)
		}
		if g != nil {
			t.Cleanup(g.Close)
		}
		return g
	}
	first := serve(one, alice, true)
	serve(two, alice, false)
	serve(two, bob, true)
	if !first.Holds() {
		t.Error("the lock does not count")
	}
	// Where run/ is made anew, the old lock is nobody's.
	if err := os.Rename(filepath.Join(dir, roomDir, adaptersDir), filepath.Join(dir, roomDir, "aside")); err != nil {
		t.Fatal(err)
	}
	second := serve(two, alice, true)
	if first.Holds() || !second.Holds() {
		t.Errorf("holds: first %t, second %t", first.Holds(), second.Holds())
	}
	first.Close() // takes nothing from the second
	serve(one, alice, false)
	second.Close()
	if second.Holds() {
		t.Error("what was given up is held")
	}
	if _, err := os.Lstat(filepath.Join(dir, roomDir, servingName(alice.SessionID))); !isMissing(err) {
		t.Errorf("the file of the lock is left: %v", err)
	}
	serve(one, alice, true)
	for _, bad := range []string{"x.lock", alice.SessionID, alice.SessionID + ".json", "../" + alice.SessionID + ".lock"} {
		if _, ok := parseServing(bad); ok {
			t.Errorf("%q is taken for a lock", bad)
		}
	}
}
