package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// App is one run of the program: where it reads and writes, and what the
// global options said.
type App struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string

	json     bool
	cwd      string
	caller   callerFlags
	declared tools.Registry // what mirrored commands are derived from
	current  *cobra.Command // the command that runs, nil before one was found
	status   int
}

// Main runs the program and returns its exit status: 0 ok, 1 when the answer
// could not be written, 2 usage, 3 timeout, 4 data, 5 conflict, 6 attention.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	// A reader that goes away is an error of a write, not a signal that kills
	// the process in the middle of one.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	app := &App{In: stdin, Out: stdout, Err: stderr, Env: env}
	return app.run(ctx, args)
}

// run answers args. Whatever fails before a command runs is a usage error;
// whether --json was given is then looked up in the arguments, since parsing
// them is what failed.
func (a *App) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err != nil && cmd.Name() == hookName && cmd.HasParent():
		a.failOpen(err)
	case err != nil:
		a.current = cmd
		a.json = a.json || wantsJSON(args)
		a.fail(usageError(cmd, err))
	}
	return a.status
}

func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--json=true":
			return true
		case "--":
			return false
		}
	}
	return false
}

// root is the command tree.
func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "acc",
		Short: "Work with several agents and people in one repository",
		Long: "acc is the command line of the room of this repository: mail with honest receipts, claims on\n" +
			"files, decisions and handoffs, kept as plain files under .acc/.\n\n" +
			"Reading needs no identity. To act, attach first: acc attach --participant NAME.",
		Example: "acc status\n" +
			"eval \"$(acc attach --participant alice)\"\n" +
			"acc claim src/app.go --reason \"split the parser\"\n" +
			"acc inbox",
		SilenceErrors: true, SilenceUsage: true,
		Args:              a.knownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.json, "json", false, "answer with one JSON envelope")
	flags.StringVar(&a.cwd, "cwd", "", "work in `DIRECTORY` instead of the current one")
	a.caller.register(flags)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	root.SetHelpFunc(a.help)
	root.SetUsageFunc(func(*cobra.Command) error { return nil })
	root.AddGroup(groups...)
	root.SetHelpCommand(a.helpCommand())
	root.SetHelpCommandGroupID(groupProgram)
	root.AddCommand(inOrder(a.commands())...)
	root.InitDefaultHelpCmd()
	return root
}

// dir is the directory that the run works in.
func (a *App) dir() (string, error) {
	dir, err := os.Getwd()
	if err == nil && a.cwd != "" {
		dir = resolve(dir, a.cwd)
	}
	if err != nil {
		return "", schema.Fail(schema.ReasonWorkspaceInvalid,
			"the current directory is gone; change to another one.").Because(err)
	}
	return dir, nil
}

// resolve is path as seen from dir.
func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// workspace finds the room for the directory that the run works in.
func (a *App) workspace() (fsstore.Workspace, error) {
	dir, err := a.dir()
	if err != nil {
		return fsstore.Workspace{}, err
	}
	return fsstore.Locate(dir, fsstore.Home(a.Env))
}

// environment is what the store sees of this process. A command is over before
// anybody could look for it, so its presence rests on time alone.
func (a *App) environment() fsstore.Env {
	env := fsstore.RealEnv(a.log())
	env.Process = fsstore.Process{Host: env.Process.Host}
	return env
}

// log is where an operator's news goes: stderr, warnings and worse.
func (a *App) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
