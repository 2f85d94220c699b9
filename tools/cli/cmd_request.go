package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *App) requestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "request --to NAME --title TEXT [options]", GroupID: groupMail, Args: arguments(0, 0),
		Short: "Ask one participant to do something",
		Long: "Asks one participant to do something, and expects a reply. The request waits until it is read; whether\n" +
			"it was accepted, and whether it is done, comes as replies if at all.",
		Example: "acc request --to bob --title \"review the parser\" --detail \"It is on branch parser.\"\n" +
			"acc request --to codex --title \"port the tests\" --detail-file notes.md",
	}
	f := a.mirror(cmd, "acc_request", sugar{
		names: map[string]string{"toParticipantId": "to"},
		about: map[string]string{"detail": "everything the recipient needs; default: the title; - reads it from stdin"},
	})
	detail := f.longText(a, "detail")
	a.completeWith(cmd, f, "toParticipantId", participants)
	return define(a, cmd, func(ctx context.Context, _ []string) (any, error) {
		if err := detail(); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_request", f.arguments())
	}, printSent)
}
