package cli

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/schema"
)

// completeWithin bounds the wait for a room that is busy: whoever presses the
// tab key types on.
const completeWithin = 300 * time.Millisecond

// candidates are words to complete with, each with a description behind a tab
// where it has one. A nil list lets the shell complete file names.
type candidates func(v *fsstore.View, me *schema.Session) ([]string, error)

// completeWith completes the option of a field, and the arguments of cmd when
// those go to the same field.
func (a *App) completeWith(cmd *cobra.Command, f *fields, field string, from candidates) {
	a.completeFlag(cmd, f.flagName(field), from)
	if _, form, _ := strings.Cut(cmd.Use, " "); strings.HasPrefix(form, "RESOURCE") || strings.HasPrefix(form, "[RESOURCE") ||
		strings.HasPrefix(form, "MESSAGE") || strings.HasPrefix(form, "[MESSAGE") {
		if field == "resource" || field == "messageId" {
			cmd.ValidArgsFunction = a.completer(from)
		}
	}
}

// completeFlag completes one option.
func (a *App) completeFlag(cmd *cobra.Command, name string, from candidates) {
	_ = cmd.RegisterFlagCompletionFunc(name, a.completer(from))
}

// completer asks the room. It says nothing when there is no room, or when the
// room cannot be read: a completion that fails completes nothing.
func (a *App) completer(from candidates) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if from == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completeWithin)
		defer cancel()
		words, err := a.ask(ctx, from)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		words = slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, typed) })
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *App) ask(ctx context.Context, from candidates) ([]string, error) {
	w, err := a.workspace()
	if err != nil || !w.Initialised {
		return nil, err
	}
	pair, err := a.credentials(w)
	if err != nil {
		return nil, err
	}
	env := a.environment()
	env.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	store, err := fsstore.Open(w.Root, env)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	var words []string
	err = store.View(ctx, func(v *fsstore.View) error {
		var me *schema.Session
		if pair != nil {
			if s, err := v.Session(pair.SessionID); err == nil && s.State == schema.SessionOpen {
				me = &s // what is completed is no secret: the id will do
			}
		}
		words, err = from(v, me)
		return err
	})
	return words, err
}
