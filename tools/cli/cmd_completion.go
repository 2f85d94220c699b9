package cli

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"acc/schema"
)

// shells are the shells that a completion script can be written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionScript is the answer of acc completion.
type completionScript struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func (a *App) completionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "completion SHELL", GroupID: groupProgram, Args: arguments(1, 1), ValidArgs: shells,
		Short: "Print a script that completes commands in a shell",
		Long: "Prints a script for bash, zsh, fish or powershell. It completes commands and options, and from the room\n" +
			"participants, messages, claims and resources.",
		Example: "source <(acc completion bash)\n" +
			"acc completion zsh > \"${fpath[1]}/_acc\"\n" +
			"acc completion fish > ~/.config/fish/completions/acc.fish",
	}
	return define(a, cmd, func(_ context.Context, args []string) (completionScript, error) {
		var b bytes.Buffer
		err := writeCompletion(cmd.Root(), args[0], &b)
		return completionScript{Shell: args[0], Script: b.String()}, err
	}, func(p *printer, s completionScript) { p.buf.WriteString(s.Script) })
}

func writeCompletion(root *cobra.Command, shell string, b *bytes.Buffer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(b, true)
	case "zsh":
		return root.GenZshCompletion(b)
	case "fish":
		return root.GenFishCompletion(b, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(b)
	}
	return schema.Fail(schema.ReasonInvalidField, "%q is no shell of ours; use one of %s.", visible(shell), strings.Join(shells, ", ")).
		With("field", "shell")
}
