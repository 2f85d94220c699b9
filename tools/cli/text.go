package cli

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"acc/schema"
	"acc/tools"
)

// visible is what a peer wrote, on one line and whole: control and format
// characters are shown, never sent to the terminal.
func visible(text string) string {
	if !strings.Contains(text, "\t") {
		return schema.Visible(text, utf8.RuneCountInString(text))
	}
	// A tab moves the cursor and hides nothing; as spaces it does no harm.
	return visible(strings.ReplaceAll(text, "\t", "    "))
}

// textWidth is how many columns of a terminal a text takes.
func textWidth(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// ago says how long before now an instant was.
func (p *printer) ago(t time.Time) string {
	switch d := p.now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Second:
		return "just now"
	default:
		return tools.Span(d) + " ago"
	}
}

// left says how long it is until an instant.
func (p *printer) left(t time.Time) string {
	d := t.Sub(p.now)
	if d <= 0 {
		return "ended"
	}
	if p.ticking && d < time.Hour {
		return fmt.Sprintf("%d:%02d left", int(d.Minutes()), int(d.Seconds())%60)
	}
	return tools.Left(d)
}

// plural is a number and a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
