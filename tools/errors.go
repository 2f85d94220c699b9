package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"acc/schema"
)

// codeTexts say what a caller may conclude from a code.
var codeTexts = []struct {
	code schema.Code
	text string
}{
	{schema.CodeUsage, "The call itself is wrong: its arguments, a name, a resource or a selector. Correct it; repeating it does not help."},
	{schema.CodeTimeout, "The room was busy. Nothing was changed; repeat the call."},
	{schema.CodeData, "What the call names is not there, or the store cannot be read or written."},
	{schema.CodeConflict, "The call is good and stands against what others hold or what was done before."},
	{schema.CodeAttention, "The answer is there, and something in it asks for action. Only commands end with this code."},
}

// ErrorReference is the page about failures, in Markdown, from the vocabulary
// of reasons.
func ErrorReference() []byte {
	var b strings.Builder
	b.WriteString("# Errors\n\n" +
		"This page is generated from the vocabulary of reasons; edit that, not the page.\n\n" +
		"A tool that fails answers with `isError: true` and\n\n" +
		"```json\n{\"error\": {\"code\": \"conflict\", \"reason\": \"claim_conflict\", \"message\": \"…\", \"details\": {}}}\n```\n\n" +
		"`code` says what kind of failure it is and is the exit status of commands, `reason` which one it is; both vocabularies are " +
		"closed. `message` says what to do next. `details` names the field, the ids or the claims concerned.\n")
	reasons := schema.Reasons()
	for _, c := range codeTexts {
		fmt.Fprintf(&b, "\n## %s (%d)\n\n%s\n", c.code, c.code.ExitCode(), c.text)
		rows := false
		for _, reason := range slices.Sorted(maps.Keys(reasons)) {
			if reasons[reason] != c.code {
				continue
			}
			if !rows {
				b.WriteString("\n| Reason | Meaning |\n|---|---|\n")
				rows = true
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", reason, cell(reason.Describe()))
		}
	}
	return []byte(b.String())
}
