package cli

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"acc/fsstore"
	"acc/tools/delivery/client"
	"acc/tools/doctor"
	"acc/tools/install"
)

// agents are the clients of this machine, as far as files tell. A ledger that
// cannot be read counts as none; acc install says what is wrong with it.
func (a *App) agents(ctx context.Context, w fsstore.Workspace) []doctor.Agent {
	home := fsstore.Home(a.Env)
	project, _ := install.Statuses(install.Options{Scope: string(client.Project), Root: w.Checkout, Home: home, Env: a.Env})
	user, _ := install.Statuses(install.Options{Scope: string(client.User), Root: home, Home: home, Env: a.Env})
	var agents []doctor.Agent
	var paths []string
	for _, c := range client.All() {
		agent := doctor.Agent{Client: c.ID, Name: c.Name, Installed: []install.Status{}, Trusted: client.Untrusted}
		for _, s := range slices.Concat(project, user) {
			if s.Client != c.ID {
				continue
			}
			agent.Installed = append(agent.Installed, s)
			if t := c.Trusts(client.Scope(s.Scope), w.Checkout, home, a.Env); t != client.Untrusted {
				agent.Trusted = t
			}
		}
		path, err := exec.LookPath(c.Program)
		if agent.Found = err == nil; agent.Found || len(agent.Installed) > 0 {
			agents, paths = append(agents, agent), append(paths, path)
		}
	}
	askVersions(ctx, agents, paths)
	return agents
}

// askVersions asks all programs at the same time.
func askVersions(ctx context.Context, agents []doctor.Agent, paths []string) {
	var asked sync.WaitGroup
	for i := range agents {
		if agents[i].Found {
			asked.Go(func() { agents[i].Version = client.ProgramVersion(ctx, paths[i]) })
		}
	}
	asked.Wait()
}

// printAgents shows a line for each client, and its next step below it.
func printAgents(p *printer, agents []doctor.Agent) {
	for _, a := range agents {
		p.line("%s    %s", p.paint(bold, "client"), visible(describeAgent(a)))
		if a.Next != "" {
			p.line("          %s", p.paint(dim, "next: "+visible(a.Next)))
		}
	}
}

func describeAgent(a doctor.Agent) string {
	parts := []string{strings.TrimSpace(a.Name + " " + a.Version)}
	if !a.Found {
		parts = append(parts, "not on the PATH")
	}
	for _, s := range a.Installed {
		text := map[install.Standing]string{install.Whole: "installed", install.Edited: "installed and edited since", install.Missing: "installed, parts are missing"}[s.State]
		parts = append(parts, text+" ("+s.Scope+", as "+s.Participant+", by acc "+s.Version+")")
		parts = append(parts, slices.Concat(s.Missing, s.Edited)...)
	}
	if len(a.Installed) == 0 {
		return strings.Join(append(parts, "not installed"), ", ")
	}
	parts = append(parts, map[client.Trust]string{client.Trusted: "trusted", client.Untrusted: "not trusted yet", client.Unsettled: "trust unknown"}[a.Trusted])
	if a.Live {
		return strings.Join(append(parts, "live"), ", ")
	}
	return strings.Join(append(parts, "not here now"), ", ")
}
