package coordination

import (
	"acc/fsstore"
	"acc/schema"
)

// Happening is one event of the log with what it speaks of, as far as that is
// on record. An intent is the one of now; a claim that was released is known
// to those who saw it before.
type Happening struct {
	Type          schema.EventType      `json:"type"`
	Cursor        string                `json:"cursor"`
	OccurredAt    schema.Time           `json:"occurredAt"`
	SessionID     string                `json:"sessionId"`     // whose act it was
	ParticipantID string                `json:"participantId"` // of that session, "" when it is unknown
	Payload       schema.Payload        `json:"payload"`
	Session       *Arrival              `json:"session,omitempty"`
	Intent        *schema.Intent        `json:"intent,omitempty"`
	Claim         *schema.Claim         `json:"claim,omitempty"`
	Forced        *schema.ForcedRelease `json:"forced,omitempty"`
	Message       *Addressed            `json:"message,omitempty"`
}

// Arrival is where a session came from.
type Arrival struct {
	Harness      string `json:"harness"`
	Branch       string `json:"branch"`
	CheckoutRoot string `json:"checkoutRoot"`
}

// namer finds what the ids of an event stand for.
type namer struct {
	view    *fsstore.View
	people  *people
	intents map[string]schema.Intent
	before  map[string]schema.Claim // claims of the look before
	now     map[string]schema.Claim
}

func (n namer) happening(e schema.Event) Happening {
	h := Happening{
		Type: e.Type, Cursor: e.Cursor, OccurredAt: e.OccurredAt, SessionID: e.ActorSessionID, Payload: e.Payload,
		ParticipantID: n.participant(e.ActorSessionID),
	}
	if h.ParticipantID == "" {
		h.ParticipantID = e.Payload.ParticipantID
	}
	switch {
	case e.Type == schema.EventSessionOpened:
		if s := n.session(e.Payload.SessionID); s != nil {
			h.Session = &Arrival{s.Harness, s.Branch, s.CheckoutRoot}
		}
	case e.Type == schema.EventIntentSet:
		if intent, ok := n.intents[e.Payload.SessionID]; ok {
			h.Intent = &intent
		}
	case e.Payload.ClaimID != "":
		n.claim(&h, e.Payload.ClaimID)
	}
	if e.Payload.MessageID != "" {
		h.Message = n.message(e.Payload)
	}
	return h
}

func (n namer) participant(sessionID string) string {
	if s := n.session(sessionID); s != nil {
		return s.ParticipantID
	}
	return ""
}

func (n namer) session(id string) *schema.Session {
	if s := n.people.session(id); s != nil {
		return s
	}
	s, err := n.view.Session(id)
	if err != nil {
		return nil
	}
	return &s
}

// claim finds a claim where claims may be.
func (n namer) claim(h *Happening, id string) {
	c, known := n.now[id]
	if !known {
		c, known = n.before[id]
	}
	switch {
	case known:
		h.Claim = &c
	case h.Type == schema.EventClaimExpired:
		if c, err := n.view.KeptClaim(id); err == nil {
			h.Claim = &c
		}
	}
	if h.Type == schema.EventClaimForced {
		if f, err := n.view.ForcedRelease(id); err == nil {
			h.Forced = &f
		}
	}
}

// message opens the message that an event speaks of. One that is damaged or
// gone is not known any more.
func (n namer) message(p schema.Payload) *Addressed {
	find := func() (schema.Message, error) { return n.view.Message(p.MessageID) }
	if p.Kind != "" {
		find = func() (schema.Message, error) {
			return n.view.MessageByRef(fsstore.MessageRef{MessageID: p.MessageID, Kind: p.Kind})
		}
	}
	m, err := find()
	if err != nil {
		return nil
	}
	summary, err := summarise(n.view, &m)
	if err != nil {
		return nil
	}
	return &Addressed{Summary: summary, ToParticipantIDs: m.ToParticipantIDs}
}
