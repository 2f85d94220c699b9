package cli

import (
	"strings"

	"acc/schema"
	"acc/tools/coordination"
)

// message prints a message in full. What peers wrote is shown whole, with
// control characters made visible.
func (p *printer) message(m *schema.Message, status *schema.DecisionStatus) {
	p.line("%s", p.paint(bold, visible(m.Subject)))
	p.fields(
		"Kind", string(m.Kind), "From", m.FromParticipantID, "To", recipients(m.ToParticipantIDs), "Sent", p.ago(m.SentAt.Time),
		"Id", m.MessageID, "Answers", text(m.InReplyTo), "Thread", otherThan(m.ThreadID, m.MessageID), "Owes", owes(m.Obligation),
		"Changes", changes(m.DecisionChange), "Status", decisionWords(status),
	)
	p.gap()
	p.body(m.Body)
	if m.Handoff != nil {
		p.handoff(m.Handoff)
	}
}

func (p *printer) handoff(h *schema.HandoffNote) {
	p.gap()
	p.fields("Status", string(h.Status), "Code", code(h.Git))
	for _, part := range []struct {
		name  string
		items []string
	}{{"Completed", h.Completed}, {"Remaining", h.Remaining}, {"Blockers", h.Blockers}} {
		if len(part.items) > 0 {
			p.heading("%s", part.name)
		}
		for _, item := range part.items {
			p.line("  - %s", visible(strings.ReplaceAll(item, "\n", " ")))
		}
	}
}

func code(g *schema.GitFacts) string {
	if g == nil {
		return ""
	}
	words := nonEmpty(visible(g.Branch), shortCommit(g.Commit))
	if g.Dirty {
		words = append(words, "with changes that are not committed")
	}
	return strings.Join(words, " ")
}

func shortCommit(commit string) string { return commit[:min(len(commit), 12)] }

func recipients(ids []string) string {
	if len(ids) == 0 {
		return "the room"
	}
	return strings.Join(ids, ", ")
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func otherThan(s, usual string) string {
	if s == usual {
		return ""
	}
	return s
}

func owes(o schema.Obligation) string {
	switch o {
	case schema.OweReply:
		return "a reply"
	case schema.OweAcknowledge:
		return "an acknowledgement"
	}
	return ""
}

func changes(c *schema.DecisionChange) string {
	if c == nil {
		return ""
	}
	return string(c.Action) + "s " + strings.Join(c.MessageIDs, ", ")
}

func decisionWords(s *schema.DecisionStatus) string {
	if s == nil {
		return ""
	}
	words := string(s.State)
	if s.Conflicted {
		words += ", and other decisions stand beside it"
	}
	return words
}

// deliveryWords say why a message waits.
var deliveryWords = map[schema.DeliveryError]string{
	schema.RecipientUnavailable: "not online; it waits",
	schema.DeliveryDisabled:     "takes nothing of this kind live; it waits",
	schema.AmbiguousSessions:    "has several sessions that could take it; it waits",
	schema.RecipientBusy:        "busy; it is offered again",
	schema.UnsupportedClient:    "its client cannot be reached in this version; it waits",
	schema.TransportRejected:    "its adapter refused it; it is offered again",
	schema.TransportError:       "its adapter failed; it is offered again",
}

// sent says what is recorded of a message at its recipients.
func (p *printer) sent(m *schema.Message, delivery []coordination.Delivery) {
	p.line("Sent %s %s to %s.", m.Kind, m.MessageID, recipients(m.ToParticipantIDs))
	var rows [][]cell
	for _, d := range delivery {
		note := deliveryWords[d.ErrorCode]
		if note == "" && d.Outcome == schema.Offered {
			note = "to " + visible(d.Transport)
		}
		rows = append(rows, cells(d.RecipientParticipantID, string(d.Outcome), note))
	}
	p.table(rows)
}
