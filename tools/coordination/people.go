package coordination

import (
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// people is who is in the room, read once for an answer.
type people struct {
	participants []schema.Participant
	sessions     []schema.Session // open ones, and the last closed one of each participant
	presence     *sampler
}

func readPeople(v *fsstore.View, env fsstore.Env) (*people, error) {
	participants, err := v.Participants()
	if err != nil {
		return nil, err
	}
	sessions, err := v.Sessions()
	if err != nil {
		return nil, err
	}
	presence, err := newSampler(v, env)
	return &people{participants: participants, sessions: sessions, presence: presence}, err
}

// readRecipients reads whether the named participants are there, and nothing of
// anybody else: sends are what a room has most of.
func readRecipients(v *fsstore.View, env fsstore.Env, participants []string) (*people, error) {
	sessions, err := v.SessionsOf(participants...)
	if err != nil || len(sessions) == 0 {
		return &people{}, err
	}
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.SessionID
	}
	presence, err := newSampler(v, env, ids...)
	return &people{sessions: sessions, presence: presence}, err
}

// sessionOf is the session that speaks for a participant: the one with the
// most presence, the newest of several, nil when there never was one.
func (p *people) sessionOf(participant string) *schema.Session {
	var best *schema.Session
	for i, s := range p.sessions {
		if s.ParticipantID == participant && (best == nil || rank(p.presence.of(s)) >= rank(p.presence.of(*best))) {
			best = &p.sessions[i]
		}
	}
	return best
}

func rank(p Presence) int { return slices.Index([]Presence{Offline, Stale, Online}, p) }

func (p *people) online(participant string) bool {
	s := p.sessionOf(participant)
	return s != nil && p.presence.of(*s) == Online
}

// session finds a session by id among the listed ones.
func (p *people) session(id string) *schema.Session {
	for i := range p.sessions {
		if p.sessions[i].SessionID == id {
			return &p.sessions[i]
		}
	}
	return nil
}

// presenceOf judges a session by id; a session that is not listed is closed.
func (p *people) presenceOf(sessionID string) Presence {
	if s := p.session(sessionID); s != nil {
		return p.presence.of(*s)
	}
	return Offline
}

// RosterRow is one session as the roster shows it.
type RosterRow struct {
	SessionID     string              `json:"sessionId"`
	ParticipantID string              `json:"participantId"`
	Harness       string              `json:"harness"`
	Branch        string              `json:"branch"`
	Presence      Presence            `json:"presence"`
	Enforcement   schema.Enforcement  `json:"enforcement"`
	Lifecycle     schema.Lifecycle    `json:"lifecycle"`
	Capabilities  schema.Capabilities `json:"capabilities"`
}

// roster lists the sessions. What reaches a client is what its adapters
// recorded that did not die; of a session that none serves, nothing.
func (p *people) roster(v *fsstore.View) ([]RosterRow, error) {
	bindings, err := v.Bindings()
	rows := make([]RosterRow, len(p.sessions))
	for i, s := range p.sessions {
		rows[i] = RosterRow{
			SessionID: s.SessionID, ParticipantID: s.ParticipantID, Harness: s.Harness, Branch: s.Branch,
			Presence: p.presence.of(s), Enforcement: s.Enforcement, Lifecycle: s.Lifecycle,
		}
		for _, b := range bindings {
			if b.SessionID == s.SessionID && b.Generation == s.Generation && !p.presence.env.DeadAdapter(&b) {
				rows[i].Capabilities = rows[i].Capabilities.With(b.Capabilities)
			}
		}
	}
	return rows, err
}
