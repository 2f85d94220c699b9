package cli

import "strings"

// What a terminal is told. Every one of today knows these.
const (
	altScreen  = "\x1b[?1049h\x1b[?25l" // another screen, without a cursor
	mainScreen = "\x1b[?25h\x1b[?1049l" // the cursor, and the screen as it was
	toTop      = "\x1b[H"
	clearLine  = "\x1b[K"
	clearBelow = "\x1b[J"
	plainText  = "\x1b[0m"
)

// frame is a page as it is written to a terminal: over the one before, so that
// nothing flickers, and no line longer than the screen.
func frame(lines []string, width int) string {
	var b strings.Builder
	b.WriteString(toTop)
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(cutColumns(line, width))
		b.WriteString(clearLine)
	}
	b.WriteString(clearBelow)
	return b.String()
}

// cutColumns shortens a line to so many columns. The sequences that colour it
// take none.
func cutColumns(line string, width int) string {
	if textWidth(withoutStyle(line)) <= width {
		return line
	}
	var b strings.Builder
	left := width - 1 // the last column is for the mark
	for line != "" {
		if n := styleLength(line); n > 0 {
			b.WriteString(line[:n])
			line = line[n:]
			continue
		}
		char := firstRune(line)
		if left -= textWidth(char); left < 0 {
			break
		}
		b.WriteString(char)
		line = line[len(char):]
	}
	return b.String() + plainText + "…"
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// styleLength is the length of the sequence that a text begins with, as paint
// writes it; 0 when there is none.
func styleLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	return strings.IndexByte(s, 'm') + 1
}

func withoutStyle(s string) string {
	var b strings.Builder
	for s != "" {
		if n := styleLength(s); n > 0 {
			s = s[n:]
			continue
		}
		char := firstRune(s)
		b.WriteString(char)
		s = s[len(char):]
	}
	return b.String()
}
