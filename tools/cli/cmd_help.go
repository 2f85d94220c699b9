package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// helpPage is the answer of acc help and of --help.
type helpPage struct {
	Command string `json:"command"`
	Help    string `json:"help"`
}

func (a *App) helpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "help [COMMAND]", GroupID: groupProgram, Args: arguments(0, -1), Annotations: map[string]string{orderKey: "last"},
		Short:   "Show help for a command",
		Example: "acc help claim\nacc claim --help",
	}
	return define(a, cmd,
		func(_ context.Context, args []string) (helpPage, error) {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = unknownCommand(found, rest[0])
			}
			if err != nil {
				return helpPage{}, err
			}
			return pageOf(found), nil
		},
		func(p *printer, page helpPage) { p.buf.WriteString(page.Help) })
}

// help answers --help, in whichever form was asked for.
func (a *App) help(cmd *cobra.Command, _ []string) {
	page := pageOf(cmd)
	a.answer(page, nil, func(p *printer) { p.buf.WriteString(page.Help) })
}

func pageOf(cmd *cobra.Command) helpPage {
	return helpPage{Command: cmd.CommandPath(), Help: helpText(cmd)}
}
