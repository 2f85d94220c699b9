package install

import (
	"fmt"
	"strings"
)

// hunk is a piece of a diff that is shown, and where it begins.
type hunk struct {
	a, b  int // lines before it
	lines []line
}

func hunks(all []line) (found []hunk) {
	shown := make([]bool, len(all))
	for i, l := range all {
		if l.mark != ' ' {
			for k := max(0, i-diffContext); k <= min(len(all)-1, i+diffContext); k++ {
				shown[k] = true
			}
		}
	}
	a, b := 0, 0
	for i, l := range all {
		if shown[i] {
			if i == 0 || !shown[i-1] {
				found = append(found, hunk{a: a, b: b})
			}
			h := &found[len(found)-1]
			h.lines = append(h.lines, l)
		}
		if l.mark != '+' {
			a++
		}
		if l.mark != '-' {
			b++
		}
	}
	return found
}

func (h hunk) write(b *strings.Builder) {
	olds, news := 0, 0
	for _, l := range h.lines {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h.a, olds), span(h.b, news))
	for _, l := range h.lines {
		b.WriteByte(l.mark)
		b.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is where a hunk lies in one of the files.
func span(before, count int) string {
	if count > 0 {
		before++
	}
	return fmt.Sprintf("%d,%d", before, count)
}
