package install

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// form is how the values of a container are laid out.
type form struct {
	lead   string // before each value
	close  string // before the closing bracket
	indent string // of each value, "" on one line
	unit   string // one step of indentation, "" on one line
	eol    string
}

// formOf follows what is there: the values of the container, else the file.
func (d *jsonDoc) formOf(v *hujson.Value) form {
	eol := "\n"
	if bytes.Contains(d.text, []byte("\r\n")) {
		eol = "\r\n"
	}
	outer := d.indentAt(v.StartOffset)
	f := form{eol: eol, unit: d.unit(), close: eol + outer}
	f.indent = outer + f.unit
	if all := children(v); len(all) > 0 {
		first := all[0].before
		if !bytes.ContainsRune(first, '\n') {
			return form{lead: " ", eol: eol}
		}
		f.indent = leadingSpace(first[bytes.LastIndexByte(first, '\n')+1:])
	}
	f.lead = eol + f.indent
	return f
}

// indentAt is the space at the beginning of the line of an offset.
func (d *jsonDoc) indentAt(at int) string {
	return leadingSpace(d.text[bytes.LastIndexByte(d.text[:at], '\n')+1:])
}

func leadingSpace(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

var indented = regexp.MustCompile(`\n([ \t]+)["/]`)

// unit is the indentation of the first indented line; two spaces without one.
func (d *jsonDoc) unit() string {
	if m := indented.FindSubmatch(d.text); m != nil {
		return string(m[1])
	}
	return "  "
}

// render is a value, and its name before it.
func (f form) render(prefix string, value any) string {
	if prefix != "" {
		prefix += " "
	}
	if f.unit == "" {
		return prefix + marshal(value, "", "")
	}
	return prefix + strings.ReplaceAll(marshal(value, f.indent, f.unit), "\n", f.eol)
}

// unfit says what is wrong with a value, and on which line.
func (d *jsonDoc) unfit(v *hujson.Value, what string) *unfit {
	return &unfit{line: 1 + bytes.Count(d.text[:v.StartOffset], []byte("\n")), what: what}
}
