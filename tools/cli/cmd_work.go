package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

func (a *App) workCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "work [SUMMARY] [options]", GroupID: groupRoom, Args: arguments(0, 1),
		Short: "Announce what you are doing",
		Long: "Announces what this session is doing, for others to see in acc status. --hint says which files it is\n" +
			"about; hints reserve nothing, acc claim does. --clear takes the announcement back.",
		Example: "acc work \"split the parser\" --mode edit --hint src/parser/**\n" +
			"acc work \"waiting for review\" --mode wait --state waiting\n" +
			"acc work --clear",
	}
	f := a.mirror(cmd, "acc_work", sugar{
		names: map[string]string{"resourceHints": "hint"},
		about: map[string]string{
			"clear":         "take your announcement back; stands alone",
			"resourceHints": "a file or another resource that you expect to touch",
		},
	})
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.add("summary", args...); err != nil {
			return nil, err
		}
		if err := a.ground(f.get("resourceHints")); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_work", f.arguments())
	}, func(p *printer, value any) {
		switch v := value.(type) {
		case schema.Intent:
			p.line("Announced: %s (%s, %s)", visible(v.Summary), v.Mode, v.State)
			for _, hint := range v.ResourceHints {
				p.line("  %s", visible(string(hint)))
			}
		case coordination.Cleared:
			p.line("The announcement is taken back.")
		}
	})
}
