package install

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonDoc is the text of a JSON file and where its values lie in it. Comments
// and trailing commas are taken as they come. Names of members never hold a
// slash here, so a path is names joined by slashes.
type jsonDoc struct {
	bom  string
	text []byte
	root hujson.Value
}

const byteOrderMark = "\ufeff"

// parseJSON reads a file whose root is an object.
func parseJSON(data []byte) (*jsonDoc, error) {
	d := &jsonDoc{}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		d.bom = byteOrderMark
	}
	return d, d.reset(bytes.Clone(data[len(d.bom):]))
}

func (d *jsonDoc) reset(text []byte) error {
	root, err := hujson.Parse(text)
	if err != nil {
		return syntaxError(err)
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return &unfit{line: 1, what: "it holds no JSON object"}
	}
	d.text, d.root = text, root
	return nil
}

// bytes is the file.
func (d *jsonDoc) bytes() []byte { return append([]byte(d.bom), d.text...) }

// splice is text that goes in at an offset, in the place of some that is there.
type splice struct {
	at, cut int
	text    string
}

// apply makes splices, which are in the order of the text and do not overlap.
func (d *jsonDoc) apply(splices ...splice) error {
	var b bytes.Buffer
	last := 0
	for _, s := range splices {
		b.Write(d.text[last:s.at])
		b.WriteString(s.text)
		last = s.at + s.cut
	}
	b.Write(d.text[last:])
	return d.reset(b.Bytes())
}

// find is the value at a path, nil when there is none. It fails where a name
// on the way stands twice, or is no object.
func (d *jsonDoc) find(path string) (*hujson.Value, error) {
	at := &d.root
	for name := range strings.SplitSeq(path, "/") {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, d.unfit(at, "there should be an object here, with "+name+" in it")
		}
		i, err := d.member(object, name)
		if i < 0 || err != nil {
			return nil, err
		}
		at = &object.Members[i].Value
	}
	return at, nil
}

func (d *jsonDoc) member(object *hujson.Object, name string) (int, error) {
	found := -1
	for i := range object.Members {
		if nameOf(object.Members[i]) != name {
			continue
		}
		if found >= 0 {
			return -1, d.unfit(&object.Members[i].Name, name+" stands twice in one object")
		}
		found = i
	}
	return found, nil
}

func nameOf(m hujson.ObjectMember) string {
	literal, _ := m.Name.Value.(hujson.Literal)
	return literal.String()
}

func parent(path string) (container, name string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// container is the value of a path that members or elements can go into; the
// empty path is the root.
func (d *jsonDoc) container(path string) (*hujson.Value, error) {
	if path == "" {
		return &d.root, nil
	}
	return d.find(path)
}

// elements are those of an array.
func (d *jsonDoc) elements(path string) ([]hujson.Value, error) {
	v, err := d.find(path)
	if v == nil || err != nil {
		return nil, err
	}
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, d.unfit(v, "there should be an array here")
	}
	return array.Elements, nil
}

// indexOf is the place of a member in its object. It has been found before.
func (d *jsonDoc) indexOf(path string) (int, error) {
	container, name := parent(path)
	v, err := d.container(container)
	if err != nil {
		return -1, err
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return -1, d.unfit(v, "there should be an object here")
	}
	return d.member(object, name)
}
