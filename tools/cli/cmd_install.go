package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/delivery/client"
	"acc/tools/install"
)

// installFlags are what install and uninstall have in common.
type installFlags struct {
	clients []string
	scope   string
	dryRun  bool
}

func (f *installFlags) register(cmd *cobra.Command, all string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.clients, "client", nil, "only this `CLIENT`, or several: "+strings.Join(client.IDs(), ", ")+"; "+all)
	flags.StringVar(&f.scope, "scope", string(client.Project), "`project`: the files of this checkout; user: your own settings")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the changes and write nothing")
}

func (a *App) installCommand() *cobra.Command {
	var f installFlags
	var opt install.Options
	cmd := &cobra.Command{
		Use: "install [options]", GroupID: groupClients, Args: arguments(0, 0),
		Short: "Connect the coding agents on this machine with the room",
		Long: "Writes the server, the hooks and a skill into the configuration of each client that is found on the PATH,\n" +
			"and shows the change. Every other byte of these files stays. Doing it again changes nothing; other options\n" +
			"change what was written, in place. What was written is noted outside the repository, for acc uninstall.\n\n" +
			"Exit status 6 when a client was refused: a file that does not parse, or a server acc of somebody else.\n" +
			"Nothing of that client was written then. acc doctor says what a client still needs.",
		Example: "acc install --dry-run\nacc install\nacc install --client claude,codex --scope user\nacc install --client gemini --participant carol --delivery actionable",
	}
	f.register(cmd, "all that are found by default")
	cmd.Flags().StringVar(&opt.Participant, "participant", "", "the `NAME` of the agent in the room; the client's own by default")
	cmd.Flags().StringVar(&opt.Delivery, "delivery", string(schema.DeliverAll), "put `all` mail in front of turns, only actionable mail, or none: off")
	return define(a, cmd, func(context.Context, []string) (install.Report, error) {
		if !slices.Contains(schema.DeliveryPolicies(), opt.Delivery) {
			return install.Report{}, oneOf("delivery", schema.DeliveryPolicies())
		}
		if opt.Participant != "" {
			if err := schema.CheckParticipantID("participant", opt.Participant); err != nil {
				return install.Report{}, err
			}
		}
		if err := a.place(&opt, f); err != nil {
			return install.Report{}, err
		}
		var err error
		if opt.Acc, opt.Server, err = programs(opt.Look); err != nil {
			return install.Report{}, err
		}
		return attended(install.Install(opt))
	}, printInstalled)
}

// attended says of a report in which clients were refused that it asks for
// action.
func attended(r install.Report, err error) (install.Report, error) {
	if n := r.Refusals(); err == nil && n > 0 {
		err = waiting(n)
	}
	return r, err
}

func oneOf(option string, words []string) error {
	return schema.Fail(schema.ReasonInvalidField, "--%s takes one of %s.", option, strings.Join(words, ", ")).With("field", option)
}

// place fills in where to install and for whom.
func (a *App) place(opt *install.Options, f installFlags) error {
	scopes := []string{string(client.Project), string(client.User)}
	if !slices.Contains(scopes, f.scope) {
		return oneOf("scope", scopes)
	}
	opt.Scope, opt.DryRun, opt.Clients = f.scope, f.dryRun, f.clients
	if slices.Contains(f.clients, "all") {
		opt.Clients = nil
	}
	opt.Env, opt.Look, opt.Version = a.Env, exec.LookPath, version().Version
	opt.Home = fsstore.Home(a.Env)
	if !filepath.IsAbs(opt.Home) {
		return schema.Fail(schema.ReasonInvalidArguments, "there is no home directory; set HOME.")
	}
	if f.scope == string(client.User) {
		opt.Root = opt.Home
		return nil
	}
	w, err := a.workspace()
	opt.Root = w.Checkout
	return err
}

// programs are acc, under the name by which it is called if that is this one,
// and the server that belongs to it.
func programs(look func(string) (string, error)) (acc, server string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", schema.Fail(schema.ReasonInvalidArguments, "the program acc cannot be found on disk; install it with make install.").Because(err)
	}
	acc = self
	if found, err := look("acc"); err == nil && filepath.IsAbs(found) && sameFile(found, self) {
		acc = found
	}
	for _, dir := range []string{filepath.Dir(acc), filepath.Dir(self)} {
		if path, err := look(filepath.Join(dir, "acc-mcp")); err == nil {
			return acc, path, nil
		}
	}
	if path, err := look("acc-mcp"); err == nil && filepath.IsAbs(path) {
		return acc, path, nil
	}
	return "", "", schema.Fail(schema.ReasonInvalidArguments, "acc-mcp is neither beside acc nor on the PATH. Install both from one version (make install), then try again.").
		Because(errors.Join(fs.ErrNotExist, err))
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}
