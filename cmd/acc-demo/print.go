package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// narrator prints the story. On a terminal headings are bold and answers dim.
type narrator struct {
	out     io.Writer
	chapter int
	colour  bool
	silent  bool // once the story has failed: what would follow is made up
}

func newNarrator(out io.Writer) *narrator {
	n := &narrator{out: out}
	if f, ok := out.(*os.File); ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		info, err := f.Stat()
		n.colour = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return n
}

// The styles of a terminal.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	plain = "\x1b[0m"
)

func (n *narrator) styled(style, text string) string {
	if !n.colour {
		return text
	}
	return style + text + plain
}

// heading begins a chapter.
func (n *narrator) heading(title string) {
	n.chapter++
	n.print("\n" + n.styled(bold, fmt.Sprintf("%d. %s", n.chapter, title)))
}

// line is a sentence of the narrator.
func (n *narrator) line(format string, args ...any) { n.print(fmt.Sprintf(format, args...)) }

func (n *narrator) print(line string) {
	if !n.silent {
		fmt.Fprintln(n.out, line)
	}
}

// does is what somebody does.
func (n *narrator) does(who, format string, args ...any) {
	n.print("  " + n.styled(bold, fmt.Sprintf("%-5s", who)) + " " + fmt.Sprintf(format, args...))
}

// told is what came back.
func (n *narrator) told(format string, args ...any) {
	n.print("        " + n.styled(dim, "-> "+fmt.Sprintf(format, args...)))
}

// quote shows a text as it lies in a file.
func (n *narrator) quote(text string) {
	for line := range strings.Lines(text) {
		n.print("    " + strings.TrimSuffix(line, "\n"))
	}
}
