package cli

import (
	"strings"

	"acc/schema"
	"acc/tools/coordination"
)

func (p *printer) shownMessage(m *coordination.ShownMessage) {
	p.message(&m.Record, m.DecisionStatus)
	p.receipts(m.Receipts)
	p.links(m)
	if len(m.Thread) == 0 {
		return
	}
	p.heading("Thread")
	for _, e := range m.Thread {
		mark := " "
		if e.MessageID == m.Record.MessageID {
			mark = "*" // the one that is shown
		}
		p.line("%s %s  %s  %s  %s  %s", mark, p.when(e.SentAt.Time), p.route(e.Addressed), e.Kind, visible(e.Subject), p.paint(dim, e.MessageID))
	}
}

// links are the decisions that replace or withdraw the one that is shown, and
// which one stands now.
func (p *printer) links(m *coordination.ShownMessage) {
	if len(m.ChangedBy) == 0 {
		return
	}
	p.heading("Changed by")
	var rows [][]cell
	for _, by := range m.ChangedBy {
		rows = append(rows, []cell{{text: changed(by.Action)}, {text: by.FromParticipantID}, {by.MessageID, dim}})
	}
	p.table(rows)
	if s := m.DecisionStatus; s != nil && s.CurrentMessageID != nil {
		p.line("What stands now: acc show %s", *s.CurrentMessageID)
	}
}

func changed(by schema.ChangeAction) string {
	switch by {
	case schema.Replace:
		return "replaced by"
	case schema.Withdraw:
		return "withdrawn by"
	}
	return "changed by"
}

func (p *printer) shownClaim(c *coordination.ShownClaim) {
	if f := c.Forced; f != nil {
		p.line("%s", p.paint(bold, visible(string(f.Resource))))
		p.fields(
			"State", "taken from its holder", "Holder", f.OwnerParticipantID, "Taken by", f.ActorParticipantID,
			"Authority", string(f.Authority), "Why", visible(f.Reason), "At", p.when(f.ReleasedAt.Time), "Id", f.ClaimID,
		)
		return
	}
	r := c.Record
	p.line("%s", p.paint(bold, visible(string(r.Resource))))
	p.fields(
		"State", claimState(c.State), "Mode", string(r.Mode), "Holder", r.OwnerParticipantID+" ("+string(c.OwnerPresence)+")",
		"Why", visible(text(r.Reason)), "Since", p.when(r.AcquiredAt.Time), "Until", p.when(r.ExpiresAt.Time)+" ("+p.left(r.ExpiresAt.Time)+")",
		"Enforcement", string(r.Enforcement), "Id", r.ClaimID, "Session", r.OwnerSessionID,
	)
}

func claimState(s coordination.ClaimState) string {
	if s == coordination.ClaimEnded {
		return "ended; its holder may renew it while nobody took the ground"
	}
	return string(s)
}

func (p *printer) shownSession(s *coordination.ShownSession) {
	r := s.Record
	closed := ""
	if r.ClosedAt != nil {
		closed = p.when(r.ClosedAt.Time)
	}
	p.line("%s", p.paint(bold, r.ParticipantID))
	p.fields(
		"State", string(r.State)+", "+string(s.Presence), "Client", visible(r.Harness), "Checkout", visible(r.CheckoutRoot),
		"Branch", visible(r.Branch), "Since", p.when(r.StartedAt.Time), "Last seen", p.when(r.HeartbeatAt.Time), "Closed", closed,
		"Handoff", text(r.HandoffID), "Id", r.SessionID,
	)
	if i := s.Intent; i != nil {
		p.heading("Intent")
		p.fields("Does", visible(i.Summary), "Mode", string(i.Mode), "State", string(i.State), "Touches", resourceWords(i.ResourceHints))
	}
	if len(s.Claims) > 0 {
		p.heading("Claims")
		p.claims(s.Claims)
	}
}

func resourceWords(list []schema.Resource) string {
	words := make([]string, len(list))
	for i, r := range list {
		words[i] = visible(string(r))
	}
	return strings.Join(words, ", ")
}
