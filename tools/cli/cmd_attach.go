package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// defaultHarness is what a session is attached with when nobody said.
const defaultHarness = "cli"

// attachFlags are the options of acc attach.
type attachFlags struct {
	participant, harness string
	human, save          bool
}

// attachedPair is the answer of acc attach.
type attachedPair struct {
	coordination.Attached
	Saved bool `json:"saved"`
}

func (a *App) attachCommand() *cobra.Command {
	var in attachFlags
	cmd := &cobra.Command{
		Use: "attach --participant NAME [options]", GroupID: groupSession, Args: arguments(0, 0),
		Short: "Join the room and open a session",
		Long: "Opens a session for a participant and prints the pair that acts as it, as lines for a shell. Every\n" +
			"command that does something takes the pair from --session and --generation, or from ACC_SESSION and\n" +
			"ACC_GENERATION; it is never guessed. Whoever has the generation can act as the session: keep it.\n\n" +
			"With --save the pair is kept in .acc/run/saved/, readable by you alone, in place of being printed;\n" +
			"only an explicit --as NAME uses it. A kept session that is still open goes on, and so does one that is\n" +
			"given with --session and --generation, or --as.",
		Example: "eval \"$(acc attach --participant codex --harness codex)\"\n" +
			"acc attach --participant ana --human --save\n" +
			"acc --as ana inbox\n" +
			"acc attach --participant alice --json | jq -r .data.sessionId",
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&in.participant, "participant", "", "who joins; a `NAME` that mail can be sent to")
	flags.BoolVar(&in.human, "human", false, "the participant is a person")
	flags.StringVar(&in.harness, "harness", "", "the `PROGRAM` that acts as the session (default cli)")
	flags.BoolVar(&in.save, "save", false, "keep the pair for --as, and do not print it")
	a.completeFlag(cmd, "participant", participants)
	return define(a, cmd, func(ctx context.Context, _ []string) (attachedPair, error) { return a.attach(ctx, in) }, printAttached)
}

func (a *App) attach(ctx context.Context, in attachFlags) (attachedPair, error) {
	w, err := a.workspace()
	if err != nil {
		return attachedPair{}, err
	}
	cfg, err := a.attaching(w, in)
	if err != nil {
		return attachedPair{}, err
	}
	kept, err := a.kept(w, in)
	if err != nil {
		return attachedPair{}, err
	}
	if kept != nil {
		goOn := cfg
		goOn.Credentials = kept
		if out, err := a.open(ctx, goOn, in); err == nil || !needsNewOne(err) {
			return out, err
		}
	}
	return a.open(ctx, cfg, in)
}

func (a *App) open(ctx context.Context, cfg coordination.Config, in attachFlags) (attachedPair, error) {
	return withRoom(ctx, a, coordination.NewRoom(cfg), func(ctx context.Context, room *coordination.Room) (attachedPair, error) {
		harness := in.harness
		if harness == "" && cfg.Credentials == nil {
			harness = defaultHarness
		}
		session, err := room.Attach(ctx, tools.Caller{Harness: harness})
		if err == nil && in.save {
			err = room.Keep(session)
		}
		return attachedPair{session, in.save}, err
	})
}

// kept is the pair that --save would write over. While its session is open it
// goes on: claims of a session whose pair is lost could not be released.
func (a *App) kept(w fsstore.Workspace, in attachFlags) (*coordination.Credentials, error) {
	if !in.save || in.participant == "" || a.caller.explicit() {
		return nil, nil
	}
	pair, err := a.saved(w, in.participant)
	if err != nil && (needsNewOne(err) || schema.HasReason(err, schema.ReasonRecordDamaged)) {
		return nil, nil
	}
	return pair, err
}

// needsNewOne reports whether a pair is refused because its session is over or
// gone.
func needsNewOne(err error) bool {
	return schema.HasReason(err, schema.ReasonCallerUnresolved) || schema.HasReason(err, schema.ReasonSessionFinished)
}

// attaching says whose session is wanted. Only a pair that was named on the
// command line goes on: one in the environment may be that of another room, or
// of a session that is over, and is what a new attach replaces.
func (a *App) attaching(w fsstore.Workspace, in attachFlags) (coordination.Config, error) {
	cfg := coordination.Config{Workspace: w, Env: a.environment(), Human: in.human}
	if a.caller.explicit() || in.participant == "" {
		pair, err := a.credentials(w)
		switch {
		case err != nil:
			return cfg, err
		case pair == nil:
			return cfg, schema.Fail(schema.ReasonMissingField, "who joins is missing. Example: acc attach --participant alice").
				With("field", "participant")
		case in.participant != "" || in.human:
			return cfg, schema.Fail(schema.ReasonConflictingFields, "a session that goes on keeps its participant; leave out --participant and --human.")
		}
		cfg.Credentials = pair
		return cfg, nil
	}
	cfg.ParticipantID = in.participant
	return cfg, nil
}

func printAttached(p *printer, out attachedPair) {
	if out.Saved {
		p.line("%s is attached; act as it with --as %s, for example: acc --as %s inbox", out.ParticipantID, out.ParticipantID, out.ParticipantID)
		return
	}
	p.line("export ACC_SESSION=%s", out.SessionID)
	p.line("export ACC_GENERATION=%s", out.Generation)
}
