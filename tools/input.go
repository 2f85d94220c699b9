package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// InputSchema is the declared shape of a tool's arguments. It comes from the
// tags of a Go struct and from nothing else, so what is published, what is
// enforced and what the reference page says cannot differ.
//
// A field is a string, int, bool, a pointer to one of them, or a []string. It
// is declared by
//
//	json:"name"             its name, matched exactly
//	jsonschema:"…"          required, description=…, enum=…, minimum=…,
//	                        maximum=…, maxLength=…, minItems=…, maxItems=…;
//	                        a comma in a description is written \\,
//	jsonschema_description  a description with plain commas
//	acc:"text"              free text, in which "null" is a word
//	example:"…"             a value that refusals may show
//
// A pointer tells a field that was not given from its zero value; a list that
// was not given is nil, and an empty one is not.
type InputSchema struct {
	fields    []Field
	published json.RawMessage
}

// Field is one argument of a tool. Its JSON form is the published property.
type Field struct {
	Name     string `json:"-"`
	Required bool   `json:"-"`
	Text     bool   `json:"-"` // free text, or a list of free texts
	Example  string `json:"-"` // "" when the declaration has none

	Type        string   `json:"type"` // string, integer, boolean or array
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *int     `json:"minimum,omitempty"`
	Maximum     *int     `json:"maximum,omitempty"`
	MaxLength   *int     `json:"maxLength,omitempty"` // in code points; not enforced by decode
	MinItems    *int     `json:"minItems,omitempty"`
	MaxItems    *int     `json:"maxItems,omitempty"`
	Items       *Field   `json:"items,omitempty"` // of an array; without a name

	index int // of the Go field
}

// Schema returns the bytes of inputSchema exactly as they are published.
func (s InputSchema) Schema() json.RawMessage { return bytes.Clone(s.published) }

// Fields returns the arguments in the order of their declaration.
func (s InputSchema) Fields() []Field { return slices.Clone(s.fields) }

// names are the names of the fields in the order of their declaration.
func (s InputSchema) names() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.Name
	}
	return names
}

// root is the published object. It has room for the four keywords that every
// client takes and for no other.
type root struct {
	Type       string     `json:"type"`
	Properties properties `json:"properties"`
	Required   []string   `json:"required,omitempty"`
	Additional bool       `json:"additionalProperties"`
}

// properties keep the order of the declaration, which a map would lose.
type properties []Field

// MarshalJSONTo writes the fields as the members of one object.
func (p properties) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, f := range p {
		if err := enc.WriteToken(jsontext.String(f.Name)); err != nil {
			return err
		}
		if err := jsonv2.MarshalEncode(enc, f); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

func publish(fields []Field) json.RawMessage {
	declared := root{Type: "object", Properties: fields}
	for _, f := range fields {
		if f.Required {
			declared.Required = append(declared.Required, f.Name)
		}
	}
	published, err := jsonv2.Marshal(declared, jsontext.EscapeForJS(true))
	if err != nil {
		panic(fmt.Sprintf("tools: a declaration cannot be written as JSON: %v", err))
	}
	return json.RawMessage(published)
}
