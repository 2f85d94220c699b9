package coordination

import (
	"slices"
	"strings"
	"time"

	"acc/schema"
)

// model is the room as the contract describes it, kept in memory.
type model struct {
	now      time.Time
	sessions []*mSession // in the order in which they were opened
	claims   []*mClaim
	mail     []*mMail // oldest first
	events   []mEvent // what the step under way has caused
}

// mProcess is one server of a participant.
type mProcess struct {
	who     string
	alive   bool
	session *mSession // the one it acted in last, nil when there is none
	client  *client
}

type mSession struct {
	id, who string
	open    bool
	started time.Time
	closed  time.Time
	handoff *mMail
	intent  *schema.Intent
	signs   map[*mProcess]time.Time
}

type mClaim struct {
	schema.Claim
	owner      *mSession
	kept, told bool // off the ground and kept for its holder; its holder knows
}

type mMail struct {
	schema.Message
	receipts map[string]*schema.Receipt
}

// What a play draws is shown by name.

func (p *mProcess) GoString() string { return p.name() }
func (c *mClaim) GoString() string   { return c.ClaimID }
func (m *mMail) GoString() string    { return m.MessageID }

// mEvent is an event that must have happened. The ids of sessions are filled
// in late: one that an event opens is not known before.
type mEvent struct {
	kind    schema.EventType
	actor   *mSession
	subject *mSession // the session in the payload
	payload schema.Payload
}

func (m *model) event(kind schema.EventType, actor *mSession, payload schema.Payload) {
	m.events = append(m.events, mEvent{kind: kind, actor: actor, payload: payload})
}

func (m *model) live(c *mClaim) bool { return m.now.Before(c.ExpiresAt.Time) }

// ground are the claims that anybody meets.
func (m *model) ground() []*mClaim {
	return filter(m.claims, func(c *mClaim) bool { return !c.kept })
}

func (m *model) drop(c *mClaim) {
	m.claims = filter(m.claims, func(other *mClaim) bool { return other != c })
}

// names are the known participants, sorted.
func (m *model) names() []string {
	var names []string
	for _, s := range m.sessions {
		if !slices.Contains(names, s.who) {
			names = append(names, s.who)
		}
	}
	slices.Sort(names)
	return names
}

func (m *model) knows(who string) bool { return slices.Contains(m.names(), who) }

// speaks is the session of a participant that counts: the last one.
func (m *model) speaks(who string) *mSession {
	for _, s := range slices.Backward(m.sessions) {
		if s.who == who {
			return s
		}
	}
	return nil
}

func (m *model) presence(s *mSession) Presence {
	best := Offline
	for p, at := range s.signs {
		switch {
		case !s.open || !p.alive:
		case m.now.Sub(at) <= 180*time.Second:
			return Online
		default:
			best = Stale
		}
	}
	return best
}

func (m *model) online(who string) bool {
	s := m.speaks(who)
	return s != nil && m.presence(s) == Online
}

// resolve is the session that a call of a process acts in. One that is new
// counts only once the call has succeeded: begin enters it.
func (m *model) resolve(p *mProcess) *mSession {
	if s := m.speaks(p.who); s != nil && s.open {
		return s
	}
	return &mSession{who: p.who, open: true, started: m.now, signs: map[*mProcess]time.Time{}}
}

func (m *model) begin(s *mSession) {
	if slices.Contains(m.sessions, s) {
		return
	}
	if !m.knows(s.who) {
		m.event(schema.EventParticipantJoined, s, schema.Payload{ParticipantID: s.who})
	}
	m.sessions = append(m.sessions, s)
	m.events = append(m.events, mEvent{kind: schema.EventSessionOpened, actor: s, subject: s, payload: schema.Payload{ParticipantID: s.who}})
}

func (m *model) beat(p *mProcess, s *mSession) {
	p.session, s.signs[p] = s, m.now
}

// byID finds a message.
func (m *model) byID(id string) *mMail {
	for _, mail := range m.mail {
		if mail.MessageID == id {
			return mail
		}
	}
	return nil
}

func (m *model) keyed(who, key string) *mMail {
	for _, mail := range m.mail {
		if mail.FromParticipantID == who && mail.ClientMessageID == key {
			return mail
		}
	}
	return nil
}

// inbox is a participant's open mail, newest first.
func (m *model) inbox(who string) []*mMail {
	var open []*mMail
	for _, mail := range slices.Backward(m.mail) {
		r := mail.receipts[who]
		if r == nil || m.replaced(mail) {
			continue
		}
		if r.State == schema.Queued || r.State == schema.Offered || r.State == schema.Retrieved && mail.Obligation != schema.OweNothing {
			open = append(open, mail)
		}
	}
	return open
}

// history is the mail of a kind, newest first.
func (m *model) history(kind string, current bool) []*mMail {
	var found []*mMail
	for _, mail := range slices.Backward(m.mail) {
		if (kind == "" || string(mail.Kind) == kind) && (!current || !m.replaced(mail)) {
			found = append(found, mail)
		}
	}
	return found
}

// audience is who gets a message to the room.
func (m *model) audience(who string) []string {
	var ids []string
	for _, name := range m.names() {
		if name != who && m.speaks(name).open {
			ids = append(ids, name)
		}
	}
	return ids
}

func (m *model) successors(mail *mMail) []*mMail {
	return filter(m.mail, func(other *mMail) bool {
		return other.DecisionChange != nil && slices.Contains(other.DecisionChange.MessageIDs, mail.MessageID)
	})
}

func (m *model) replaced(mail *mMail) bool { return len(m.successors(mail)) > 0 }

// status derives where a decision stands, nil for other mail.
func (m *model) status(mail *mMail) *schema.DecisionStatus {
	if mail.Kind != schema.Decision {
		return nil
	}
	group := m.group(mail)
	heads := filter(group, func(d *mMail) bool { return !m.replaced(d) })
	roots := filter(group, func(d *mMail) bool { return d.DecisionChange == nil })
	st := schema.DecisionStatus{
		State: schema.DecisionCurrent, IsHead: !m.replaced(mail), HeadCount: len(heads), Conflicted: len(heads) > 1,
		GroupID: slices.MinFunc(roots, func(a, b *mMail) int { return strings.Compare(a.MessageID, b.MessageID) }).MessageID,
	}
	if len(heads) == 1 {
		st.CurrentMessageID = &heads[0].MessageID
	}
	withdraws := func(d *mMail) bool { return d.DecisionChange != nil && d.DecisionChange.Action == schema.Withdraw }
	switch {
	case st.IsHead && withdraws(mail):
		st.State = schema.DecisionWithdrawn
	case !st.IsHead && slices.ContainsFunc(heads, func(d *mMail) bool { return !withdraws(d) }):
		st.State = schema.DecisionSuperseded
	case !st.IsHead:
		st.State = schema.DecisionWithdrawn
	}
	return &st
}

// group is everything that is linked to a decision.
func (m *model) group(mail *mMail) []*mMail {
	group := []*mMail{mail}
	for i := 0; i < len(group); i++ {
		next := m.successors(group[i])
		if c := group[i].DecisionChange; c != nil {
			for _, id := range c.MessageIDs {
				next = append(next, m.byID(id))
			}
		}
		for _, d := range next {
			if !slices.Contains(group, d) {
				group = append(group, d)
			}
		}
	}
	return group
}

// attention is what waits for a session, as kind and source.
func (m *model) attention(me *mSession) []string {
	var found []string
	for _, mail := range m.inbox(me.who) {
		switch mail.Obligation {
		case schema.OweReply:
			found = append(found, "reply_required "+mail.MessageID)
		case schema.OweAcknowledge:
			found = append(found, "acknowledgement_required "+mail.MessageID)
		}
	}
	for _, name := range m.names() {
		for _, mail := range m.inbox(name) {
			if name != me.who && !m.online(name) && mail.Obligation != schema.OweNothing && mail.FromParticipantID == me.who {
				found = append(found, "recipient_unavailable "+mail.MessageID)
			}
		}
	}
	for _, c := range filter(m.ground(), m.live) {
		if c.owner != me && me.hints(c) {
			found = append(found, "claim_conflict "+c.ClaimID)
		}
		for _, s := range m.sessions {
			if c.owner == me && s != me && s.hints(c) {
				found = append(found, "claim_contended "+c.ClaimID)
			}
		}
	}
	for _, c := range m.ended(me) {
		found = append(found, "claim_expired "+c.ClaimID)
	}
	slices.Sort(found)
	return found
}

func (s *mSession) hints(c *mClaim) bool {
	return s.open && s.intent != nil && s.intent.State != "done" &&
		slices.ContainsFunc(s.intent.ResourceHints, func(hint schema.Resource) bool { return overlaps(hint, c.Resource) })
}

// ended are the claims of a session whose end it has not been told of.
func (m *model) ended(me *mSession) []*mClaim {
	return filter(m.claims, func(c *mClaim) bool { return c.owner == me && (c.kept && !c.told || !c.kept && !m.live(c)) })
}

// tell notes that a session has seen what ended.
func (m *model) tell(me *mSession) {
	for _, c := range m.ended(me) {
		if !c.kept {
			m.event(schema.EventClaimExpired, me, schema.Payload{ClaimID: c.ClaimID})
		}
		c.kept, c.told = true, true
	}
}

// blocked reports whether claims of others are in the way.
func (m *model) blocked(me *mSession, wanted schema.Resource, mode schema.ClaimMode) bool {
	return slices.ContainsFunc(m.ground(), func(c *mClaim) bool {
		return m.live(c) && c.owner != me && overlaps(c.Resource, wanted) && (mode == schema.Exclusive || c.Mode == schema.Exclusive)
	})
}

// overlaps is the rule of contract §9 by segments.
func overlaps(a, b schema.Resource) bool { return within(a, b) || within(b, a) }

func within(narrow, wide schema.Resource) bool {
	base, tree := strings.CutSuffix(string(wide), "**")
	switch {
	case !tree:
		return narrow == wide
	case base == "file:":
		return strings.HasPrefix(string(narrow), base)
	}
	return strings.HasPrefix(string(narrow)+"/", base)
}

func filter[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return !keep(item) })
}
