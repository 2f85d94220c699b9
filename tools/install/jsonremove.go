package install

import (
	"bytes"
)

// removeChild takes out the i-th value of a container with the space before it
// and the comma that came with it.
func (d *jsonDoc) removeChild(container string, i int, opened bool) error {
	v, err := d.container(container)
	if err != nil {
		return err
	}
	all := children(v)
	c := all[i]
	from := c.start - leadOf(c.before)
	cut := splice{at: from, cut: c.end - from}
	switch {
	case c.comma: // it came with the one behind it
		cut.cut = d.commaAfter(c.end) + 1 - from
	case i > 0: // it came with the one before it
		return d.apply(splice{at: d.commaAfter(all[i-1].end), cut: 1}, cut)
	case opened && isSpace(d.text[c.end:v.EndOffset-1]):
		cut.cut = v.EndOffset - 1 - from
	}
	return d.apply(cut)
}

// leadOf is how much of the space before a value went in with it: its own line,
// or the one space on a line of many.
func leadOf(before []byte) int {
	space := len(before) - len(bytes.TrimRight(before, " \t\r\n"))
	tail := before[len(before)-space:]
	if i := bytes.LastIndexByte(tail, '\n'); i >= 0 {
		if i > 0 && tail[i-1] == '\r' {
			i--
		}
		return len(tail) - i
	}
	return min(space, 1)
}
