package cli

import (
	"context"

	"github.com/spf13/cobra"

	"acc/fsstore"
)

// initialised is the answer of acc init.
type initialised struct {
	WorkspaceID string `json:"workspaceId"`
	Root        string `json:"root"`
	Checkout    string `json:"checkout"`
	Git         bool   `json:"git"`
	Created     bool   `json:"created"`
}

func (a *App) initCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "init", GroupID: groupUpkeep, Args: arguments(0, 0),
		Short: "Make the room of this repository",
		Long: "Makes .acc/ and says where: at the root of the repository's main worktree, so that subdirectories and\n" +
			"linked worktrees share one room; outside Git in the current directory. Where there is a room it changes\n" +
			"nothing. Nobody needs it: the first acc attach makes the room too.",
		Example: "acc init\nacc init --cwd ../project",
	}
	return define(a, cmd, func(context.Context, []string) (initialised, error) { return a.initialise() }, printInitialised)
}

func (a *App) initialise() (initialised, error) {
	w, err := a.workspace()
	if err != nil {
		return initialised{}, err
	}
	store, err := fsstore.Init(w.Root, a.environment())
	if err != nil {
		return initialised{}, err
	}
	defer store.Close()
	return initialised{
		WorkspaceID: store.Workspace().WorkspaceID, Root: w.Root, Checkout: w.Checkout, Git: w.CommonDir != "", Created: !w.Initialised,
	}, nil
}

func printInitialised(p *printer, i initialised) {
	switch {
	case i.Created:
		p.line("Made the room in %s", visible(i.Root))
	default:
		p.line("There is a room already, in %s", visible(i.Root))
	}
	switch {
	case !i.Git:
		p.line("This is no Git repository: the room covers the directory.")
	case i.Checkout != i.Root:
		p.line("This checkout, %s, shares it with the other worktrees of the repository.", visible(i.Checkout))
	}
	p.line("Next: acc attach --participant NAME")
}
