package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
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

// guardCheck is the answer of acc guard check.
type guardCheck struct {
	guard.Result
	Mode string `json:"mode"` // block, warn or off
}

func (a *App) guardCheckCommand() *cobra.Command {
	var onlyStaged bool
	cmd := &cobra.Command{
		Use: "check [--staged | FILES...]", GroupID: groupGuard, Args: arguments(0, -1),
		Short: "Fail when another session claims a file exclusively",
		Long: "Checks what is staged for the next commit, or the named files and directories. Each file that another\n" +
			"session claims exclusively is named with holder, time left and reason, and the exit status is 5. Shared\n" +
			"claims and your own are no obstacle. ACC_GUARD=warn only warns, ACC_GUARD=off checks nothing. Where the\n" +
			"room cannot be read, it says so and passes.",
		Example: "acc guard check --staged\n" +
			"git diff --name-only -z main... | xargs -0 acc guard check\n" +
			"ACC_GUARD=warn git commit",
	}
	cmd.Flags().BoolVar(&onlyStaged, "staged", false, "check what is staged, also when nothing is named")
	return define(a, cmd, func(ctx context.Context, files []string) (guardCheck, error) {
		if onlyStaged && len(files) > 0 {
			return guardCheck{}, exclude("--staged", "FILES")
		}
		return a.guardCheck(ctx, files)
	}, func(*printer, guardCheck) {}) // in a hook, no news is good news
}

func (a *App) guardCheck(ctx context.Context, files []string) (guardCheck, error) {
	out := guardCheck{Mode: a.guardMode(), Result: guard.Result{Blocked: []guard.Blocked{}}}
	if out.Mode == "off" {
		out.Skipped = "ACC_GUARD is off."
		return out, nil
	}
	var err error
	if out.Result, err = a.guarded(ctx, files); err != nil {
		return out, err
	}
	switch {
	case out.Skipped != "":
		a.guardSays("what others claim was not checked: %s", out.Skipped)
	case out.Unproven:
		a.guardSays("the given session and generation are no pair of this room; no claim counts as your own.")
	}
	switch {
	case len(out.Blocked) == 0:
		return out, nil
	case out.Mode == "warn":
		a.guardSays("%s", out.Text(time.Now()))
		return out, nil
	}
	return out, out.Refusal(time.Now())
}

func (a *App) guarded(ctx context.Context, files []string) (guard.Result, error) {
	skipped := guard.Result{Blocked: []guard.Blocked{}}
	dir, err := a.dir()
	if err != nil {
		return skipped, err
	}
	w, err := a.workspace()
	if err != nil {
		skipped.Skipped = schema.AsError(err).Message
		return skipped, nil
	}
	pair, err := a.credentials(w)
	if err != nil {
		return skipped, err
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, Credentials: pair, Env: a.environment()})
	return withRoom(ctx, a, room, func(ctx context.Context, room *coordination.Room) (guard.Result, error) {
		return guard.Check(ctx, guard.Request{Workspace: w, Room: room, Dir: dir, Staged: len(files) == 0, Files: files})
	})
}

// guardMode is what ACC_GUARD asks for. What it does not know must not weaken
// it.
func (a *App) guardMode() string {
	switch mode := a.Env("ACC_GUARD"); mode {
	case "warn", "off":
		return mode
	case "", "block", "on":
	default:
		a.guardSays("ACC_GUARD is %q; it knows warn and off, and now blocks.", visible(mode))
	}
	return "block"
}

func (a *App) guardSays(format string, args ...any) {
	fmt.Fprintf(a.Err, "acc guard: "+format+"\n", args...)
}
