package roomgen

import (
	"fmt"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// mostAsked bounds how many questions are remembered; older ones stay
// unanswered.
const mostAsked = 1000

// letter is a message before it has an id.
type letter struct {
	from    int // index of the participant
	to      int // index of the participant, everybody when it is the author
	kind    schema.MessageKind
	replyTo *schema.Message
	change  *schema.DecisionChange
}

// chain is the row of decisions that is being written.
type chain struct {
	author, length int
	last           string
}

// send writes one message with its receipts and events.
func (g *generator) send(tx *fsstore.Tx, open bool) error {
	l := g.draw()
	m, err := g.message(tx, l)
	if err != nil {
		return err
	}
	if err := tx.AddMessage(m); err != nil {
		return err
	}
	if err := tx.Event(schema.EventMessageSent, m.FromSessionID, schema.Payload{MessageID: m.MessageID, Kind: m.Kind}); err != nil {
		return err
	}
	g.remember(m)
	for i := range g.room.Participants {
		if i == l.to && i != l.from || l.to == l.from && i != l.from {
			if err := g.receipt(tx, m, i, open); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw says what comes next. Decisions and handoffs go to everybody.
func (g *generator) draw() letter {
	l := letter{from: g.random.IntN(len(g.room.Participants)), kind: g.deck[g.random.IntN(len(g.deck))]}
	l.to = (l.from + 1 + g.random.IntN(len(g.room.Participants)-1)) % len(g.room.Participants)
	switch l.kind {
	case schema.Decision:
		g.decide(&l)
	case schema.Handoff:
		l.to = l.from
	case schema.Answer:
		g.answer(&l)
	}
	return l
}

// decide continues the chain, or begins the next one.
func (g *generator) decide(l *letter) {
	if g.chain.last == "" || g.chain.length >= g.cfg.Chain {
		g.chain = chain{author: l.from}
	} else {
		l.from = g.chain.author
		l.change = &schema.DecisionChange{Action: schema.Replace, MessageIDs: []string{g.chain.last}}
	}
	l.to = l.from
}

// answer answers the oldest question that waits.
func (g *generator) answer(l *letter) {
	if len(g.asked) == 0 {
		l.kind = schema.Note
		return
	}
	l.replyTo = g.asked[0]
	g.asked = g.asked[1:]
	for i, name := range g.room.Participants {
		switch name {
		case l.replyTo.ToParticipantIDs[0]:
			l.from = i
		case l.replyTo.FromParticipantID:
			l.to = i
		}
	}
}

func (g *generator) remember(m *schema.Message) {
	switch m.Kind {
	case schema.Question, schema.Request:
		if len(g.asked) < mostAsked {
			g.asked = append(g.asked, m)
		}
	case schema.Decision:
		g.chain.length++
		g.chain.last = m.MessageID
		g.room.Decisions = append(g.room.Decisions, m.MessageID)
	}
}

func (g *generator) message(tx *fsstore.Tx, l letter) (*schema.Message, error) {
	id, err := tx.NewID(schema.IDMessage)
	if err != nil {
		return nil, err
	}
	m := &schema.Message{
		SchemaVersion: schema.Version, MessageID: id, ThreadID: id, ClientMessageID: fsstore.GeneratedKey(id),
		WorkspaceID: tx.Workspace().WorkspaceID, FromParticipantID: g.room.Participants[l.from],
		FromSessionID: g.room.Sessions[l.from].SessionID, ToParticipantIDs: []string{}, Kind: l.kind,
		Subject: fmt.Sprintf("%s about part %d", l.kind, g.random.IntN(100)), Body: g.body(), Artifacts: []string{},
		DecisionChange: l.change, SentAt: schema.At(schema.IDTime(id)),
	}
	if l.to != l.from {
		m.ToParticipantIDs = []string{g.room.Participants[l.to]}
	}
	if l.replyTo != nil {
		m.ThreadID, m.InReplyTo = l.replyTo.ThreadID, &l.replyTo.MessageID
	}
	if l.kind == schema.Handoff {
		m.Handoff = &schema.HandoffNote{
			Status: schema.HandoffPartial, Completed: []string{}, Remaining: []string{}, Blockers: []string{}, Verification: []string{},
		}
	}
	m.Obligation = schema.DefaultObligation(m.Kind, len(m.ToParticipantIDs) > 0)
	return m, nil
}

// body is one to eight sentences.
func (g *generator) body() string {
	const sentence = "The parser keeps the position of every token, so that an error can name its line. "
	return strings.TrimSpace(strings.Repeat(sentence, 1+g.random.IntN(8)))
}

// receipt files a receipt: queued while it is open, else as far as it gets.
func (g *generator) receipt(tx *fsstore.Tx, m *schema.Message, recipient int, open bool) error {
	r := &schema.Receipt{
		SchemaVersion: schema.Version, MessageID: m.MessageID, RecipientParticipantID: g.room.Participants[recipient],
		State: schema.Queued, UpdatedAt: m.SentAt,
	}
	event := schema.EventReceiptRetrieved
	if !open {
		r.State = schema.Retrieved
		if r.State.Pending(m.Obligation) {
			r.State, event = schema.Acknowledged, schema.EventReceiptAcked
		}
	}
	if err := tx.PutReceipt(m, "", r); err != nil || open {
		return err
	}
	return tx.Event(event, g.room.Sessions[recipient].SessionID, schema.Payload{
		MessageID: m.MessageID, ParticipantID: r.RecipientParticipantID, State: r.State,
	})
}
