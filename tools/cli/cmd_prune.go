package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"acc/schema"
	"acc/tools/prune"
)

func (a *App) pruneCommand() *cobra.Command {
	var opt prune.Options
	var age string
	cmd := &cobra.Command{
		Use: "prune [options]", GroupID: groupUpkeep, Args: arguments(0, 0),
		Short: "Remove what nobody needs any more",
		Long: "Says what it would remove; with --apply it does. Closed sessions with what they left, claims past their\n" +
			"lease, signs of life of dead processes, and participants that nothing refers to any more. With --before\n" +
			"also older events, in whole files of 1,000, and the messages sent before that cursor that are settled for\n" +
			"every recipient. What is owed to a known recipient stays, and so do unanswered questions, the decisions\n" +
			"of a group in which one stands, whatever lies published in a checkout, and the rest of a thread of which\n" +
			"something stays. Cursors go on counting. A run that was killed is simply started again.",
		Example: "acc prune\n" +
			"acc prune --apply --older-than 30d\n" +
			"acc prune --before 0000000000012000 --apply",
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&opt.Apply, "apply", false, "remove it, do not only say so")
	flags.StringVar(&opt.Before, "before", "", "also events and settled messages before this `CURSOR`")
	flags.StringVar(&age, "older-than", "", "leave what ended less than this `DURATION` ago, as in 12h or 30d")
	return define(a, cmd, func(ctx context.Context, _ []string) (prune.Report, error) {
		var err error
		if opt.OlderThan, err = ageOption("older-than", age); err != nil {
			return prune.Report{}, err
		}
		w, err := a.workspace()
		if err != nil {
			return prune.Report{}, err
		}
		return prune.Run(ctx, w, a.environment(), opt)
	}, printPruned)
}

// ageOption reads what people write for a time that passed: Go's form, or a
// whole number of days.
func ageOption(option, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		if n, err = strconv.Atoi(days); err == nil && n > 36500 {
			err = strconv.ErrRange
		}
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d < 0 {
		return 0, schema.Fail(schema.ReasonInvalidField, "--%s does not take %q; write 90m, 12h or 30d.", option, visible(text)).With("field", option)
	}
	return d, nil
}

func printPruned(p *printer, r prune.Report) {
	did := "Would remove"
	if r.Applied {
		did = "Removed"
	}
	switch {
	case r.Empty():
		p.line("There is nothing to remove.")
	default:
		p.line("%s:", did)
	}
	p.fields(
		"sessions", someOf(r.Sessions), "intents", someOf(r.Intents), "claims", someOf(r.Claims),
		"presence", someOf(r.Presence), "adapters", someOf(r.Adapters), "messages", someOf(r.Messages), "participants", someOf(r.Participants),
	)
	if r.TrimmedThrough != nil {
		p.line("  events through %s, %s of the log", *r.TrimmedThrough, plural(r.EventFiles, "file"))
	}
	printKept(p, r.Kept)
	if !r.Applied && !r.Empty() {
		p.line("Nothing was changed; repeat with --apply.")
	}
}

// shownIDs is how many ids a person is shown of a list.
const shownIDs = 3

// someOf is a list in a line: how many, and the first of them.
func someOf(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	text := strconv.Itoa(len(ids)) + ": " + strings.Join(ids[:min(len(ids), shownIDs)], " ")
	if len(ids) > shownIDs {
		text += " …"
	}
	return text
}

func printKept(p *printer, k prune.Kept) {
	var why []string
	for _, one := range []struct {
		count int
		what  string
	}{
		{k.Owed, "owed"}, {k.Decisions, "in standing decisions"}, {k.Published, "published with the code"},
		{k.Sessions, "handoffs of sessions that stay"}, {k.Threads, "in threads that go on"}, {k.Damaged, "damaged"},
	} {
		if one.count > 0 {
			why = append(why, strconv.Itoa(one.count)+" "+one.what)
		}
	}
	if len(why) > 0 {
		p.line("Older messages that stay: %s.", strings.Join(why, ", "))
	}
}
