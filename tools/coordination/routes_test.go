package coordination

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// way is what a sender would learn of the way to bob.
func (c *client) way(o schema.Obligation) (got route) {
	c.t.Helper()
	err := c.room.view(c.t.Context(), func(v *fsstore.View) error {
		r, err := readRoutes(v, c.room.cfg.Env)
		got = r.to("bob", o)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return got
}

func TestWays(t *testing.T) {
	t.Parallel()
	unsupported := Adapter{ID: "codex", Resident: true}
	hook := Adapter{ID: "claude", Modes: []schema.DeliveryMode{schema.NextTurn}}
	tests := []struct {
		label string
		set   func(w *world, bob *client)
		want  route
	}{
		{"no adapter", func(_ *world, bob *client) { bob.setPolicy(schema.DeliverAll) }, route{}},
		{"a live one", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverActionable)
			bob.bind(live("exec"))
		}, route{live: true}},
		{"the policy is off", func(_ *world, bob *client) { bob.bind(live("exec")) }, route{errorCode: schema.DeliveryDisabled}},
		{"a hook reaches the next turn only", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(hook)
		}, route{}},
		{"not supported", func(_ *world, bob *client) { bob.bind(unsupported) }, route{errorCode: schema.UnsupportedClient}},
		{"not supported, beside a live one", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(unsupported)
			bob.bind(live("exec"))
		}, route{live: true}},
		{"two for one session", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			bob.bind(live("notify"))
		}, route{live: true}},
		{"the lease is over", func(w *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			w.pass(bindingLease)
		}, route{}},
		{"just before", func(w *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			w.pass(bindingLease - time.Second)
		}, route{live: true}},
		{"the adapter is dead", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			bob.kill()
		}, route{}},
		{"the session is finished", func(_ *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			bob.ok("acc_finish", `{"goal":"g"}`)
		}, route{}},
		{"another generation", func(w *world, bob *client) {
			bob.setPolicy(schema.DeliverAll)
			bob.bind(live("exec"))
			w.rebind(func(b *schema.Binding) { b.Generation = strings.Repeat("0", 32) })
		}, route{}},
	}
	for _, test := range tests {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		test.set(w, bob)
		if got := alice.way(schema.OweReply); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.label, got, test.want)
		}
	}
}

func TestWaysOfTwoSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	_, one := w.attach("bob")
	_, two := w.attach("bob")
	one.bind(live("exec"))
	one.setPolicy(schema.DeliverActionable)
	equal(t, "one", alice.way(schema.OweReply) == route{live: true}, true)
	equal(t, "a note", alice.way(schema.OweNothing) == route{errorCode: schema.DeliveryDisabled}, true)
	two.bind(live("exec"))
	equal(t, "two", alice.way(schema.OweReply) == route{errorCode: schema.AmbiguousSessions}, true)
}

// rebind changes the one route that is recorded.
func (w *world) rebind(change func(*schema.Binding)) {
	w.t.Helper()
	name := w.find("run/bindings/*.json")
	data, err := os.ReadFile(name)
	var b schema.Binding
	if err == nil {
		err = schema.Decode(data, &b)
	}
	if err == nil {
		change(&b)
		data, err = schema.Encode(&b)
	}
	if err = errors.Join(err, os.WriteFile(name, data, 0o600)); err != nil {
		w.t.Fatal(err)
	}
}
