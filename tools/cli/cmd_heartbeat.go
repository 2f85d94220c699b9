package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/coordination"
)

func (a *App) heartbeatCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "heartbeat", GroupID: groupSession, Args: arguments(0, 0),
		Short: "Say that you are still here",
		Long: "Records a sign of life of your session and nothing else. Every command does so too: a session is online\n" +
			"for three minutes after the last one, then stale, and offline after half an hour. Claims do not depend\n" +
			"on it.",
		Example: "acc heartbeat\nwhile sleep 60; do acc heartbeat > /dev/null; done &",
	}
	return define(a, cmd, func(ctx context.Context, _ []string) (coordination.SignOfLife, error) {
		return inRoom(ctx, a, func(ctx context.Context, room *coordination.Room) (coordination.SignOfLife, error) {
			return room.Heartbeat(ctx)
		})
	}, func(p *printer, s coordination.SignOfLife) {
		p.line("%s is here (%s).", s.ParticipantID, s.SessionID)
	})
}
