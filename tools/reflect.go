package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/invopop/jsonschema"
)

// reflectInput derives the declaration from a struct type. It panics on one
// that a client would refuse or that would not mean what its tags say: a tool
// with a wrong declaration must not get as far as a user.
func reflectInput(t reflect.Type) InputSchema {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("tools: input %s is no struct", t))
	}
	// The Go types come first: the reflector does not return from a recursive one.
	for i := range t.NumField() {
		goField{t, t.Field(i)}.check()
	}
	reflector := jsonschema.Reflector{
		DoNotReference: true, ExpandedStruct: true, Anonymous: true, RequiredFromJSONSchemaTags: true,
	}
	reflected := reflector.ReflectFromType(t)
	fields := make([]Field, t.NumField())
	taken := map[string]bool{}
	for i := range fields {
		g := goField{t, t.Field(i)}
		f := g.declare(reflected)
		if taken[foldName(f.Name)] {
			g.refuse("the name %s is taken", f.Name)
		}
		taken[foldName(f.Name)] = true
		f.index = i
		fields[i] = f
	}
	return InputSchema{fields: fields, published: publish(fields)}
}

// goField is a field of an input type that becomes an argument.
type goField struct {
	in reflect.Type
	reflect.StructField
}

func (g goField) refuse(format string, args ...any) {
	panic(fmt.Sprintf("tools: %s.%s: %s", g.in, g.Name, fmt.Sprintf(format, args...)))
}

func (g goField) check() {
	if g.Anonymous || !g.IsExported() {
		g.refuse("embedded and unexported fields are not supported")
	}
	if g.jsonType() == "" {
		g.refuse("type %s is not supported; use string, int, bool, a pointer to one, or []string", g.Type)
	}
	if name := g.Tag.Get("json"); !plainName(name) {
		g.refuse("the tag json:%q is no plain field name", name)
	}
}

// plainName keeps to what every client takes as a property name.
func plainName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// jsonType is the one JSON type of a Go type, or "".
func (g goField) jsonType() string {
	t := g.Type
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String {
		return "array"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Int:
		return "integer"
	case reflect.Bool:
		return "boolean"
	}
	return ""
}

// declare projects what the reflector found onto the keywords that every
// client takes.
func (g goField) declare(reflected *jsonschema.Schema) Field {
	name := g.Tag.Get("json")
	property, ok := reflected.Properties.Get(name)
	if !ok || property.Type != g.jsonType() {
		g.refuse("the field does not appear as %s in the schema", g.jsonType())
	}
	f := project(property)
	f.Name, f.Description = name, property.Description
	if property.Items != nil {
		items := project(property.Items)
		f.Items = &items
	}
	return g.applyTags(f)
}

func project(s *jsonschema.Schema) Field {
	f := Field{
		Type: s.Type, Minimum: number(s.Minimum), Maximum: number(s.Maximum),
		MaxLength: count(s.MaxLength), MinItems: count(s.MinItems), MaxItems: count(s.MaxItems),
	}
	for _, value := range s.Enum {
		if word, ok := value.(string); ok {
			f.Enum = append(f.Enum, word)
		}
	}
	return f
}

func number(n json.Number) *int {
	v, err := strconv.Atoi(n.String())
	if err != nil {
		return nil
	}
	return &v
}

func count(n *uint64) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}
