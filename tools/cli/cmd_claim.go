package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

func (a *App) claimCommand() *cobra.Command {
	var renew, lease string
	var guarded bool
	cmd := &cobra.Command{
		Use: "claim [RESOURCE...] [options]", GroupID: groupRoom, Args: arguments(0, -1),
		Short: "Claim files before you work on them",
		Long: "Claims resources for a time, all of them or none. A conflict names the holders and changes nothing.\n" +
			"Claiming what you hold renews it; --renew prolongs one claim by its id. Claims ask others to keep off;\n" +
			"they stop a commit only where acc guard is installed. A guarded claim also stops the edits of agents\n" +
			"whose hooks are installed (acc install).\n\n" +
			"A RESOURCE with a colon is taken as it is (file:src/app.go, issue:42). Any other is a file or folder\n" +
			"as seen from the current directory: src/app.go, or src/parser/** for all below it. A file whose name\n" +
			"holds a colon is written file:NAME, from the top of the checkout.",
		Example: "acc claim src/app.go\n" +
			"acc claim 'src/parser/**' docs/parser.md --reason \"split the parser\" --lease 2h\n" +
			"acc claim --mode shared go.mod\n" +
			"acc claim --guarded 'migrations/**' --reason \"release freeze\"\n" +
			"acc claim --renew claim_01k5x0f4e2m9v8r7c6b5a4z3y4 --lease 30m",
	}
	f := a.mirror(cmd, "acc_claim", sugar{
		hidden: []string{"action", "claimId"}, pairs: map[string]string{"resources": "resource"},
		about: map[string]string{
			"resource": "a resource to claim, like an argument",
			"mode":     "exclusive (default), or shared beside other shared claims",
			"reason":   "why, in one line; shown to whoever is blocked",
		},
	})
	cmd.Flags().StringVar(&lease, "lease", "", "how long, as a `DURATION` such as 45m, 2h or 1d; in place of --lease-seconds")
	cmd.Flags().BoolVar(&guarded, "guarded", false, "ask the hooks of other agents to refuse edits there")
	cmd.Flags().StringVar(&renew, "renew", "", "prolong the claim with this `ID` from now")
	a.completeFlag(cmd, "renew", ownClaims)
	a.completeWith(cmd, f, "resource", files)
	return define(a, cmd, func(ctx context.Context, args []string) (any, error) {
		if err := f.lease(lease); err != nil {
			return nil, err
		}
		if err := f.add("resource", args...); err != nil {
			return nil, err
		}
		if err := a.ground(f.get("resource")); err != nil {
			return nil, err
		}
		in := f.arguments()
		in["action"] = "acquire"
		if cmd.Flags().Changed("renew") {
			in["action"], in["claimId"] = "renew", renew
		}
		return a.callAs(ctx, "acc_claim", in, func(room *coordination.Room) {
			if guarded {
				room.GuardClaims()
			}
		})
	}, func(p *printer, value any) {
		switch v := value.(type) {
		case schema.Claim:
			p.claimed(v)
		case coordination.Claims:
			p.claimed(v.Claims...)
		}
	})
}

// lease turns a duration into the seconds that the tool takes.
func (f *fields) lease(text string) error {
	if text == "" {
		return nil
	}
	o := f.get("leaseSeconds")
	if o.given() {
		return exclude("--lease", "--lease-seconds")
	}
	d, err := duration(text)
	if err != nil {
		return err
	}
	o.values = []string{strconv.FormatInt(int64(d/time.Second), 10)}
	return nil
}

// duration reads 90s, 45m, 2h, 1h30m, and days, which Go does not know.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		n = min(max(n, -1000), 1000) // out of bounds either way
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d%time.Second != 0 {
		return 0, schema.Fail(schema.ReasonInvalidField, "--lease: %q is no duration; write for example 45m, 2h or 1d.", visible(text)).
			With("field", "lease")
	}
	return d, nil
}

func (p *printer) claimed(claims ...schema.Claim) {
	p.line("Claimed until released, or until the lease ends:")
	var rows [][]cell
	for _, c := range claims {
		mode := ""
		if c.Mode == schema.Shared {
			mode = "shared"
		}
		rows = append(rows, []cell{{visible(string(c.Resource)), bold}, {text: mode}, {text: p.left(c.ExpiresAt.Time)}, {c.ClaimID, dim}})
	}
	p.table(rows)
}
