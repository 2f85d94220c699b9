package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// The groups of commands in help.
const (
	groupRoom    = "room"
	groupMail    = "mail"
	groupSession = "session"
	groupUpkeep  = "upkeep"
	groupClients = "clients"
	groupProgram = "program"
)

var groups = []*cobra.Group{
	{ID: groupRoom, Title: "See and share the work"},
	{ID: groupMail, Title: "Write and read mail"},
	{ID: groupSession, Title: "Come and go"},
	{ID: groupUpkeep, Title: "Look after the room"},
	{ID: groupClients, Title: "Work with coding agents"},
	{ID: groupProgram, Title: "The program itself"},
}

// commands are all commands, in the order of help and of docs/cli.md. One
// more is a file of its own and a line here.
func (a *App) commands() []*cobra.Command {
	return []*cobra.Command{
		a.statusCommand(),
		a.syncCommand(),
		a.workCommand(),
		a.claimCommand(),
		a.releaseCommand(),
		a.logCommand(),
		a.showCommand(),
		a.watchCommand(),

		a.inboxCommand(),
		a.messageCommand(),
		a.requestCommand(),
		a.replyCommand(),
		a.ackCommand(),

		a.attachCommand(),
		a.heartbeatCommand(),
		a.finishCommand(),
		a.detachCommand(),

		a.initCommand(),
		a.guardCommand(),
		a.doctorCommand(),
		a.pruneCommand(),

		a.installCommand(),
		a.uninstallCommand(),
		a.deliverCommand(),
		a.hookCommand(),

		a.completionCommand(),
		a.versionCommand(),
	}
}

// orderKey is the annotation that keeps the order above: cobra sorts by name.
const orderKey = "order"

func inOrder(commands []*cobra.Command) []*cobra.Command {
	for i, c := range commands {
		c.Annotations = map[string]string{orderKey: fmt.Sprintf("%03d", i)}
	}
	return commands
}

// ordered are the visible commands below cmd, in the order of help.
func ordered(cmd *cobra.Command) []*cobra.Command {
	shown := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool {
		return !c.IsAvailableCommand() && c.Name() != "help"
	})
	slices.SortStableFunc(shown, func(a, b *cobra.Command) int { return cmp.Compare(a.Annotations[orderKey], b.Annotations[orderKey]) })
	return shown
}
