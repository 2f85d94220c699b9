package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/guard"
)

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
