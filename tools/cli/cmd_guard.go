package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"acc/tools/guard"
)

const groupGuard = "guard"

func (a *App) guardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "guard", GroupID: groupUpkeep, Args: a.knownCommand,
		Short: "Keep commits off files that others claim",
		Long: "Checks files against the exclusive claims of other sessions, in a pre-commit hook or by hand. It needs no\n" +
			"identity; with a pair, or with ACC_SESSION alone, your own claims are in nobody's way.",
		Example: "acc guard install\nacc guard check --staged",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddGroup(&cobra.Group{ID: groupGuard, Title: "Commands"})
	cmd.AddCommand(inOrder([]*cobra.Command{a.guardInstallCommand(), a.guardUninstallCommand(), a.guardCheckCommand()})...)
	return cmd
}

func (a *App) guardInstallCommand() *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use: "install [options]", GroupID: groupGuard, Args: arguments(0, 0),
		Short: "Check every commit of this repository",
		Long: "Puts a pre-commit hook into the hooks directory of the repository, which its worktrees share, or into\n" +
			"core.hooksPath. A hook that is there already is kept as pre-commit.before-acc and runs first. Doing it\n" +
			"again changes nothing.",
		Example: "acc guard install",
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "also into a hooks directory that other repositories use")
	return define(a, cmd, func(ctx context.Context, _ []string) (guard.Hook, error) {
		w, err := a.workspace()
		if err != nil {
			return guard.Hook{}, err
		}
		self, err := os.Executable()
		if err != nil {
			self = "acc"
		}
		return guard.Install(ctx, w, self, shared)
	}, printHook)
}

func (a *App) guardUninstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "uninstall", GroupID: groupGuard, Args: arguments(0, 0),
		Short:   "Take the hook out again",
		Long:    "Takes the hook out and puts back the one that was there before, byte for byte.",
		Example: "acc guard uninstall",
	}
	return define(a, cmd, func(ctx context.Context, _ []string) (guard.Hook, error) {
		w, err := a.workspace()
		if err != nil {
			return guard.Hook{}, err
		}
		return guard.Uninstall(ctx, w)
	}, printHook)
}

// hookStates are what a person is told of an installation.
var hookStates = map[string]string{
	"installed": "Installed the guard in", "updated": "Renewed the guard in", "unchanged": "The guard is installed already, in",
}

func printHook(p *printer, h guard.Hook) {
	switch h.State {
	case "absent":
		p.line("There is no guard in %s", visible(h.Path))
	case "removed":
		p.line("Removed the guard from %s", visible(h.Path))
		if h.Chained {
			p.line("The hook from before is back.")
		}
	default:
		p.line("%s %s", hookStates[h.State], visible(h.Path))
		if h.Chained {
			p.line("The hook from before runs first; it is pre-commit.before-acc beside it.")
		}
	}
}
