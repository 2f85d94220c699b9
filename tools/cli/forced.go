package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

// forced are the options that take a claim away from its holder.
type forced struct{ authority, reason string }

func (by *forced) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&by.authority, "authority", "", "take the claim away from its holder, on the authority of `human|policy`")
	cmd.Flags().StringVar(&by.reason, "reason", "", "why the claim is taken away, in one line of `TEXT`; recorded")
	_ = cmd.RegisterFlagCompletionFunc("authority", cobra.FixedCompletions(schema.Authorities(), cobra.ShellCompDirectiveNoFileComp))
}

// force takes exactly one claim, named by its id, away from whoever holds it.
func (a *App) force(ctx context.Context, selected map[string]any, by forced) (any, error) {
	id, one := selected["claimId"].(string)
	switch {
	case !one || len(selected) != 1:
		return nil, schema.Fail(schema.ReasonConflictingFields, "a forced release takes one --claim, and nothing else that selects.")
	case !slices.Contains(schema.Authorities(), by.authority):
		return nil, schema.Fail(schema.ReasonInvalidField, "--authority: one of %s is expected.", strings.Join(schema.Authorities(), ", ")).
			With("field", "authority")
	case by.reason == "":
		return nil, schema.Fail(schema.ReasonMissingField, "--reason is missing: say in one line why the claim is taken away.").With("field", "reason")
	}
	return inRoom(ctx, a, func(ctx context.Context, room *coordination.Room) (any, error) {
		if by.authority == string(schema.AuthorityHuman) {
			if err := a.confirm(ctx, room, id); err != nil {
				return nil, err
			}
		}
		return room.ForceRelease(ctx, id, schema.Authority(by.authority), by.reason)
	})
}

// confirm asks the person at the terminal. Without one there is no person.
func (a *App) confirm(ctx context.Context, room *coordination.Room, id string) error {
	if _, err := room.Heartbeat(ctx); err != nil {
		return err // nobody is asked in vain
	}
	c, err := room.Claim(ctx, id)
	if err != nil {
		return err
	}
	if !isTerminal(a.In) || !isTerminal(a.Out) {
		return schema.Fail(schema.ReasonConfirmationNeeded,
			"--authority human needs a person at a terminal, on stdin and stdout; nothing was released. A script uses --authority policy.")
	}
	fmt.Fprintf(a.Err, "%s holds %s until %s. Take it away? [y/N] ", c.OwnerParticipantID, visible(string(c.Resource)), c.ExpiresAt)
	answer, _ := bufio.NewReader(a.In).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return schema.Fail(schema.ReasonConfirmationNeeded, "not confirmed; nothing was released.")
}
