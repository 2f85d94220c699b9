package toolcheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
)

// maxFieldDescription is in characters.
const maxFieldDescription = 300

// permitted is the whole vocabulary of a property, by type. Anything else
// makes some client drop the tool, or the server.
var permitted = map[string][]string{
	"string":  {"type", "description", "enum", "maxLength"},
	"integer": {"type", "description", "minimum", "maximum"},
	"boolean": {"type", "description"},
	"array":   {"type", "description", "minItems", "maxItems", "items"},
}

type object map[string]json.RawMessage

// checkSchema walks the published bytes, not the types they came from.
func checkSchema(schema json.RawMessage) (problems []error) {
	root, err := members(schema)
	if err != nil {
		return []error{fmt.Errorf("inputSchema is no object: %w", err)}
	}
	for _, keyword := range sorted(root) {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties"}, keyword) {
			problems = append(problems, fmt.Errorf("inputSchema: the keyword %q is not permitted", keyword))
		}
	}
	if string(root["type"]) != `"object"` {
		problems = append(problems, fmt.Errorf(`inputSchema: type is not "object"`))
	}
	if string(root["additionalProperties"]) != "false" {
		problems = append(problems, fmt.Errorf("inputSchema: additionalProperties is not false"))
	}
	properties, err := members(root["properties"])
	if err != nil {
		problems = append(problems, fmt.Errorf("inputSchema: properties is no object: %w", err))
	}
	problems = append(problems, checkRequired(root, properties)...)
	for _, name := range sorted(properties) {
		for _, problem := range checkProperty(properties[name], false) {
			problems = append(problems, fmt.Errorf("field %s: %w", name, problem))
		}
	}
	return problems
}

func checkRequired(root, properties object) (problems []error) {
	list, given := root["required"]
	if !given {
		return nil
	}
	var names []string
	if err := jsonv2.Unmarshal(list, &names); err != nil || len(names) == 0 {
		return []error{fmt.Errorf("inputSchema: required is there and is no list of names")}
	}
	for i, name := range names {
		if _, exists := properties[name]; !exists || slices.Contains(names[:i], name) {
			problems = append(problems, fmt.Errorf("inputSchema: required names %q, which does not exist or is named twice", name))
		}
	}
	return problems
}

// checkProperty checks a field, or the items of one: those need no description
// and are no arrays.
func checkProperty(property json.RawMessage, isItem bool) (problems []error) {
	keywords, err := members(property)
	if err != nil {
		return []error{fmt.Errorf("the declaration is no object: %w", err)}
	}
	var kind string
	if err := jsonv2.Unmarshal(keywords["type"], &kind); err != nil || permitted[kind] == nil || isItem && kind == "array" {
		return []error{fmt.Errorf("type is %s, not one permitted name", keywords["type"])}
	}
	for _, keyword := range sorted(keywords) {
		if !slices.Contains(permitted[kind], keyword) {
			problems = append(problems, fmt.Errorf("the keyword %q is not permitted on type %s", keyword, kind))
		}
	}
	if !isItem {
		problems = append(problems, checkDescription(keywords["description"])...)
	}
	if kind == "array" {
		problems = append(problems, checkProperty(keywords["items"], true)...)
	}
	return append(problems, checkEnum(keywords)...)
}

func checkDescription(raw json.RawMessage) []error {
	var description string
	if err := jsonv2.Unmarshal(raw, &description); err != nil || strings.TrimSpace(description) == "" {
		return []error{fmt.Errorf("the description is missing")}
	}
	if n := utf8.RuneCountInString(description); n > maxFieldDescription {
		return []error{fmt.Errorf("the description has %d characters; at most %d are allowed", n, maxFieldDescription)}
	}
	return nil
}

func checkEnum(keywords object) []error {
	raw, given := keywords["enum"]
	if !given {
		return nil
	}
	var words []string
	if err := jsonv2.Unmarshal(raw, &words); err != nil || len(words) == 0 || slices.Contains(words, "") {
		return []error{fmt.Errorf("enum is no list of words")}
	}
	return nil
}

// sorted gives the members in an order that makes reports comparable.
func sorted(o object) []string { return slices.Sorted(maps.Keys(o)) }

func members(raw json.RawMessage) (object, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("it is missing")
	}
	var o object
	if err := jsonv2.Unmarshal(raw, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("it is null")
	}
	return o, nil
}
