package install

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// empty reports whether a container holds neither values nor comments.
func empty(v *hujson.Value) bool {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return len(c.Members) == 0 && isSpace(c.AfterExtra)
	case *hujson.Array:
		return len(c.Elements) == 0 && isSpace(c.AfterExtra)
	}
	return false
}

func isSpace(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// canonical is a JSON value whatever its form: comments, space and order of
// members make no difference.
func canonical(v hujson.Value) string {
	v = v.Clone()
	v.Standardize()
	var any any
	if err := json.Unmarshal(v.Pack(), &any); err != nil {
		return ""
	}
	return marshal(any, "", "")
}

// canonicalOf is the canonical form of a Go value.
func canonicalOf(value any) string {
	v, err := hujson.Parse([]byte(marshal(value, "", "")))
	if err != nil {
		return ""
	}
	return canonical(v)
}

func marshal(value any, prefix, unit string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if unit != "" {
		enc.SetIndent(prefix, unit)
	}
	_ = enc.Encode(value) // only values of ours come here
	return strings.TrimSuffix(b.String(), "\n")
}

// children are the values of a container with the space before each of them
// and where they lie, so that objects and arrays are treated alike.
type child struct {
	before     []byte // comments and space between the last comma and it
	start, end int
	comma      bool // a comma follows
}

func children(v *hujson.Value) []child {
	var all []child
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i, m := range c.Members {
			all = append(all, child{m.Name.BeforeExtra, m.Name.StartOffset, m.Value.EndOffset, i+1 < len(c.Members) || m.Value.AfterExtra != nil})
		}
	case *hujson.Array:
		for i, e := range c.Elements {
			all = append(all, child{e.BeforeExtra, e.StartOffset, e.EndOffset, i+1 < len(c.Elements) || e.AfterExtra != nil})
		}
	}
	return slices.Clip(all)
}
