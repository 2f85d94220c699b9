package tools

import (
	"context"
	"strings"
	"testing"

	"acc/golden"
	"acc/schema"
)

// TestErrorReference keeps docs/errors.md in step; -update writes it.
func TestErrorReference(t *testing.T) {
	page := ErrorReference()
	golden.Compare(t, "../docs/errors.md", page)
	for reason := range schema.Reasons() {
		if !strings.Contains(string(page), "| `"+string(reason)+"` | "+reason.Describe()) {
			t.Errorf("%s is not on the page", reason)
		}
	}
}

func TestReference(t *testing.T) {
	type input struct {
		To    []string `json:"to" jsonschema:"required,maxItems=3" jsonschema_description:"Who | what."`
		Kind  string   `json:"kind" jsonschema:"enum=note,enum=question" jsonschema_description:"Which."`
		Limit *int     `json:"limit" jsonschema:"minimum=1" jsonschema_description:"How many."`
		Body  string   `json:"body" jsonschema_description:"Text."`
	}
	call := func(context.Context, Caller, input) (any, error) { return nil, nil }
	tool := Define("acc_try", "Try", "Tries it.", Annotations{Destructive: true, Idempotent: true}, call)
	tool.Examples = []string{`{"to": []}`}
	empty := Define("acc_none", "None", "Takes nothing.", Annotations{ReadOnly: true},
		func(context.Context, Caller, struct{}) (any, error) { return nil, nil })
	page := string(Reference(&Registry{
		Tools: []Tool{tool, empty}, Resources: []Resource{{URI: "acc://x", Description: "All of it."}},
	}))
	for _, want := range []string{
		"| [`acc_try`](#acc_try) | writes, takes something away, safe to repeat |", "\n## acc_try\n\n**Try.** Tries it.\n",
		"| **`to`** (required) | array of strings with at most 3 items | Who \\| what. |", "| `kind` | `note` `question` | Which. |",
		"| `limit` | integer of at least 1 | How many. |", "| `body` | string | Text. |", "```json\n{\"to\": []}\n```",
		"Hints: read-only.\n\nIt takes no fields.", "| `acc://x` | All of it. |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q:\n%s", want, page)
		}
	}
}
