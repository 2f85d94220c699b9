package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

const groupDeliver = "deliver"

func (a *App) deliverPolicyCommand() *cobra.Command {
	var participant string
	cmd := &cobra.Command{
		Use: "policy [off|actionable|all] [options]", GroupID: groupDeliver, Args: arguments(0, 1),
		Short: "Show or set what may be handed to you live",
		Long: "Without a word it shows what live adapters may hand to the participant. off, the default, is nothing;\n" +
			"actionable is mail that asks for an answer or an acknowledgement; all is every message. It counts from the\n" +
			"next message on, for adapters that run too. It opens no session.",
		Example:   "acc deliver policy --participant alice\nacc deliver policy actionable --participant alice",
		ValidArgs: schema.DeliveryPolicies(),
	}
	cmd.Flags().StringVar(&participant, "participant", "", "whose policy; a `NAME`, not beside a session")
	a.completeFlag(cmd, "participant", participants)
	return define(a, cmd, func(ctx context.Context, args []string) (coordination.LivePolicy, error) {
		policy, err := policyOption("policy", strings.Join(args, ""))
		if err != nil {
			return coordination.LivePolicy{}, err
		}
		cfg, err := a.recipient(participant)
		if err != nil {
			return coordination.LivePolicy{}, err
		}
		return withRoom(ctx, a, coordination.NewRoom(cfg), func(ctx context.Context, room *coordination.Room) (coordination.LivePolicy, error) {
			if policy != "" {
				if err := room.SetLivePolicy(ctx, tools.Caller{}, policy); err != nil {
					return coordination.LivePolicy{}, err
				}
			}
			return room.LivePolicy(ctx)
		})
	}, printPolicy)
}

// policyOption reads a policy; "" is none.
func policyOption(name, text string) (schema.DeliveryPolicy, error) {
	if text != "" && !slices.Contains(schema.DeliveryPolicies(), text) {
		return "", schema.Fail(schema.ReasonInvalidField, "%q is no policy; write off, actionable or all.", visible(text)).With("field", name)
	}
	return schema.DeliveryPolicy(text), nil
}

// policyWords say what a policy lets through.
var policyWords = map[schema.DeliveryPolicy]string{
	schema.DeliverNothing:    "nothing is handed over live",
	schema.DeliverActionable: "mail that asks for an answer or an acknowledgement is handed over live",
	schema.DeliverAll:        "every message is handed over live",
}

func printPolicy(p *printer, l coordination.LivePolicy) {
	p.line("%s: %s, %s", l.ParticipantID, l.Policy, policyWords[l.Policy])
}
