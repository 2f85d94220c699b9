package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"acc/fsstore"
	"acc/tools/doctor"
)

func (a *App) doctorCommand() *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use: "doctor [options]", GroupID: groupUpkeep, Args: arguments(0, 0),
		Short: "Look for what is wrong with the room",
		Long: "Reads every file of the room and looks at the file system it lies on, and says what is wrong and what to\n" +
			"do. Of each client it says what acc install wrote, whether the client trusts it and is here, and the next\n" +
			"step. It changes nothing. Exit status 6 when something asks for action. With --repair it does the safe\n" +
			"part: it finishes what a dead process left, makes index/ or run/ anew, takes the rights of others away\n" +
			"from private files, sweeps temporary files and signs of life of dead processes, and takes in what came\n" +
			"with the code. Records it never touches; it says what it left.",
		Example: "acc doctor\nacc doctor --repair\nacc doctor --json | jq '.data.findings[] | select(.level != \"ok\")'",
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "do what can be done without losing anything")
	return define(a, cmd, func(ctx context.Context, _ []string) (doctor.Report, error) {
		report, err := a.examine(ctx, repair)
		if n := report.Action(); err == nil && n > 0 {
			err = waiting(n)
		}
		return report, err
	}, printReport)
}

func (a *App) examine(ctx context.Context, repair bool) (doctor.Report, error) {
	dir, err := a.dir()
	if err != nil {
		return doctor.Report{}, err
	}
	w, err := fsstore.Locate(dir, fsstore.Home(a.Env))
	if err != nil {
		return doctor.Unplaced(err), nil
	}
	v := version()
	cfg := doctor.Config{
		Workspace: w, Env: a.environment(), Version: v.Version, Revision: v.Revision, Look: lookBeside, Agents: a.agents(ctx, w),
	}
	if repair {
		return doctor.Repair(ctx, cfg), nil
	}
	return doctor.Examine(ctx, cfg), nil
}

// lookBeside finds a program where a shell would, and else beside this one.
func lookBeside(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err == nil {
		return path, nil
	}
	self, selfErr := os.Executable()
	if selfErr != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(filepath.Dir(self), program))
}

// levelStyles are how findings stand out.
var levelStyles = map[doctor.Level]style{doctor.OK: green, doctor.Note: dim, doctor.Warning: yellow, doctor.Problem: red}

func printReport(p *printer, r doctor.Report) {
	for _, done := range r.Repaired {
		p.line("%s  %s", p.paint(green, "repaired"), visible(done))
	}
	for _, f := range r.Findings {
		text := visible(f.What)
		if f.Where != "" {
			text = visible(f.Where) + ": " + text
		}
		p.line("%s%s  %s", p.paint(levelStyles[f.Level], string(f.Level)), spaces(len("repaired")-len(f.Level)), text)
		if f.Do != "" && f.Level != doctor.OK {
			p.line("          %s", p.paint(dim, visible(f.Do)))
		}
	}
	printAgents(p, r.Clients)
	if n := r.Action(); n > 0 {
		p.line("%s to do%s.", plural(n, "thing"), mendable(r))
	}
}

// mendable says how much of what is to do the program can do itself.
func mendable(r doctor.Report) string {
	n := 0
	for _, f := range r.Findings {
		if f.Repair && (f.Level == doctor.Warning || f.Level == doctor.Problem) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; acc doctor --repair does %d", n)
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
