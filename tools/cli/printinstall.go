package cli

import (
	"strings"

	"acc/tools/install"
)

// installStates are what a person is told of a client.
var installStates = map[install.State]string{
	install.Installed: "installed", install.Updated: "updated", install.Unchanged: "unchanged",
	install.Removed: "removed", install.Absent: "not installed", install.Refused: "refused",
}

func printInstalled(p *printer, r install.Report) {
	for _, o := range r.Clients {
		printOutcome(p, o)
		switch {
		case o.State == install.Refused:
		case !o.Found:
			p.line("  It is not on the PATH; installed because it was named.")
		}
		if o.Next != "" && o.State != install.Refused {
			p.line("  Next: %s.", o.Next)
		}
	}
	printRefusals(p, r)
	if r.DryRun {
		p.line("Nothing was changed; repeat without --dry-run.")
	}
}

func printUninstalled(p *printer, r install.Report) {
	if len(r.Clients) == 0 {
		p.line("acc is not installed for any client here.")
	}
	for _, o := range r.Clients {
		printOutcome(p, o)
	}
	printRefusals(p, r)
	if r.DryRun {
		p.line("Nothing was changed; repeat without --dry-run.")
	}
}

func printOutcome(p *printer, o install.Outcome) {
	style := green
	if o.State == install.Refused {
		style = red
	}
	as := ""
	if o.Participant != "" && o.State != install.Refused {
		as = " as " + o.Participant
	}
	p.line("%s: %s%s", p.paint(bold, o.Name), p.paint(style, installStates[o.State]), as)
	if o.Reason != "" {
		p.line("  %s", visible(o.Reason))
	}
	for _, f := range o.Files {
		printFile(p, f)
	}
}

func printFile(p *printer, f install.FileChange) {
	switch {
	case f.State == install.Shared:
		p.line("  %s stays: another client reads it too", visible(f.Path))
	case f.Diff == "":
		p.line("  %s unchanged", visible(f.Path))
	}
	for line := range strings.Lines(f.Diff) {
		line = strings.TrimRight(line, "\r\n")
		p.line("%s", p.paint(diffStyle(line), visible(line)))
	}
	for _, what := range f.Edited {
		p.line("  %s: %s was edited since acc install wrote it, and was left as it is", visible(f.Path), visible(what))
	}
}

// diffStyle is how a line of a diff stands out.
func diffStyle(line string) style {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		return bold
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return dim
}

func printRefusals(p *printer, r install.Report) {
	if n := r.Refusals(); n > 0 {
		p.line("%s refused; nothing of it was written.", plural(n, "client"))
	}
}
