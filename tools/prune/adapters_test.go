package prune

import (
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// TestAdapters wants gone what led to sessions that are over, and what is kept
// for a participant who goes.
func TestAdapters(t *testing.T) {
	r := newRoom(t)
	alice, bob := r.join("alice"), r.join("bob")
	for _, s := range []*schema.Session{alice, bob} {
		if serving, err := r.s.Serve(s.SessionID); err != nil || serving == nil {
			t.Fatal(err)
		} else {
			serving.Close()
		}
		for _, err := range []error{
			r.s.Bind(&schema.Binding{
				SchemaVersion: 1, ParticipantID: s.ParticipantID, SessionID: s.SessionID, Generation: s.Generation, AdapterID: "exec",
				Modes: []schema.DeliveryMode{schema.LivePush}, LeaseUntil: schema.At(r.now.Add(time.Minute)),
			}),
			r.s.SetLivePolicy(&schema.Policy{SchemaVersion: 1, ParticipantID: s.ParticipantID, LivePolicy: schema.DeliverAll}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	same(t, []string{}, r.run(Options{}).Adapters)
	r.close(bob, "")
	same(t, []string{bob.SessionID}, r.run(Options{}).Adapters)
	r.view(func(v *fsstore.View) error {
		left, err := v.Adapters()
		same(t, []string{alice.SessionID}, left)
		if v.LivePolicy("alice") != schema.DeliverAll || v.LivePolicy("bob") != schema.DeliverNothing {
			t.Errorf("policies: alice %s, bob %s", v.LivePolicy("alice"), v.LivePolicy("bob"))
		}
		return err
	})
	same(t, []string{}, r.run(Options{}).Adapters)
}
