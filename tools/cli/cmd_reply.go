package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *App) replyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reply MESSAGE --body TEXT [options]", GroupID: groupMail, Args: arguments(0, 1),
		Short: "Answer a message",
		Long: "Answers a message that was addressed to you and acknowledges it, in one step. To decline or to ask back\n" +
			"is an answer too.",
		Example: "acc reply message_01k5x0f4e2m9v8r7c6b5a4z3y2 --body \"The new one.\"\n" +
			"acc reply message_01k5x0f4e2m9v8r7c6b5a4z3y2 --body-file answer.md",
	}
	f := a.mirror(cmd, "acc_reply", sugar{about: map[string]string{
		"messageId": "the message you answer, like the argument", "body": "the answer; - reads it from stdin",
	}})
	body := f.longText(a, "body")
	a.completeWith(cmd, f, "messageId", openMail)
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.add("messageId", args...); err != nil {
			return nil, err
		}
		if err := body(); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_reply", f.arguments())
	}, printSent)
}
