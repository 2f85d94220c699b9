package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

func (a *App) syncCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "sync [options]", GroupID: groupRoom, Args: arguments(0, 0),
		Short: "Read what happened since a cursor, or past messages",
		Long: "Reads the log of the room. Without --scope, or with --scope delta: the events after --cursor; the\n" +
			"answer ends with the cursor to go on from. --scope history: past messages, newest first; with\n" +
			"--message-id one of them in full. --scope full: everything there is, best with --json.\n" +
			"Reading needs no session and moves no receipt.",
		Example: "acc sync\n" +
			"acc sync --cursor 0000000000000042\n" +
			"acc sync --scope history --kind handoff\n" +
			"acc sync --scope history --kind decision --current\n" +
			"acc sync --scope full --json > room.json",
	}
	f := a.mirror(cmd, "acc_sync", sugar{})
	a.completeWith(cmd, f, "messageId", anyMessages)
	return define(a, cmd, func(ctx context.Context, _ []string) (any, error) {
		return a.call(ctx, "acc_sync", f.arguments())
	}, func(p *printer, value any) {
		switch v := value.(type) {
		case coordination.Delta:
			p.delta(v)
		case coordination.HistoryPage:
			p.history(v)
		case coordination.HistoryMessage:
			p.message(&v.Items[0], v.DecisionStatus)
			p.receipts(v.Receipts)
		}
	})
}

func (p *printer) delta(d coordination.Delta) {
	var rows [][]cell
	for _, e := range d.Events {
		rows = append(rows, []cell{
			{e.Cursor, dim}, {text: p.ago(e.OccurredAt.Time)}, {string(e.Type), bold}, {text: payloadWords(e.Payload)},
		})
	}
	p.table(rows)
	if len(d.Events) == 0 {
		p.line("No events after %s.", d.Cursor)
	} else {
		p.line("Go on with: acc sync --cursor %s", d.Cursor)
	}
	if s := d.Snapshot; s != nil {
		p.line("The room holds %s, %s, %s, %s and %s; --json shows them.", plural(len(s.Participants), "participant"),
			plural(len(s.Sessions), "session"), plural(len(s.Claims), "claim"), plural(len(s.Messages), "message"), plural(len(s.Receipts), "receipt"))
	}
}

func payloadWords(e schema.Payload) string {
	return strings.Join(nonEmpty(e.ParticipantID, string(e.Kind), e.MessageID, e.ClaimID, e.SessionID, string(e.State)), " ")
}

func (p *printer) history(page coordination.HistoryPage) {
	if len(page.Items) == 0 {
		p.line("No messages.")
	}
	var rows [][]cell
	for _, m := range page.Items {
		rows = append(rows, p.summaryRow(m))
	}
	p.table(rows)
	if page.NextCursor != nil {
		p.line("Older ones: repeat with --cursor %s", *page.NextCursor)
	}
}

func (p *printer) receipts(states []coordination.ReceiptState) {
	if len(states) == 0 {
		return
	}
	p.heading("Receipts")
	var rows [][]cell
	for _, r := range states {
		rows = append(rows, cells(r.RecipientParticipantID, string(r.State), p.ago(r.UpdatedAt.Time)))
	}
	p.table(rows)
}

// summaryRow is a message on one line of a list.
func (p *printer) summaryRow(m coordination.Summary) []cell {
	kind := string(m.Kind)
	if s := m.DecisionStatus; s != nil && s.State != "current" {
		kind += fmt.Sprintf(" (%s)", s.State)
	}
	return []cell{
		{text: kind}, {m.FromParticipantID, bold}, {text: p.ago(m.SentAt.Time)}, {text: visible(m.Subject)}, {m.MessageID, dim},
	}
}

func nonEmpty(words ...string) []string {
	kept := words[:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}
