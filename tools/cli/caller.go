package cli

import (
	"context"

	"github.com/spf13/pflag"

	"acc/fsstore"
	"acc/tools/coordination"
)

// callerFlags say who is calling. They are taken from the options and from
// ACC_SESSION and ACC_GENERATION, and from nothing else: never guessed from
// the environment, the checkout, or a session that happens to be alone.
type callerFlags struct {
	session, generation, as string
}

func (c *callerFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&c.session, "session", "", "act as `SESSION` (default: ACC_SESSION)")
	flags.StringVar(&c.generation, "generation", "", "the `SECRET` that attach printed with it (default: ACC_GENERATION)")
	flags.StringVar(&c.as, "as", "", "act as the participant `NAME`, whose pair acc attach --save kept")
}

// explicit reports whether the command line itself names a session.
func (c *callerFlags) explicit() bool { return c.session != "" || c.generation != "" || c.as != "" }

// credentials are the exact pair that the run was given, nil when it was
// given none.
func (a *App) credentials(w fsstore.Workspace) (*coordination.Credentials, error) {
	if a.caller.as != "" {
		if a.caller.session != "" || a.caller.generation != "" {
			return nil, exclude("--as", "--session")
		}
		return a.saved(w, a.caller.as)
	}
	pair := coordination.Credentials{SessionID: a.caller.session, Generation: a.caller.generation}
	if pair.SessionID == "" {
		pair.SessionID = a.Env("ACC_SESSION")
	}
	if pair.Generation == "" {
		pair.Generation = a.Env("ACC_GENERATION")
	}
	if pair.SessionID == "" && pair.Generation == "" {
		return nil, nil
	}
	return &pair, nil
}

// room is the caller's place in the room of the workspace, or that of a
// reader who is nobody. It opens nothing yet. Whoever must be somebody is
// refused by the room with reason caller_identity_unresolved.
func (a *App) room() (*coordination.Room, error) {
	w, err := a.workspace()
	if err != nil {
		return nil, err
	}
	pair, err := a.credentials(w)
	if err != nil {
		return nil, err
	}
	return coordination.NewRoom(coordination.Config{Workspace: w, Credentials: pair, Env: a.environment()}), nil
}

// inRoom runs fn with the caller's room.
func inRoom[T any](ctx context.Context, a *App, fn func(context.Context, *coordination.Room) (T, error)) (T, error) {
	room, err := a.room()
	if err != nil {
		var none T
		return none, err
	}
	return withRoom(ctx, a, room, fn)
}

// withRoom runs fn and gives the room back.
func withRoom[T any](ctx context.Context, a *App, room *coordination.Room, fn func(context.Context, *coordination.Room) (T, error)) (T, error) {
	value, err := fn(ctx, room)
	if closeErr := room.Close(); closeErr != nil {
		a.log().Warn("the room was not closed cleanly; the next process to open it checks it", "error", closeErr)
	}
	return value, err
}
