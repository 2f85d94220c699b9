package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/coordination"
)

func (a *App) finishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "finish [GOAL] [options]", GroupID: groupSession, Args: arguments(0, 1),
		Short: "End your session with a handoff",
		Long: "Ends this session: leaves a handoff with what it was for, how far it got and what is left, releases your\n" +
			"claims and closes the session. With --to for one participant, else for whoever comes next. To ask again\n" +
			"for a lost answer, repeat it with the same --client-message-id.",
		Example: "acc finish \"split the parser\" --status complete\n" +
			"acc finish \"split the parser\" --completed lexer --remaining \"tests for the lexer\" --to bob\n" +
			"acc finish \"deploy\" --status blocked --blockers \"no access to the staging host\"",
	}
	f := a.mirror(cmd, "acc_finish", sugar{
		names: map[string]string{"toParticipantId": "to"},
		about: map[string]string{"goal": "what the session was for, like the argument"},
	})
	a.completeWith(cmd, f, "toParticipantId", participants)
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.add("goal", args...); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_finish", f.arguments())
	}, func(p *printer, value any) {
		printSent(p, value)
		if sent, ok := value.(coordination.Sent); ok {
			p.line("The session of %s is closed, and its claims are released.", sent.Message.FromParticipantID)
		}
	})
}
