package fsstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

// binding is a route to a session through an adapter.
func binding(s *Store, me schema.Session, adapter string) *schema.Binding {
	p := s.Env().Process
	return &schema.Binding{
		SchemaVersion: 1, ParticipantID: me.ParticipantID, SessionID: me.SessionID, Generation: me.Generation, AdapterID: adapter,
		Modes: []schema.DeliveryMode{schema.LivePush}, Host: p.Host, PID: p.PID, ProcessStart: p.Start,
		LeaseUntil: schema.At(s.Env().Now().Add(time.Minute)),
	}
}

func bind(t *testing.T, s *Store, b *schema.Binding) {
	t.Helper()
	if err := s.Bind(b); err != nil {
		t.Fatal(err)
	}
}

// bindings are the routes as a view lists them.
func bindings(t *testing.T, s *Store) (all []schema.Binding) {
	t.Helper()
	view(t, s, func(v *View) (err error) {
		all, err = v.Bindings()
		return err
	})
	return all
}

func TestBindings(t *testing.T) {
	s, dir := realRoom(t)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	if got := bindings(t, s); len(got) != 0 {
		t.Fatalf("a new room has %v", got)
	}
	first, second := binding(s, alice, "exec"), binding(s, bob, "notify")
	bind(t, s, first)
	bind(t, s, second)
	first.LeaseUntil = schema.At(first.LeaseUntil.Add(time.Minute))
	bind(t, s, first) // prolonged
	if diff := cmp.Diff([]schema.Binding{*first, *second}, bindings(t, s)); diff != "" {
		t.Error(diff)
	}

	// What is damaged, or lies under another's name, is none.
	data, err := schema.Encode(second)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, bindingName(alice.SessionID, "notify"), data)
	writeFile(t, dir, bindingName(alice.SessionID, "torn"), []byte("{"))
	if n := len(bindings(t, s)); n != 2 {
		t.Errorf("%d routes", n)
	}

	s.Unbind(alice.SessionID, "exec")
	s.Unbind(alice.SessionID, "never-there")
	if diff := cmp.Diff([]schema.Binding{*second}, bindings(t, s)); diff != "" {
		t.Error(diff)
	}
}

func TestBindingNamesLeadNowhere(t *testing.T) {
	s, dir := realRoom(t)
	b := binding(s, join(t, s, "alice"), "../../../escaped")
	if err := s.Bind(b); err == nil {
		t.Error("an adapter may be called like a path")
	}
	if name := bindingName("../x", "exec"); name != "run/bindings/-.exec.json" {
		t.Errorf("a session that is none: %s", name)
	}
	s.Unbind("../../workspace", "json")
	if _, err := os.Stat(filepath.Join(dir, roomDir, workspaceName)); err != nil {
		t.Error(err)
	}
}

// TestAdaptersArePrivate holds what hold generations, and what lies beside, to
// the rights of their owner.
func TestAdaptersArePrivate(t *testing.T) {
	s, dir := realRoom(t)
	alice := join(t, s, "alice")
	bind(t, s, binding(s, alice, "exec"))
	serving, err := s.Serve(alice.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	defer serving.Close()
	for _, err := range []error{
		s.SetLivePolicy(&schema.Policy{SchemaVersion: 1, ParticipantID: "alice", LivePolicy: schema.DeliverAll}),
		s.SetShown(&schema.Shown{SchemaVersion: 1, ParticipantID: "alice", Named: []string{}, Held: []string{}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"run/bindings", "run/policies", "run/shown", "run/adapters"} {
		found, err := filepath.Glob(filepath.Join(dir, roomDir, pattern, "*"))
		if len(found) != 1 || err != nil {
			t.Errorf("%s holds %v, %v", pattern, found, err)
		}
		for _, path := range append(found, filepath.Join(dir, roomDir, pattern)) {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}

	// Whoever inspects the room knows them all.
	var unknown, records []string
	i, err := Inspect(dir, s.Env())
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	i.Walk(func(item Item) {
		switch {
		case item.Err != nil:
			unknown = append(unknown, item.Name)
		case item.Record != nil && strings.HasPrefix(item.Name, "run/"):
			records = append(records, filepath.Dir(item.Name))
		}
	})
	if len(unknown) != 0 || !slices.Equal(records, []string{"run/bindings", "run/policies", "run/shown"}) {
		t.Errorf("unknown %v, records %v", unknown, records)
	}
}

func TestLivePolicy(t *testing.T) {
	s, dir := realRoom(t)
	policy := func(of string) (p schema.DeliveryPolicy) {
		view(t, s, func(v *View) error {
			p = v.LivePolicy(of)
			return nil
		})
		return p
	}
	if got := policy("alice"); got != schema.DeliverNothing {
		t.Errorf("nobody set it, and it is %s", got)
	}
	if err := s.SetLivePolicy(&schema.Policy{SchemaVersion: 1, ParticipantID: "alice", LivePolicy: schema.DeliverAll}); err != nil {
		t.Fatal(err)
	}
	if got := policy("alice"); got != schema.DeliverAll {
		t.Errorf("it is %s", got)
	}
	// One that cannot be read, or is somebody else's, lets nothing through.
	data, err := os.ReadFile(filepath.Join(dir, roomDir, policyName("alice")))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, policyName("bob"), data)
	writeFile(t, dir, policyName("carol"), []byte("{"))
	for _, name := range []string{"bob", "carol", "../alice"} {
		if got := policy(name); got != schema.DeliverNothing {
			t.Errorf("%s: %s", name, got)
		}
	}
	s.ForgetParticipant("alice")
	if got := policy("alice"); got != schema.DeliverNothing {
		t.Errorf("forgotten, it is %s", got)
	}
}

func TestShown(t *testing.T) {
	s, dir := realRoom(t)
	want := schema.Shown{SchemaVersion: 1, ParticipantID: "alice", Named: []string{}, Held: []string{}}
	check := func(label string) {
		t.Helper()
		view(t, s, func(v *View) error {
			if diff := cmp.Diff(want, v.Shown("alice")); diff != "" {
				t.Errorf("%s: %s", label, diff)
			}
			return nil
		})
	}
	check("at first")
	want.Held = []string{"message_01k5x0f4e2m9v8r7c6b5a4z3y2"}
	if err := s.SetShown(&want); err != nil {
		t.Fatal(err)
	}
	check("kept")
	writeFile(t, dir, shownName("alice"), []byte("torn"))
	want.Held = []string{}
	check("torn")
}

func TestForgetAdapters(t *testing.T) {
	s, dir := realRoom(t)
	alice, bob := join(t, s, "alice"), join(t, s, "bob")
	if err := s.ForgetAdapters(alice.SessionID); err != nil { // there never was one
		t.Fatal(err)
	}
	for _, me := range []schema.Session{alice, bob} {
		bind(t, s, binding(s, me, "exec"))
		bind(t, s, binding(s, me, "notify"))
		serving, err := s.Serve(me.SessionID)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(serving.Close)
	}
	adapters := func() (all []string) {
		view(t, s, func(v *View) (err error) {
			all, err = v.Adapters()
			return err
		})
		return all
	}
	if got := adapters(); !slices.Equal(got, []string{alice.SessionID, bob.SessionID}) {
		t.Errorf("adapters of %v", got)
	}
	if err := s.ForgetAdapters(alice.SessionID); err != nil {
		t.Fatal(err)
	}
	if got := adapters(); !slices.Equal(got, []string{bob.SessionID}) || len(bindings(t, s)) != 2 {
		t.Errorf("left: adapters of %v, %v", got, bindings(t, s))
	}
	if _, err := os.Lstat(filepath.Join(dir, roomDir, servingName(alice.SessionID))); !isMissing(err) {
		t.Errorf("the lock: %v", err)
	}
}

func TestDeadAdapter(t *testing.T) {
	env := testEnv(newTestClock(), nil)
	env.Alive = func(p Process) bool { return p.PID == 42 }
	for label, test := range map[string]struct {
		b    schema.Binding
		dead bool
	}{
		"alive":                  {schema.Binding{Host: "host", PID: 42, ProcessStart: "1"}, false},
		"dead":                   {schema.Binding{Host: "host", PID: 43, ProcessStart: "1"}, true},
		"on another host":        {schema.Binding{Host: "far", PID: 43, ProcessStart: "1"}, false},
		"start unknown":          {schema.Binding{Host: "host", PID: 43}, false},
		"no process of its own":  {schema.Binding{}, false},
		"no process, but a host": {schema.Binding{Host: "host"}, false},
	} {
		if got := env.DeadAdapter(&test.b); got != test.dead {
			t.Errorf("%s: dead is %t", label, got)
		}
	}
}
