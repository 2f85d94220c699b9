package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

func (a *App) statusCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "status [options]", GroupID: groupRoom, Args: arguments(0, 0),
		Short: "Show who is here, what is claimed and what waits for you",
		Long: "Shows the room as it is now: the participants and whether they are there, the live claims and, for\n" +
			"a caller with a session, what waits for it. Reading needs no session and changes nothing.",
		Example: "acc status\n" +
			"acc status --check || echo \"something waits for me\"\n" +
			"acc status --json | jq -r '.data.claims[].resource'",
	}
	cmd.Flags().BoolVar(&check, "check", false, "end with exit status 6 when something waits for you")
	return define(a, cmd, func(ctx context.Context, _ []string) (coordination.Status, error) {
		value, err := a.call(ctx, "acc_status", nil)
		status, _ := value.(coordination.Status)
		if n := len(status.Attention); err == nil && check && n > 0 {
			err = waiting(n)
		}
		return status, err
	}, printStatus)
}

func printStatus(p *printer, s coordination.Status) {
	if s.WorkspaceID == nil {
		p.line("There is no room in %s yet. acc init makes one, and so does the first acc attach.", visible(s.Root))
		return
	}
	p.fields("Room", visible(s.Root), "You", you(s), "Claims are", protectionWords(s))
	p.heading("People")
	p.participants(s.Participants)
	if len(s.Claims) > 0 {
		p.heading("Claims")
		p.claims(s.Claims)
	}
	if len(s.Attention) > 0 {
		p.heading("Waiting for you")
		for _, at := range s.Attention {
			p.line("  %s", visible(inCommands(at.Summary)))
		}
	}
}

func you(s coordination.Status) string {
	if s.ParticipantID == nil {
		return "reading as nobody"
	}
	return fmt.Sprintf("%s (%s)", *s.ParticipantID, *s.SessionID)
}

func protectionWords(s coordination.Status) string {
	guarded := slices.ContainsFunc(s.Claims, func(c coordination.ClaimRow) bool { return c.Enforcement == schema.Guarded })
	switch {
	case s.Protection == coordination.ProtectionGuarded:
		return "guarded: they stop the edit tools of everybody here"
	case s.Protection == coordination.ProtectionAdvisory && guarded:
		return "advisory: guarded ones stop edits, but not those of everybody here"
	case s.Protection == coordination.ProtectionAdvisory:
		return "advisory: they ask, and stop no edit"
	}
	return ""
}

func (p *printer) participants(rows []coordination.ParticipantRow) {
	if len(rows) == 0 {
		p.line("  nobody yet")
	}
	var table [][]cell
	for _, r := range rows {
		intent := ""
		if r.Intent != nil {
			intent = visible(*r.Intent)
		}
		mail := ""
		if n := r.Unretrieved.Queued + r.Unretrieved.Offered; n > 0 {
			mail = fmt.Sprintf("%d unread", n)
		}
		table = append(table, []cell{
			{r.ParticipantID, bold}, {string(r.Presence), presenceStyle(r.Presence)}, {text: visible(r.Harness)},
			{text: visible(r.Branch)}, {mail, yellow}, {text: intent},
		})
	}
	p.table(table)
}

func presenceStyle(presence coordination.Presence) style {
	switch presence {
	case coordination.Online:
		return green
	case coordination.Stale:
		return yellow
	}
	return dim
}

func (p *printer) claims(rows []coordination.ClaimRow) {
	var table [][]cell
	for _, c := range rows {
		var kind []string
		if c.Mode == schema.Shared {
			kind = append(kind, "shared")
		}
		if c.Enforcement == schema.Guarded {
			kind = append(kind, "guarded")
		}
		table = append(table, []cell{
			{visible(string(c.Resource)), bold}, {text: c.OwnerParticipantID}, {text: strings.Join(kind, ", ")}, {text: p.left(c.ExpiresAt.Time)}, {c.ClaimID, dim},
		})
	}
	p.table(table)
}
