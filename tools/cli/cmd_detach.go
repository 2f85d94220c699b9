package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/coordination"
)

func (a *App) detachCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "detach", GroupID: groupSession, Args: arguments(0, 0),
		Short: "Close your session without a handoff",
		Long: "Closes your session and leaves no handoff; acc finish leaves one. Its claims are released, with an event\n" +
			"each, and its announcement is taken back. Your mail stays: it waits for the participant, not for the\n" +
			"session.",
		Example: "acc detach\nacc --as ana detach",
	}
	return define(a, cmd, func(ctx context.Context, _ []string) (coordination.Detached, error) {
		return inRoom(ctx, a, func(ctx context.Context, room *coordination.Room) (coordination.Detached, error) {
			return room.Detach(ctx)
		})
	}, func(p *printer, d coordination.Detached) {
		p.line("The session of %s is closed; %s released.", d.ParticipantID, plural(len(d.Released), "claim"))
	})
}
