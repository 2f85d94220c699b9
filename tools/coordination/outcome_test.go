package coordination

import (
	"encoding/json"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// deliveryTo sends bob a question and gives what the sender was told.
func (c *client) deliveryTo(name string) answer {
	c.t.Helper()
	sent := c.ok("acc_message", `{"to":[`+quoted(name)+`],"subject":"s","body":"b","kind":"question"}`)
	return answerOf(c.t, sent.at("delivery.0"))
}

func outcome(state, transport, code string) string {
	more := ""
	if code != "" {
		more = `,"errorCode":"` + code + `"`
	}
	return `{"recipientParticipantId":"bob","outcome":"` + state + `","transport":"` + transport + `"` + more + `}`
}

func TestOutcomesWithoutAnOffer(t *testing.T) {
	t.Parallel()
	for label, test := range map[string]struct {
		set  func(w *world, bob *client)
		want string
	}{
		"bob is there": {func(*world, *client) {}, outcome("queued", "durable", "")},
		"bob is away":  {func(_ *world, bob *client) { bob.kill() }, outcome("queued", "durable", "recipient_unavailable")},
		"bob is done": {func(_ *world, bob *client) { bob.ok("acc_finish", `{"goal":"g"}`) },
			outcome("queued", "durable", "recipient_unavailable")},
		"bob takes nothing live": {func(_ *world, bob *client) { bob.bind(live("exec")) }, outcome("queued", "durable", "delivery_disabled")},
		"the adapter died": {func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			bob.kill()
		}, outcome("queued", "durable", "recipient_unavailable")},
		"the adapter says nothing": {func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
		}, outcome("queued", "durable", "")},
	} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		test.set(w, bob)
		if got := alice.deliveryTo("bob").text; got != normal(t, test.want) {
			t.Errorf("%s: %s", label, got)
		}
	}
}

// TestSenderWaitsForTheAdapter has an adapter answer while the sender waits.
func TestSenderWaitsForTheAdapter(t *testing.T) {
	t.Parallel()
	for label, test := range map[string]struct {
		record func(p *Parcel) error
		want   string
	}{
		"accepted": {func(p *Parcel) error { return p.Accepted(t.Context(), "exec") }, outcome("offered", "exec", "")},
		"busy": {func(p *Parcel) error { return p.Refused(t.Context(), "exec", schema.RecipientBusy) },
			outcome("queued", "exec", "recipient_busy")},
		"broken": {func(p *Parcel) error { return p.Refused(t.Context(), "exec", schema.TransportError) },
			outcome("queued", "exec", "transport_error")},
	} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		bob.setPolicy(schema.DeliverActionable)
		bob.bind(live("exec"))
		adapter := w.start("bob")
		signals, err := fsstore.Watch(t.Context(), nil, time.Millisecond, []string{bob.room.cfg.Workspace.InboxDir("bob")})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			for range signals {
				p, err := adapter.room.Collect(t.Context(), tools.Caller{Harness: adapter.harness}, Pick{})
				if err == nil && len(p.Letters) > 0 {
					err = test.record(p)
				}
				if err != nil || len(p.Letters) > 0 {
					p.Close()
					done <- err
					return
				}
				p.Close()
			}
		}()
		if got := alice.deliveryTo("bob").text; got != normal(t, test.want) {
			t.Errorf("%s: %s", label, got)
		}
		if err := <-done; err != nil {
			t.Errorf("%s: %v", label, err)
		}
	}
}

// TestSenderWaitsNoLongerThanItMust measures the wait, with room for a busy
// machine above and none below.
func TestSenderWaitsNoLongerThanItMust(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	took := func() time.Duration {
		began := time.Now()
		alice.deliveryTo("bob")
		return time.Since(began)
	}
	if d := took(); d > offerWait*9/10 {
		t.Errorf("without an adapter a send took %s", d)
	}
	bob.setPolicy(schema.DeliverAll)
	bob.bind(live("exec"))
	if d := took(); d < offerWait || d > 10*offerWait {
		t.Errorf("with one that says nothing it took %s", d)
	}
}

// normal is a JSON text in the form in which answers are compared.
func normal(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return answerOf(t, value).text
}
