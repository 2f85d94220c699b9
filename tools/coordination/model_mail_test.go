package coordination

import (
	"slices"

	"acc/schema"
)

// letter is a message that a participant wants to send.
type letter struct {
	to         []string
	kind       schema.MessageKind
	obligation schema.Obligation // "" for the default
	subject    string
	key        string
	replyTo    *mMail
	supersedes []string
	withdraws  []string
	handoff    *schema.HandoffNote
}

func (l letter) change() *schema.DecisionChange {
	switch {
	case l.supersedes != nil:
		return &schema.DecisionChange{Action: schema.Replace, MessageIDs: l.supersedes}
	case l.withdraws != nil:
		return &schema.DecisionChange{Action: schema.Withdraw, MessageIDs: l.withdraws}
	}
	return nil
}

// refusal says why a session may not send a letter: what the recipients and
// the targets say of it. It completes the recipients.
func (p *play) refusal(me *mSession, l *letter) schema.Reason {
	for i, name := range l.to {
		switch {
		case name != me.who && !p.knows(name):
			return schema.ReasonRecipientUnknown
		case slices.Contains(l.to[:i], name):
			return schema.ReasonRecipientDuplicate
		}
	}
	if c := l.change(); c != nil {
		for _, id := range c.MessageIDs {
			target := p.byID(id)
			if target == nil || target.Kind != schema.Decision {
				return schema.ReasonDecisionUnknown
			}
			l.inherit(me, target, p.names())
		}
	}
	if l.obligation == "" {
		l.obligation = obligations[l.kind]
		if l.kind == schema.Handoff && len(l.to) == 0 {
			l.obligation = schema.OweNothing
		}
	}
	needsReader := l.obligation != schema.OweNothing
	if needsReader && len(l.to) == 0 {
		return schema.ReasonConflictingFields
	}
	return ""
}

// obligations are those that the kinds carry by themselves.
var obligations = map[schema.MessageKind]schema.Obligation{
	schema.Note: schema.OweNothing, schema.Question: schema.OweReply, schema.Request: schema.OweReply, schema.Answer: schema.OweNothing,
	schema.Decision: schema.OweNothing, schema.Handoff: schema.OweAcknowledge,
}

// inherit adds whoever a changed decision concerns.
func (l *letter) inherit(me *mSession, target *mMail, names []string) {
	concerned := append([]string{target.FromParticipantID}, target.ToParticipantIDs...)
	if len(target.ToParticipantIDs) == 0 {
		concerned = append(concerned, filter(names, func(who string) bool { return target.receipts[who] != nil })...)
	}
	for _, who := range concerned {
		if who != me.who && !slices.Contains(l.to, who) {
			l.to = append(slices.Clone(l.to), who)
		}
	}
}

// original is the message that a letter repeats, and whether the key speaks of
// something else.
func (p *play) original(me *mSession, l *letter) (*mMail, schema.Reason) {
	if l.key == "" {
		return nil, ""
	}
	was := p.keyed(me.who, l.key)
	if was == nil {
		return nil, ""
	}
	replies := was.InReplyTo == nil && l.replyTo == nil || was.InReplyTo != nil && l.replyTo != nil && *was.InReplyTo == l.replyTo.MessageID
	handoffs := was.Handoff == nil && l.handoff == nil || was.Handoff != nil && l.handoff != nil && was.Handoff.Status == l.handoff.Status
	c, d := was.DecisionChange, l.change()
	changes := c == nil && d == nil || c != nil && d != nil && c.Action == d.Action && slices.Equal(c.MessageIDs, d.MessageIDs)
	if was.Kind != l.kind || was.Obligation != l.obligation || was.Subject != l.subject || !slices.Equal(was.ToParticipantIDs, l.to) ||
		!replies || !handoffs || !changes {
		return nil, schema.ReasonKeyReused
	}
	return was, ""
}

// sent enters a message, or finds the original, and compares the answer.
func (p *play) sent(me *mSession, l *letter, got schema.Message, delivery []Delivery) *mMail {
	p.t.Helper()
	if was, _ := p.original(me, l); was != nil {
		same(p, "repeated message", was.Message, got)
		same(p, "delivery", p.delivery(me, was), delivery)
		return was
	}
	mail := &mMail{receipts: map[string]*schema.Receipt{}, Message: schema.Message{
		SchemaVersion: 1, MessageID: got.MessageID, ThreadID: got.MessageID, ClientMessageID: l.key, WorkspaceID: got.WorkspaceID,
		FromParticipantID: me.who, ToParticipantIDs: append([]string{}, l.to...), Kind: l.kind, Obligation: l.obligation,
		Subject: l.subject, Body: "b", Artifacts: []string{}, Handoff: l.handoff, DecisionChange: l.change(), SentAt: got.SentAt,
	}}
	if l.key == "" {
		mail.ClientMessageID = got.ClientMessageID
	}
	if l.handoff != nil {
		mail.Body = l.subject
	}
	if l.replyTo != nil {
		mail.ThreadID, mail.InReplyTo = l.replyTo.ThreadID, &l.replyTo.MessageID
	}
	readers := l.to
	if len(readers) == 0 {
		readers = p.audience(me.who)
	}
	for _, who := range readers {
		mail.receipts[who] = &schema.Receipt{
			SchemaVersion: 1, MessageID: got.MessageID, RecipientParticipantID: who, State: schema.Queued, UpdatedAt: got.SentAt,
		}
	}
	p.inOrder(got)
	want := p.delivery(me, mail)
	p.mail = append(p.mail, mail)
	p.event(schema.EventMessageSent, me, schema.Payload{MessageID: got.MessageID, Kind: l.kind})
	p.name(me, got.FromSessionID)
	mail.FromSessionID = me.id
	same(p, "message", mail.Message, got)
	same(p, "delivery", want, delivery)
	return mail
}

// name takes the id of a session that this very call opened from the answer;
// the events of the step must agree.
func (p *play) name(me *mSession, id string) {
	if me.id == "" {
		me.id = id
	}
}

// inOrder: ids and times never go backwards, whatever the clock does.
func (p *play) inOrder(got schema.Message) {
	if got.MessageID <= p.latest || got.SentAt.Before(schema.At(p.now).Time) || !got.SentAt.Equal(schema.IDTime(got.MessageID)) {
		p.t.Fatalf("%s of %s comes after %s at %s", got.MessageID, got.SentAt, p.latest, schema.At(p.now))
	}
	p.latest = got.MessageID
}

func (p *play) delivery(me *mSession, mail *mMail) []Delivery {
	outcomes := []Delivery{}
	for _, who := range mail.ToParticipantIDs {
		d := Delivery{RecipientParticipantID: who, Outcome: mail.receipts[who].State, Transport: "durable"}
		if d.Outcome == schema.Queued && who != me.who && !p.online(who) {
			d.ErrorCode = "recipient_unavailable"
		}
		outcomes = append(outcomes, d)
	}
	return outcomes
}

// wants is why a letter is refused, its key included.
func (p *play) wants(l *letter) func(*mSession) schema.Reason {
	return func(me *mSession) schema.Reason {
		if reason := p.refusal(me, l); reason != "" {
			return reason
		}
		_, reason := p.original(me, l)
		return reason
	}
}

func (p *play) message(process *mProcess, l letter) {
	var got Sent
	a := args{
		"to": append([]string{}, l.to...), "subject": l.subject, "body": "b", "kind": string(l.kind), "obligation": string(l.obligation),
		"clientMessageId": l.key, "supersedes": l.supersedes, "withdraws": l.withdraws,
	}
	p.act(process, "acc_message", a, &got, p.wants(&l), func(me *mSession) { p.sent(me, &l, got.Message, got.Delivery) })
}

func (p *play) request(process *mProcess, to, title, key string) {
	var got Sent
	l := letter{to: []string{to}, kind: schema.Request, subject: title, key: key}
	a := args{"toParticipantId": to, "title": title, "detail": "b", "clientMessageId": key}
	p.act(process, "acc_request", a, &got, p.wants(&l), func(me *mSession) { p.sent(me, &l, got.Message, got.Delivery) })
}

func (p *play) reply(process *mProcess, mail *mMail, key string) {
	var got Replied
	l := letter{to: []string{mail.FromParticipantID}, kind: schema.Answer, subject: "s", key: key, replyTo: mail}
	a := args{"messageId": mail.MessageID, "body": "b", "subject": "s", "clientMessageId": key}
	p.act(process, "acc_reply", a, &got, func(me *mSession) schema.Reason {
		if reason := p.addressed(mail)(me); reason != "" {
			return reason
		}
		return p.wants(&l)(me)
	}, func(me *mSession) {
		p.sent(me, &l, got.Message, got.Delivery)
		p.advance(me, mail, schema.Acknowledged)
		same(p, "receipt", *mail.receipts[me.who], got.Receipt)
	})
}

// finish ends the session of a process, or repeats what ended it. It is no
// sign of life.
func (p *play) finish(process *mProcess, to, goal, key string) {
	me := p.speaks(process.who)
	if me == nil || me.open {
		me = p.resolve(process)
	}
	l := letter{kind: schema.Handoff, subject: goal, key: key, handoff: &schema.HandoffNote{
		Status: schema.HandoffPartial, Completed: []string{}, Remaining: []string{}, Blockers: []string{}, Verification: []string{},
	}}
	if to != "" {
		l.to = []string{to}
	}
	reason := p.refusal(me, &l)
	was, reused := p.original(me, &l)
	switch {
	case reason != "":
	case reused != "" || was != nil && was != me.handoff:
		reason = schema.ReasonKeyReused
	case was == nil && !me.open:
		reason = schema.ReasonSessionFinished
	}
	var got Sent
	p.call(process.client, "acc_finish", args{"goal": goal, "toParticipantId": to, "clientMessageId": key}, reason, &got)
	if reason != "" {
		return
	}
	p.begin(me)
	mail := p.sent(me, &l, got.Message, got.Delivery)
	if was == nil {
		p.close(process, me, mail)
	}
	p.learn()
}

func (p *play) close(process *mProcess, me *mSession, handoff *mMail) {
	for _, c := range filter(p.claims, func(c *mClaim) bool { return c.owner == me }) {
		if p.drop(c); !c.kept {
			p.event(schema.EventClaimReleased, me, schema.Payload{ClaimID: c.ClaimID})
		}
	}
	p.clearIntent(me)
	me.open, me.closed, me.handoff = false, p.now, handoff
	process.session = nil
	p.events = append(p.events, mEvent{
		kind: schema.EventSessionClosed, actor: me, subject: me, payload: schema.Payload{MessageID: handoff.MessageID},
	})
}
