package cli

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// printer lays out one answer for a person. What peers wrote goes through
// visible or body, never straight into a line.
type printer struct {
	buf     bytes.Buffer
	colour  bool
	now     time.Time
	ticking bool // the page is drawn again every second
}

// line writes one line.
func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.buf, format+"\n", args...)
}

// gap separates two parts, unless nothing stands before it.
func (p *printer) gap() {
	if p.buf.Len() > 0 {
		p.buf.WriteByte('\n')
	}
}

// heading starts a part.
func (p *printer) heading(format string, args ...any) {
	p.gap()
	p.line("%s", p.paint(bold, fmt.Sprintf(format, args...)))
}

// cell is one place in a table.
type cell struct {
	text  string
	style style
}

// cells are plain places in a table.
func cells(texts ...string) []cell {
	row := make([]cell, len(texts))
	for i, text := range texts {
		row[i] = cell{text: text}
	}
	return row
}

// table writes rows with aligned columns, indented by two. Trailing empty
// cells leave no spaces behind.
func (p *printer) table(rows [][]cell) {
	widths := columnWidths(rows)
	for _, row := range rows {
		var line strings.Builder
		pad := 2
		for i, c := range row {
			if c.text == "" {
				pad += widths[i] + 2
				continue
			}
			line.WriteString(strings.Repeat(" ", pad))
			line.WriteString(p.paint(c.style, c.text))
			pad = widths[i] - textWidth(c.text) + 2
		}
		p.line("%s", line.String())
	}
}

func columnWidths(rows [][]cell) []int {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], textWidth(c.text))
		}
	}
	return widths
}

// fields writes names and values below each other, without empty values.
func (p *printer) fields(pairs ...string) {
	var rows [][]cell
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			rows = append(rows, []cell{{pairs[i], dim}, {text: pairs[i+1]}})
		}
	}
	p.table(rows)
}

// body writes a text of several lines that a peer wrote, whole and indented,
// with control characters made visible.
func (p *printer) body(text string) {
	for line := range strings.Lines(text) {
		p.line("    %s", visible(strings.TrimSuffix(line, "\n")))
	}
}
