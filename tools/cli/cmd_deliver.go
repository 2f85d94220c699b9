package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery"
)

// deliverOptions are how acc deliver was asked to hand mail over.
type deliverOptions struct {
	participant, command, policy string
	notify                       bool
	timeout                      time.Duration
}

func (a *App) deliverCommand() *cobra.Command {
	var o deliverOptions
	cmd := &cobra.Command{
		Use: "deliver (--exec CMD | --notify) [options]", GroupID: groupClients, Args: a.knownCommand,
		Short: "Hand mail to a command as it comes",
		Long: "A live adapter, to run beside a client: for each message that the recipient's policy lets through it runs\n" +
			"CMD with sh -c, or shows a notification. CMD reads the message as one line of JSON from stdin, with its\n" +
			"receipt; exit status 0 says that it was taken, 75 that the client is busy, any other that it was not. What\n" +
			"came of it is recorded on the receipt, and a message that was not taken is offered again, after a pause\n" +
			"that grows to a minute. ACC_MESSAGE_ID, ACC_FROM and ACC_KIND hold the id, the sender and the kind; the\n" +
			"text of a message is in no variable and in no command line. It is untrusted: see docs/delivery.md.\n\n" +
			"It serves exactly the session of --session and --generation, or --as, and ends with it; with --participant\n" +
			"the one session of that participant behind which somebody is, and the next one after that. The policy is\n" +
			"the recipient's, is kept, and is off until somebody sets it. Each outcome is a line on stdout, with --json\n" +
			"an object; all else, the output of CMD included, goes to stderr. Ctrl-C finishes the message in hand first.",
		Example: "acc deliver --participant alice --policy actionable --exec ./to-chat\n" +
			"acc deliver --as ana --notify --policy all\n" +
			"acc deliver policy off --participant alice",
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.participant, "participant", "", "whose mail; a `NAME`, not beside a session")
	flags.StringVar(&o.command, "exec", "", "run `CMD` for each message")
	flags.BoolVar(&o.notify, "notify", false, "show sender and subject on the desktop")
	flags.StringVar(&o.policy, "policy", "", "first set what may be handed over, to `POLICY` off, actionable or all")
	flags.DurationVar(&o.timeout, "timeout", delivery.DefaultTimeout, "stop CMD after `DURATION`, as in 10s (default 30s)")
	a.completeFlag(cmd, "participant", participants)
	_ = cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(schema.DeliveryPolicies(), cobra.ShellCompDirectiveNoFileComp))
	cmd.AddGroup(&cobra.Group{ID: groupDeliver, Title: "Commands"})
	cmd.AddCommand(a.deliverPolicyCommand())
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.current = cmd
		if err := a.deliver(cmd.Context(), o); err != nil {
			a.fail(err)
		}
		return nil
	}
	return cmd
}

func (a *App) deliver(ctx context.Context, o deliverOptions) error {
	transport, err := a.transport(o)
	if err != nil {
		return err
	}
	policy, err := policyOption("policy", o.policy)
	if err != nil {
		return err
	}
	if o.timeout <= 0 {
		return schema.Fail(schema.ReasonInvalidField, "--timeout must be more than nothing; write 10s or 2m.").With("field", "timeout")
	}
	room, err := a.recipient(o.participant)
	if err != nil {
		return err
	}
	room.Env = fsstore.RealEnv(a.log()) // others look for this process: it stays
	abort, stop := secondSignal(ctx)
	defer stop()
	return delivery.New(delivery.Config{
		Room: room, Transport: transport, Timeout: o.timeout, Policy: policy, Report: &deliveryReport{app: a, label: transport.Label()},
		Log: a.log(),
	}).Run(ctx, abort)
}

// transport is what the options ask for.
func (a *App) transport(o deliverOptions) (delivery.Transport, error) {
	switch {
	case o.notify && o.command != "":
		return nil, exclude("--exec", "--notify")
	case o.notify:
		return delivery.NewNotify()
	case o.command == "":
		return nil, schema.Fail(schema.ReasonMissingField, "what to run is missing. Example: acc deliver --participant alice --exec ./to-chat").
			With("field", "exec")
	}
	return delivery.Exec{Command: o.command, Output: a.Err}, nil
}

// recipient says whose mail is meant: a participant by name, or exactly the
// session of a pair. A pair in the environment yields to a name.
func (a *App) recipient(participant string) (coordination.Config, error) {
	w, err := a.workspace()
	if err != nil {
		return coordination.Config{}, err
	}
	cfg := coordination.Config{Workspace: w, Env: a.environment()}
	if participant == "" {
		cfg.Credentials, err = a.credentials(w)
		return cfg, err
	}
	if a.caller.explicit() {
		return cfg, exclude("--participant", "a session")
	}
	cfg.ParticipantID = participant
	return cfg, schema.CheckParticipantID("participant", participant)
}

// secondSignal ends when the program is told to end a second time: then what
// is in hand is not waited for.
func secondSignal(first context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	again := make(chan os.Signal, 1)
	go func() {
		select {
		case <-first.Done():
		case <-ctx.Done():
			return
		}
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		select {
		case <-again:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		signal.Stop(again)
	}
}
