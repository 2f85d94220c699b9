package toolcheck

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"acc/tools"
)

type input struct {
	To    []string `json:"to" jsonschema:"required,description=Who reads it,maxItems=100"`
	Kind  string   `json:"kind" jsonschema:"description=What it is,enum=note,enum=question"`
	Limit *int     `json:"limit" jsonschema:"description=How many,minimum=1,maximum=500"`
	All   bool     `json:"all" jsonschema:"description=Everything"`
}

func tool(name, description string, hints tools.Annotations) tools.Tool {
	return tools.Define(name, "Title", description, hints,
		func(context.Context, tools.Caller, input) (any, error) { return nil, nil })
}

func registry(list ...tools.Tool) *tools.Registry { return &tools.Registry{Tools: list} }

func TestCheckDeclarations(t *testing.T) {
	plain := tools.Annotations{ReadOnly: true}
	var many []tools.Tool
	for i := range 13 {
		many = append(many, tool(fmt.Sprintf("tool_%d", i), strings.Repeat("x", 1000), plain))
	}
	tests := []struct {
		label  string
		reg    *tools.Registry
		server string
		want   []string
	}{
		{"good", registry(tool("acc_status", "Says who is here.", plain), tool("acc_sync", "What is new.", plain)), "acc", nil},
		{"empty", registry(), "acc", nil},
		{"capital", registry(tool("Status", "x", plain)), "acc", []string{"Status: the name"}},
		{"dot", registry(tool("acc.status", "x", plain)), "acc", []string{"the name"}},
		{"two underscores", registry(tool("acc__status", "x", plain)), "acc", []string{"the name"}},
		{"41 characters", registry(tool("a"+strings.Repeat("b", 40), "x", plain)), "acc", []string{"the name"}},
		{"folded twice", registry(tool("acc_ask", "x", plain), tool("accask", "x", plain)), "acc", []string{"accask: the name is the same as acc_ask"}},
		{"long with the server", registry(tool("a"+strings.Repeat("b", 39), "x", plain)), "coordination_", []string{"53 characters"}},
		{"no description", registry(tool("a", " ", plain)), "acc", []string{"description is missing"}},
		{"long description", registry(tool("a", strings.Repeat("é", 1001), plain)), "acc", []string{"1001 characters"}},
		{"contradiction", registry(tool("a", "x", tools.Annotations{ReadOnly: true, Destructive: true})), "acc", []string{"read-only"}},
		{"no schema", registry(tools.Tool{Name: "a", Description: "x"}), "acc", []string{"inputSchema is no object"}},
		{"too much", registry(many...), "acc", []string{"at most 12000"}},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) { compare(t, CheckDeclarations(test.reg, test.server), test.want) })
	}
}

func TestCheckPublishedSchema(t *testing.T) {
	property := func(text string) string {
		return `{"type":"object","properties":{"a":` + text + `},"additionalProperties":false}`
	}
	tests := []struct {
		label, schema string
		want          []string
	}{
		{"good", property(`{"type":"array","description":"x","items":{"type":"string","maxLength":9}}`), nil},
		{"boolean schema", `true`, []string{"no object"}},
		{"no properties", `{"type":"object","additionalProperties":false}`, []string{"properties is no object"}},
		{"open", `{"type":"object","properties":{}}`, []string{"additionalProperties"}},
		{"no type", `{"properties":{},"additionalProperties":false}`, []string{"type is not"}},
		{"root keyword", `{"$schema":"x","anyOf":[],"type":"object","properties":{},"additionalProperties":false}`, []string{"$schema", "anyOf"}},
		{"empty required", `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, []string{"required is there"}},
		{"required nothing", `{"type":"object","properties":{},"required":["a"],"additionalProperties":false}`, []string{`required names "a"`}},
		{"required twice", `{"type":"object","properties":{"a":{"type":"boolean","description":"x"}},"required":["a","a"],"additionalProperties":false}`, []string{"named twice"}},
		{"boolean property", property(`true`), []string{"field a: the declaration is no object"}},
		{"union", property(`{"type":["string","null"],"description":"x"}`), []string{"not one permitted name"}},
		{"object property", property(`{"type":"object","description":"x"}`), []string{"not one permitted name"}},
		{"no field description", property(`{"type":"string"}`), []string{"description is missing"}},
		{"long field description", property(`{"type":"string","description":"` + strings.Repeat("é", 301) + `"}`), []string{"301 characters"}},
		{"pattern", property(`{"type":"string","description":"x","pattern":"a","format":"uri"}`), []string{"format", "pattern"}},
		{"enum of integers", property(`{"type":"integer","description":"x","enum":[1]}`), []string{`"enum"`, "no list of words"}},
		{"exclusive bound", property(`{"type":"integer","description":"x","exclusiveMinimum":0}`), []string{"exclusiveMinimum"}},
		{"no items", property(`{"type":"array","description":"x"}`), []string{"missing"}},
		{"list of lists", property(`{"type":"array","description":"x","items":{"type":"array","items":{"type":"string"}}}`), []string{"not one permitted name"}},
		{"unique items", property(`{"type":"array","description":"x","items":{"type":"string"},"uniqueItems":true}`), []string{"uniqueItems"}},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			compare(t, CheckPublished([]byte(published(test.schema, hints, "")), "acc"), test.want)
		})
	}
}

const hints = `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`

func published(schema, annotations, more string) string {
	return `[{"name":"a","description":"x","inputSchema":` + schema + `,"annotations":` + annotations + more + `}]`
}

func TestCheckPublishedTool(t *testing.T) {
	const schema = `{"type":"object","properties":{},"additionalProperties":false}`
	tests := []struct {
		label, list string
		want        []string
	}{
		{"no list", `{}`, []string{"no array"}},
		{"no tool", `[1]`, []string{"no array"}},
		{"doubled member", `[{"name":"a","name":"b"}]`, []string{"no array"}},
		{"output schema", published(schema, hints, `,"outputSchema":{}`), []string{"outputSchema"}},
		{"missing hints", published(schema, `{"readOnlyHint":true}`, ""), []string{"destructiveHint", "idempotentHint", "openWorldHint"}},
		{"open world", published(schema, strings.Replace(hints, `"openWorldHint":false`, `"openWorldHint":true`, 1), ""), []string{"openWorldHint is true"}},
		{"unknown hint", published(schema, strings.Replace(hints, "{", `{"safeHint":true,`, 1), ""), []string{"does not know"}},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) { compare(t, CheckPublished([]byte(test.list), "acc"), test.want) })
	}
}

// compare wants exactly the problems that hold the given texts, in order.
func compare(t *testing.T, got []error, want []string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.Contains(got[i].Error(), want[i])
	}
	if !ok {
		t.Errorf("problems %q, want %q", got, want)
	}
}
