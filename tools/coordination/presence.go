package coordination

import (
	"time"

	"acc/fsstore"
	"acc/schema"
)

// Presence is whether somebody is behind a session.
type Presence string

// The levels of presence (contract §12).
const (
	Online  Presence = "online"
	Stale   Presence = "stale"
	Offline Presence = "offline"
)

// How long a sign of life counts.
const (
	onlineFor = 180 * time.Second
	staleFor  = 30 * time.Minute
)

// sampler judges presence. One is made for each answer, so that an answer
// never contradicts itself.
type sampler struct {
	env   fsstore.Env
	now   time.Time
	signs map[string][]schema.Presence
	alive map[fsstore.Process]bool
}

// newSampler reads the signs of life of all sessions, or of the named ones.
func newSampler(v *fsstore.View, env fsstore.Env, sessions ...string) (*sampler, error) {
	signs, err := v.Presence(sessions...)
	return &sampler{env: env, now: env.Now(), signs: signs, alive: map[fsstore.Process]bool{}}, err
}

// of judges a session by the best of its processes.
func (p *sampler) of(s schema.Session) Presence {
	best := Offline
	if s.State != schema.SessionOpen {
		return best
	}
	for _, sign := range p.signs[s.SessionID] {
		switch p.sign(sign) {
		case Online:
			return Online
		case Stale:
			best = Stale
		}
	}
	return best
}

// sign judges one process. A process known to live is never offline; one
// known to be dead always is; of any other only the time is known.
func (p *sampler) sign(s schema.Presence) Presence {
	age := p.now.Sub(s.HeartbeatAt.Time)
	proc := fsstore.Process{Host: s.Host, PID: s.PID, Start: s.ProcessStart}
	known := proc.PID > 0 && proc.Start != "" && proc.Host == p.env.Process.Host
	switch {
	case known && !p.isAlive(proc):
		return Offline
	case age <= onlineFor:
		return Online
	case known || age <= staleFor:
		return Stale
	}
	return Offline
}

func (p *sampler) isAlive(proc fsstore.Process) bool {
	alive, asked := p.alive[proc]
	if !asked {
		alive = p.env.Alive(proc)
		p.alive[proc] = alive
	}
	return alive
}

// heartbeat is the newest sign of life of a session, its start when there is
// none.
func (p *sampler) heartbeat(s schema.Session) schema.Time {
	latest := s.StartedAt
	for _, sign := range p.signs[s.SessionID] {
		if sign.HeartbeatAt.After(latest.Time) {
			latest = sign.HeartbeatAt
		}
	}
	return latest
}
