package install

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// made is what had to be made or opened up for an entry, so that taking it out
// again can undo it. Paths are as find takes them; the root is "/".
type made struct {
	containers []string // were not there, outermost first
	opened     []string // were empty and on one line
}

// setMember puts a member where there is none. What of its path is missing is
// made.
func (d *jsonDoc) setMember(path string, value any) (made, error) {
	container, name := parent(path)
	m, err := d.makeContainers(container, map[string]any{})
	if err != nil {
		return m, err
	}
	return m, d.insertInto(&m, container, marshal(name, "", "")+":", value)
}

// addElement puts an element at the end of an array, where it moves no other.
func (d *jsonDoc) addElement(path string, value any) (made, error) {
	m, err := d.makeContainers(path, []any{})
	if err != nil {
		return m, err
	}
	return m, d.insertInto(&m, path, "", value)
}

// makeContainers makes the objects on the way to a container, and the container
// itself, an object or an array.
func (d *jsonDoc) makeContainers(path string, last any) (made, error) {
	var m made
	if path == "" {
		return m, nil
	}
	at := ""
	for name := range strings.SplitSeq(path, "/") {
		above := at
		at = strings.TrimPrefix(at+"/"+name, "/")
		v, err := d.find(at)
		if err != nil {
			return m, err
		}
		if v != nil {
			continue
		}
		var fresh any = map[string]any{}
		if at == path {
			fresh = last
		}
		if err := d.insertInto(&m, above, marshal(name, "", "")+":", fresh); err != nil {
			return m, err
		}
		m.containers = append(m.containers, at)
	}
	return m, nil
}

// insertInto inserts and notes what was opened up.
func (d *jsonDoc) insertInto(m *made, container, prefix string, value any) error {
	opened, err := d.insert(container, prefix, value)
	if opened && !slices.Contains(m.containers, container) {
		m.opened = append(m.opened, cmp.Or(container, "/"))
	}
	return err
}

// insert puts a value behind the last one of a container, in the form that the
// container has. It reports whether an empty container on one line had to be
// opened up.
func (d *jsonDoc) insert(container, prefix string, value any) (opened bool, err error) {
	v, err := d.container(container)
	if err != nil {
		return false, err
	}
	if _, isArray := v.Value.(*hujson.Array); isArray != (prefix == "") {
		return false, d.unfit(v, "there should be an "+map[bool]string{true: "array", false: "object"}[prefix == ""]+" here")
	}
	f := d.formOf(v)
	text := f.lead + f.render(prefix, value)
	all := children(v)
	if len(all) == 0 {
		if bytes.ContainsRune(d.text[v.StartOffset:v.EndOffset], '\n') {
			return false, d.apply(splice{at: d.lineEnd(v.StartOffset+1, f), text: text})
		}
		return true, d.apply(splice{at: v.EndOffset - 1, text: text + f.close})
	}
	last := all[len(all)-1]
	if last.comma {
		return false, d.apply(splice{at: d.lineEnd(d.commaAfter(last.end)+1, f), text: text + ","})
	}
	return false, d.apply(splice{at: last.end, text: ","}, splice{at: d.lineEnd(last.end, f), text: text})
}

// commaAfter is where the comma behind a value is: past space and comments.
func (d *jsonDoc) commaAfter(at int) int {
	for at < len(d.text) && d.text[at] != ',' {
		at = d.pastExtra(at)
	}
	return at
}

// pastExtra is behind the comment at an offset, or the single character.
func (d *jsonDoc) pastExtra(at int) int {
	rest := d.text[at:]
	for open, shut := range map[string]string{"//": "\n", "/*": "*/"} {
		if bytes.HasPrefix(rest, []byte(open)) {
			if i := bytes.Index(rest, []byte(shut)); i >= 0 {
				return at + i + len(shut)
			}
		}
	}
	return at + 1
}

// lineEnd is behind the comments that stand on the same line as what ends at an
// offset. Where everything is on one line, it is that offset.
func (d *jsonDoc) lineEnd(at int, f form) int {
	end := at
	for i := at; i < len(d.text) && f.unit != ""; {
		switch {
		case d.text[i] == ' ' || d.text[i] == '\t':
			i++
		case bytes.HasPrefix(d.text[i:], []byte("//")):
			if n := bytes.IndexAny(d.text[i:], "\r\n"); n >= 0 {
				return i + n
			}
			return end
		case bytes.HasPrefix(d.text[i:], []byte("/*")):
			i = d.pastExtra(i)
			end = i
		default:
			return end
		}
	}
	return end
}

// replace puts another value in the place of one, in the form of its container.
func (d *jsonDoc) replace(container string, v *hujson.Value, value any) error {
	c, err := d.container(container)
	if err != nil {
		return err
	}
	return d.apply(splice{at: v.StartOffset, cut: v.EndOffset - v.StartOffset, text: d.formOf(c).render("", value)})
}
