package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/schema"
)

func (a *App) ackCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "ack MESSAGE [options]", GroupID: groupMail, Args: arguments(0, 1),
		Short: "Acknowledge a message",
		Long: "Acknowledges a message that needs no answer. An unanswered question or request is refused: answer it\n" +
			"with acc reply. Repeating it changes nothing.",
		Example: "acc ack message_01k5x0f4e2m9v8r7c6b5a4z3y2",
	}
	f := a.mirror(cmd, "acc_ack", sugar{about: map[string]string{"messageId": "the message, like the argument"}})
	a.completeWith(cmd, f, "messageId", openMail)
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.add("messageId", args...); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_ack", f.arguments())
	}, func(p *printer, value any) {
		if receipt, ok := value.(schema.Receipt); ok {
			p.line("Acknowledged %s.", receipt.MessageID)
		}
	})
}
