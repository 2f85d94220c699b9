package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/delivery/client"
)

// Limits of a hook.
const (
	hookBudget = 5 * time.Second        // for what it does in the room
	hookGrace  = 500 * time.Millisecond // after that, for a disk that hangs
	hookInput  = 64 << 20               // bytes; the text of an edit is in it
)

// hookName is the one command that a client runs by itself. Its exit status is
// always 0: any other one may stop the client's tool.
const hookName = "hook"

var errPanicked = errors.New("a hook panicked")

type hookFlags struct{ participant, delivery string }

func (a *App) hookCommand() *cobra.Command {
	var in hookFlags
	cmd := &cobra.Command{
		Use: "hook CLIENT EVENT [options]", GroupID: groupClients, Args: arguments(2, 2),
		Short: "What a coding agent runs at the events of its session",
		Long: "Coding agents run this by themselves, with a JSON object on stdin; acc install sets it up. It attaches or\n" +
			"resumes the agent's session, puts new mail and the state of the room in front of its model, stops an edit\n" +
			"into a file that another session guards, and holds a turn open once for mail that asks for an answer.\n" +
			"Where there is no room it does nothing.\n\n" +
			"It is never in the way: whatever goes wrong is one line on stderr, and the exit status is 0. CLIENT is\n" +
			"claude, codex, gemini, qwen or opencode. EVENT is session-start, before-turn, before-tool, after-tool, stop\n" +
			"or session-end.",
		Example: "acc hook codex before-turn --participant codex < input.json\n" +
			"acc hook claude session-start --delivery actionable < input.json",
		DisableFlagsInUseLine: true,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&in.participant, "participant", "", "who the agent is in the room; a `NAME` (default: CLIENT)")
	flags.StringVar(&in.delivery, "delivery", string(schema.DeliverAll),
		"which mail is put in front of the model, by `POLICY`: all, actionable (what asks for an answer) or off")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.current = cmd
		return a.hook(cmd.Context(), args[0], client.Event(args[1]), in)
	}
	return cmd
}

// failOpen says in one line why a hook did nothing.
func (a *App) failOpen(err error) {
	var known *schema.Error
	message := "something unexpected failed; the agent goes on without acc."
	switch {
	case errors.As(err, &known):
		message = known.Message
	case errors.Is(err, context.DeadlineExceeded):
		message = fmt.Sprintf("it took longer than %s; the agent goes on without acc.", hookBudget)
	case errors.Is(err, context.Canceled):
		message = "it was ended; the agent goes on without acc."
	}
	fmt.Fprintf(a.Err, "acc hook: %s\n", visible(message))
}

// hook runs one hook within its time. What it does beyond that is cut off by
// the end of the process.
func (a *App) hook(ctx context.Context, id string, e client.Event, in hookFlags) error {
	ctx, cancel := context.WithTimeout(ctx, hookBudget)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = errPanicked
			}
			done <- err
		}()
		err = a.runHook(ctx, id, e, in)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(hookGrace):
		return ctx.Err()
	}
}
