package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/coordination"
)

// logOptions are what acc log was asked for.
type logOptions struct {
	kind, participant, since, thread, cursor string
	limit                                    int
	reverse                                  bool
}

func (a *App) logCommand() *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use: "log [options]", GroupID: groupRoom, Args: arguments(0, 0),
		Short: "Show past messages and how far they got",
		Long: "Lists past messages of every kind, newest first: when, from whom to whom, what they are about, the\n" +
			"receipt of each recipient and where a decision stands. acc show ID shows one of them in full.\n" +
			"Filters may be combined. Reading needs no session and moves no receipt.",
		Example: "acc log\n" +
			"acc log --kind handoff\n" +
			"acc log --participant bob --since 2h\n" +
			"acc log --thread message_01k5x0f4e2m9v8r7c6b5a4z3y2 --reverse\n" +
			"acc log --json | jq -r '.data.items[] | [.sentAt, .fromParticipantId, .subject] | @tsv'",
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.kind, "kind", "", "only messages of this kind: `"+strings.Join(kindWords(), "|")+"`")
	flags.StringVar(&o.participant, "participant", "", "only what this participant sent or got: `NAME`")
	flags.StringVar(&o.since, "since", "", "only what was sent since this `TIME`: 2h, 3d, 2026-11-30, \"2026-11-30 17:31\"")
	flags.StringVar(&o.thread, "thread", "", "only the thread that this message is in: `ID`, or a unique piece of one")
	flags.IntVar(&o.limit, "limit", 20, "show at most `N` messages, 1 to 500")
	flags.StringVar(&o.cursor, "cursor", "", "go on where the last page ended: `ID`")
	flags.BoolVar(&o.reverse, "reverse", false, "oldest first, of the same messages")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kindWords(), cobra.ShellCompDirectiveNoFileComp))
	a.completeFlag(cmd, "participant", participants)
	a.completeFlag(cmd, "thread", anyMessages)
	return define(a, cmd, func(ctx context.Context, _ []string) (coordination.LogPage, error) {
		query, err := o.query(a.printer().now)
		if err != nil {
			return coordination.LogPage{}, err
		}
		return inPublic(ctx, a, func(ctx context.Context, room *coordination.Room) (coordination.LogPage, error) {
			page, err := room.Log(ctx, query)
			if o.reverse {
				slices.Reverse(page.Items)
			}
			return page, err
		})
	}, (*printer).log)
}

func kindWords() []string {
	var words []string
	for _, k := range schema.MessageKinds() {
		words = append(words, string(k))
	}
	return words
}

func (o logOptions) query(now time.Time) (coordination.LogQuery, error) {
	q := coordination.LogQuery{
		Kind: schema.MessageKind(o.kind), Participant: o.participant, Thread: o.thread, Cursor: o.cursor, Limit: o.limit,
	}
	switch {
	case o.kind != "" && !slices.Contains(kindWords(), o.kind):
		return q, schema.Fail(schema.ReasonInvalidField, "--kind: one of %s is expected.", strings.Join(kindWords(), ", ")).With("field", "kind")
	case o.limit < 1 || o.limit > 500:
		return q, schema.Fail(schema.ReasonInvalidField, "--limit: a number from 1 to 500 is expected.").With("field", "limit")
	}
	var err error
	q.Since, err = parseSince(o.since, now)
	return q, err
}
