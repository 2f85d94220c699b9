package doctor

import (
	"time"

	"acc/schema"
	"acc/tools/delivery/client"
	"acc/tools/install"
)

// Agent is one client of this machine: what acc wrote for it, and whether that
// works. A client that is not on the PATH and that nothing was installed for is
// not listed.
type Agent struct {
	Client    string           `json:"client"`
	Name      string           `json:"name"`
	Found     bool             `json:"found"`   // its program is on the PATH
	Version   string           `json:"version"` // of its program, "" when it is not known
	Installed []install.Status `json:"installed"`
	Trusted   client.Trust     `json:"trusted"` // whether the client uses what was written
	Live      bool             `json:"live"`    // its hooks have just been heard of, in this room
	Next      string           `json:"next"`    // what to do, "" for nothing
}

// liveFor is how long a sign of life counts.
const liveFor = 3 * time.Minute

// agents completes what is known of the clients by who is in the room.
func (r *Report) agents(found []Agent, sessions map[string]*schema.Session, alive func(sessionID string) bool) {
	r.Clients = append([]Agent{}, found...)
	for i := range r.Clients {
		a := &r.Clients[i]
		for _, s := range sessions {
			a.Live = a.Live || a.is(s) && alive(s.SessionID)
		}
		a.Next = a.next()
	}
}

// is reports whether a session is one that hooks of the client made.
func (a *Agent) is(s *schema.Session) bool {
	if s.State != schema.SessionOpen || s.Lifecycle != schema.Automatic {
		return false
	}
	if s.Harness == client.Harness(a.Client) {
		return true
	}
	for _, one := range a.Installed {
		if one.Participant == s.ParticipantID {
			return true
		}
	}
	return false
}

// alive reports whether a session has given a sign of life just now.
func (e *examination) alive(sessionID string) bool {
	for _, item := range e.items {
		sign, ok := item.Record.(*schema.Presence)
		if ok && sign.SessionID == sessionID && !e.cfg.Env.DeadSign(sign) && e.now.Sub(sign.HeartbeatAt.Time) <= liveFor {
			return true
		}
	}
	return false
}

// next is the one step that is most worth taking.
func (a *Agent) next() string {
	c, err := client.Find(a.Client)
	if err != nil {
		return ""
	}
	again := "acc install --client " + a.Client
	if len(a.Installed) > 1 {
		return "its hooks run twice; acc uninstall --client " + a.Client + " --scope user leaves those of this project"
	}
	for _, s := range a.Installed {
		if s.Scope == string(client.User) {
			again += " --scope user"
		}
		switch s.State {
		case install.Missing:
			return again + " writes what is missing"
		case install.Edited:
			return "see whether the edits are meant; to undo them, remove those entries and run " + again
		}
	}
	switch {
	case len(a.Installed) == 0:
		return again
	case !a.Found:
		return "put " + c.Program + " on the PATH"
	case a.Live:
		return ""
	}
	if step := c.TrustStep(client.Scope(a.Installed[0].Scope)); a.Trusted != client.Trusted && step != "" {
		return step
	}
	return "start " + c.Program + " in this project"
}
