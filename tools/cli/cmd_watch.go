package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/coordination"
)

// watchOptions are how acc watch was asked to show the room.
type watchOptions struct {
	since       string
	once, plain bool
}

func (a *App) watchCommand() *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use: "watch [options]", GroupID: groupRoom, Args: arguments(0, 0),
		Short: "Watch the room: who is here, what is claimed, what happens",
		Long: "On a terminal: one page that is kept up to date, with the people, the claims and the time they have\n" +
			"left, and what happened last; q or Ctrl-C leaves. Elsewhere, or with --plain: the state in short, then\n" +
			"one line for each event as it happens. With --json each line is one object without an envelope: first\n" +
			"{\"type\": \"state\", …}, then events with what they speak of; \"room.made\" and \"room.removed\" say that\n" +
			"the room came or went. --once shows the state and ends, with --json in an envelope.\n\n" +
			"It waits for a room that is not there yet. It needs no session, writes nothing and is seen by nobody.\n" +
			"Each line of JSON has a cursor; --since goes on from it, so that no event is missed or shown twice.",
		Example: "acc watch\n" +
			"acc watch --plain >> room.log\n" +
			"acc watch --json --since 0000000000000000 | jq -c 'select(.type == \"message.sent\") | .message.subject'\n" +
			"acc watch --once",
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.since, "since", "", "begin with what happened after `CURSOR`, 16 digits; all zeros for everything")
	flags.BoolVar(&o.once, "once", false, "show the state, with --since also what happened, and end")
	flags.BoolVar(&o.plain, "plain", false, "print lines, also on a terminal")
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.current = cmd
		if o.once {
			look, err := a.lookOnce(cmd.Context(), o.since)
			a.answer(look, err, func(p *printer) { p.look(look) })
		} else if err := a.watch(cmd.Context(), o); err != nil {
			a.fail(err)
		}
		return nil
	}
	return cmd
}

// lookOnce collects all looks that there are to be had now.
func (a *App) lookOnce(ctx context.Context, since string) (coordination.Look, error) {
	return inPublic(ctx, a, func(ctx context.Context, room *coordination.Room) (coordination.Look, error) {
		w, err := room.Watcher(since, 0)
		if err != nil {
			return coordination.Look{}, err
		}
		look, err := w.Look(ctx)
		for err == nil && look.More {
			happened := look.Happened
			look, err = w.Look(ctx)
			look.Happened = append(happened, look.Happened...)
		}
		return look, err
	})
}

// look prints the state, and what happened.
func (p *printer) look(l coordination.Look) {
	p.state(l)
	p.trimmed(l)
	for _, h := range l.Happened {
		p.event(h)
	}
}
