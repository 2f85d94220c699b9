package cli

import (
	"strings"

	"acc/schema"
	"acc/tools/coordination"
)

// log prints past messages, two lines each.
func (p *printer) log(page coordination.LogPage) {
	switch {
	case len(page.Items) == 0 && page.NextCursor != nil:
		p.line("None in the part of the history that was looked at.")
	case len(page.Items) == 0:
		p.line("No messages.")
	}
	for _, e := range page.Items {
		p.logEntry(e)
	}
	if page.NextCursor != nil {
		p.line("Older ones: repeat with --cursor %s", *page.NextCursor)
	}
}

func (p *printer) logEntry(e coordination.LogEntry) {
	p.line("%s  %s  %s  %s", p.when(e.SentAt.Time), p.route(e.Addressed), e.Kind, p.paint(bold, visible(e.Subject)))
	p.line("    %s", strings.Join(nonEmpty(p.paint(dim, e.MessageID), p.progress(e.Receipts), p.standing(e.Summary)), "  "))
}

// route is who wrote to whom.
func (p *printer) route(m coordination.Addressed) string {
	return m.FromParticipantID + " → " + recipients(m.ToParticipantIDs)
}

// progress is how far a message got with each recipient.
func (p *printer) progress(receipts []coordination.ReceiptState) string {
	var words []string
	for _, r := range receipts {
		words = append(words, r.RecipientParticipantID+" "+string(r.State))
	}
	return strings.Join(words, ", ")
}

// standing is where a decision stands; a plain current one says nothing.
func (p *printer) standing(m coordination.Summary) string {
	s := m.DecisionStatus
	if s == nil || s.State == schema.DecisionCurrent && !s.Conflicted {
		return ""
	}
	return p.paint(yellow, "["+decisionWords(s)+"]")
}
