package cli

import (
	"context"

	"acc/tools/coordination"
)

// inPublic runs fn with the room as a reader who is nobody sees it, whoever is
// calling. What is public stays so with a pair that has ended.
func inPublic[T any](ctx context.Context, a *App, fn func(context.Context, *coordination.Room) (T, error)) (T, error) {
	w, err := a.workspace()
	if err != nil {
		var none T
		return none, err
	}
	return withRoom(ctx, a, coordination.NewRoom(coordination.Config{Workspace: w, Env: a.environment()}), fn)
}
