package doctor

import (
	"strings"
	"testing"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/delivery/client"
	"acc/tools/install"
)

// agent is what files say of Claude Code.
func agent(found bool, trusted client.Trust, states ...install.Standing) Agent {
	a := Agent{Client: client.Claude, Name: "Claude Code", Found: found, Trusted: trusted}
	for _, state := range states {
		a.Installed = append(a.Installed, install.Status{Client: client.Claude, Scope: "project", State: state, Participant: "carol"})
	}
	return a
}

func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		a    Agent
		want string
	}{
		{agent(true, client.Untrusted), "acc install --client claude"},
		{agent(true, client.Trusted, install.Missing), "writes what is missing"},
		{agent(true, client.Trusted, install.Edited), "whether the edits are meant"},
		{agent(true, client.Trusted, install.Whole, install.Whole), "run twice"},
		{agent(false, client.Trusted, install.Whole), "put claude on the PATH"},
		{agent(true, client.Untrusted, install.Whole), "approve the server"},
		{agent(true, client.Trusted, install.Whole), "start claude in this project"},
	} {
		r := Report{}
		r.agents([]Agent{c.a}, nil, nil)
		if got := r.Clients[0]; !strings.Contains(got.Next, c.want) || got.Live {
			t.Errorf("%+v\nwant %s", got, c.want)
		}
	}
}

func TestLiveAgent(t *testing.T) {
	r := newRoom(t)
	r.cfg.Agents = []Agent{agent(true, client.Trusted, install.Whole)}
	live := func(want bool) {
		t.Helper()
		if a := Examine(t.Context(), r.cfg).Clients[0]; a.Live != want || want != (a.Next == "") {
			t.Errorf("%+v", a)
		}
	}
	s := r.join("carol")
	live(false)
	r.update(func(tx *fsstore.Tx) error {
		s.Lifecycle = schema.Automatic
		return tx.PutSession(s)
	})
	live(false)
	env := r.cfg.Env
	env.Process = fsstore.Process{Host: env.Process.Host} // a hook is over before anybody looks
	hook, err := fsstore.Open(r.cfg.Workspace.Root, env)
	if err != nil {
		t.Fatal(err)
	}
	defer hook.Close()
	if err := hook.Heartbeat(s.SessionID); err != nil {
		t.Fatal(err)
	}
	live(true)
	r.update(func(tx *fsstore.Tx) error {
		s.Lifecycle = schema.Manual
		return tx.PutSession(s)
	})
	live(false)
}
