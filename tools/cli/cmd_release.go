package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

func (a *App) releaseCommand() *cobra.Command {
	var by forced
	cmd := &cobra.Command{
		Use: "release [RESOURCE...] [options]", GroupID: groupRoom, Args: arguments(0, -1),
		Short: "Release claims",
		Long: "Releases claims of your own: by resource, by --claim, or --all. All that are named, or none.\n\n" +
			"With --authority and --reason it takes the claim of somebody else away. human asks for confirmation on\n" +
			"a terminal; policy is for scripts that apply a rule of the project. Who did it, on whose authority and\n" +
			"why is recorded in .acc/releases/ and in the log. No tool of an agent can do this.\n\n" +
			"RESOURCE is written as for acc claim.",
		Example: "acc release src/app.go\n" +
			"acc release --claim claim_01k5x0f4e2m9v8r7c6b5a4z3y4\n" +
			"acc release --all\n" +
			"acc release --claim claim_01k5x0f4e2m9v8r7c6b5a4z3y4 --authority human --reason \"codex crashed\"",
	}
	f := a.mirror(cmd, "acc_release", sugar{
		names: map[string]string{"claimId": "claim"},
		pairs: map[string]string{"resources": "resource", "claimIds": "claimId"},
		about: map[string]string{
			"claimId": "a claim to release", "resource": "a resource to release, like an argument",
			"all": "every claim you hold; none is fine",
		},
	})
	by.register(cmd)
	a.completeWith(cmd, f, "claimId", releasable)
	a.completeWith(cmd, f, "resource", ownResources)
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.add("resource", args...); err != nil {
			return nil, err
		}
		if by.authority != "" || by.reason != "" {
			return a.force(ctx, f.arguments(), by)
		}
		if err := a.ground(f.get("resource")); err != nil {
			return nil, err
		}
		return a.call(ctx, "acc_release", f.arguments())
	}, printReleased)
}

func printReleased(p *printer, value any) {
	switch v := value.(type) {
	case schema.ForcedRelease:
		p.line("Took %s from %s: %s", visible(string(v.Resource)), v.OwnerParticipantID, visible(v.Reason))
		p.line("Recorded in .acc/releases/%s.json", v.ClaimID)
	case coordination.Released:
		ids, several := v.Released.([]string)
		if !several {
			ids = []string{fmt.Sprint(v.Released)}
		}
		if len(ids) == 0 {
			p.line("You held no claims.")
		}
		for _, id := range ids {
			p.line("Released %s", id)
		}
	}
}
