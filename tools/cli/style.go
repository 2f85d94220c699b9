package cli

import (
	"os"

	"golang.org/x/term"
)

// style is how a text stands out on a terminal, "" for not at all.
type style string

// The styles: few, and never the only carrier of a meaning.
const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

func (p *printer) paint(s style, text string) string {
	if s == "" || text == "" || !p.colour {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// colour reports whether a stream takes colour: a terminal whose user has not
// set NO_COLOR.
func (a *App) colour(stream any) bool {
	return a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb" && isTerminal(stream)
}

// isTerminal reports whether a person sits at a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
