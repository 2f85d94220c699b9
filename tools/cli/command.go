package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
)

// define completes a command: do makes its value, text prints the value for a
// person. Neither of them writes to stdout itself. An error that do returns
// beside a value of type waiting is no failure: the answer is printed, and the
// exit status says that something in it asks for action.
func define[T any](a *App, cmd *cobra.Command, do func(ctx context.Context, args []string) (T, error), text func(p *printer, value T)) *cobra.Command {
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.current = cmd
		value, err := do(cmd.Context(), args)
		a.answer(value, err, func(p *printer) { text(p, value) })
		return nil
	}
	return cmd
}

// printer is a fresh page for a person.
func (a *App) printer() *printer {
	return &printer{colour: a.colour(a.Out), now: time.Now()}
}
