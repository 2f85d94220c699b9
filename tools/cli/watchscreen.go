package cli

import (
	"context"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"acc/schema"
	"acc/tools/coordination"
)

// pageEvents is how many events a page remembers, and begins with.
const pageEvents = 100

// wantsPage reports whether the room is shown as one page on a terminal.
func (a *App) wantsPage(o watchOptions) bool {
	return !a.json && !o.plain && a.Env("TERM") != "dumb" && isTerminal(a.Out)
}

// viewer makes the view that was asked for, and what puts the terminal back.
func (a *App) viewer(ctx context.Context, leave func(), page bool) (v viewer, restore func(), err error) {
	switch {
	case page:
		out := a.Out.(*os.File)
		restore, err := ownTerminal(a.In, out, leave)
		if err != nil {
			return nil, nil, err
		}
		return &screen{app: a, out: out, again: pulse(ctx, time.Second)}, restore, nil
	case a.json:
		return &objects{app: a}, func() {}, nil
	}
	return &lines{app: a}, func() {}, nil
}

// screen shows a room as a page that is drawn anew: at every change, every
// second for the time that claims have left, and when the window changes.
type screen struct {
	app    *App
	out    *os.File
	again  <-chan struct{}
	last   coordination.Look
	events []coordination.Happening
	notice string
}

func (s *screen) redraws() <-chan struct{} { return s.again }

func (s *screen) look(look coordination.Look) error {
	if look.Removed {
		s.events = nil
	}
	s.last, s.notice = look, ""
	s.events = append(s.events, look.Happened...)
	if old := len(s.events) - pageEvents; old > 0 {
		s.events = s.events[old:]
	}
	return s.redraw()
}

func (s *screen) trouble(e *schema.Error) error {
	s.notice = inCommands(e.Message)
	return s.redraw()
}

func (s *screen) redraw() error {
	width, height, err := term.GetSize(int(s.out.Fd()))
	if err != nil || width < 1 || height < 1 {
		width, height = 80, 24
	}
	p := s.app.printer()
	p.ticking = true
	_, err = s.out.WriteString(frame(s.page(p, height), width))
	return err
}

// page lays the room out on so many lines: the state first, and what happened
// last in the space that is left.
func (s *screen) page(p *printer, height int) []string {
	p.line("%s  %s  %s", p.paint(bold, "acc watch"), visible(s.last.Status.Root), p.paint(dim, p.now.Format("15:04:05")+", q leaves"))
	if s.notice != "" {
		p.line("%s", p.paint(red, visible(s.notice)))
	}
	if s.last.Status.WorkspaceID == nil {
		p.line("There is no room here yet; waiting for one.")
	} else {
		p.heading("People")
		p.participants(s.last.Status.Participants)
		p.heading("Claims")
		if len(s.last.Status.Claims) == 0 {
			p.line("  none")
		}
		p.claims(s.last.Status.Claims)
		p.heading("What happened")
	}
	top := p.taken()
	room := max(0, height-len(top))
	for _, h := range s.events[max(0, len(s.events)-room):] {
		p.event(h)
	}
	page := append(top, p.taken()...)
	return page[:min(len(page), height)]
}

// taken takes the lines that were laid out so far.
func (p *printer) taken() []string {
	text := strings.TrimSuffix(p.buf.String(), "\n")
	p.buf.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
