package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/tools/install"
)

func (a *App) uninstallCommand() *cobra.Command {
	var f installFlags
	var opt install.Options
	cmd := &cobra.Command{
		Use: "uninstall [options]", GroupID: groupClients, Args: arguments(0, 0),
		Short: "Take out what acc install wrote",
		Long: "Removes exactly what acc install noted, and shows the change. Files that nobody edited meanwhile are as they\n" +
			"were before, byte for byte. An entry that was edited since is left and named. The room itself stays.",
		Example: "acc uninstall --dry-run\nacc uninstall --client codex\nacc uninstall --scope user",
	}
	f.register(cmd, "all that acc was installed for by default")
	return define(a, cmd, func(context.Context, []string) (install.Report, error) {
		if err := a.place(&opt, f); err != nil {
			return install.Report{}, err
		}
		return attended(install.Uninstall(opt))
	}, printUninstalled)
}
