package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/coordination"
)

func (a *App) messageCommand() *cobra.Command {
	var room bool
	cmd := &cobra.Command{
		Use: "message --to NAME... --subject TEXT --body TEXT [options]", GroupID: groupMail, Args: arguments(0, 0),
		Short: "Send a message",
		Long: "Sends mail to participants, or with --room to everybody here. It is stored durably and waits until its\n" +
			"recipient reads it; what is known of each recipient is shown, which is not that anybody has read it.\n" +
			"To retry safely, repeat the command with the same --client-message-id.\n\n" +
			"A decision may replace (--supersedes) or withdraw (--withdraws) earlier ones; it then reaches everybody\n" +
			"they concerned, and --to is not needed.",
		Example: "acc message --to bob --subject \"which parser?\" --body \"Old or new?\" --kind question\n" +
			"acc message --to bob --to codex --subject plan --body-file plan.md\n" +
			"git diff --stat | acc message --to bob --subject \"what I changed\" --body -\n" +
			"acc message --room --kind decision --subject tabs --body \"We indent with tabs.\"",
	}
	f := a.mirror(cmd, "acc_message", sugar{about: map[string]string{
		"to": "a recipient, as acc status lists them", "body": "the text; - reads it from stdin",
		"kind":       "default note; a question or request asks for a reply, a decision records a position",
		"supersedes": "the id of a decision that this one replaces", "withdraws": "the id of a decision that this one withdraws",
	}})
	body := f.longText(a, "body")
	cmd.Flags().BoolVar(&room, "room", false, "to everybody in the room, in place of --to; for notes and decisions")
	a.completeWith(cmd, f, "to", participants)
	a.completeWith(cmd, f, "supersedes", decisions)
	a.completeWith(cmd, f, "withdraws", decisions)
	return define(a, cmd, func(ctx context.Context, _ []string) (any, error) {
		if err := body(); err != nil {
			return nil, err
		}
		in := f.arguments()
		if err := address(in, room); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_message", in)
	}, printSent)
}

// address writes to the room where that was said, or where a change of
// decisions finds its recipients itself.
func address(in map[string]any, room bool) error {
	_, addressed := in["to"]
	_, supersedes := in["supersedes"]
	_, withdraws := in["withdraws"]
	switch {
	case addressed && room:
		return exclude("--to", "--room")
	case !addressed && (room || supersedes || withdraws):
		in["to"] = []string{}
	}
	return nil
}

func printSent(p *printer, value any) {
	switch v := value.(type) {
	case coordination.Sent:
		p.sent(&v.Message, v.Delivery)
	case coordination.Replied:
		p.sent(&v.Message, v.Delivery)
		p.line("%s is %s.", v.Receipt.MessageID, v.Receipt.State)
	}
}
