package client

import "testing"

// The forms that real clients obeyed.
func TestFormat(t *testing.T) {
	context, deny, hold := Answer{Context: "a\n<b>"}, Answer{Deny: "no"}, Answer{Hold: "wait"}
	for _, test := range []struct {
		id   string
		e    Event
		a    Answer
		want string
	}{
		{Claude, SessionStart, context, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\n<b>"}}`},
		{Codex, BeforeTurn, context, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a\n<b>"}}`},
		{Gemini, BeforeTurn, context, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"a\n<b>"}}`},
		{Qwen, AfterTool, context, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a\n<b>"}}`},
		{OpenCode, BeforeTurn, context, `{"context":"a\n<b>"}`},
		{Claude, BeforeTool, deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{Codex, BeforeTool, deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{Qwen, BeforeTool, deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{Gemini, BeforeTool, deny, `{"decision":"deny","reason":"no"}`},
		{OpenCode, BeforeTool, deny, `{"deny":"no"}`},
		{Claude, Stop, hold, `{"decision":"block","reason":"wait"}`},
		{Codex, Stop, hold, `{"decision":"block","reason":"wait"}`},
		{Gemini, Stop, hold, `{"decision":"block","reason":"wait"}`},
		{Qwen, Stop, hold, `{"decision":"block","reason":"wait"}`},
		{OpenCode, Stop, hold, `{"hold":"wait"}`},
		{Claude, BeforeTool, Answer{}, ""},
		{Gemini, Stop, Answer{}, ""},
	} {
		got, err := test.a.Format(test.id, test.e)
		want := test.want
		if want != "" {
			want += "\n"
		}
		if err != nil || string(got) != want {
			t.Errorf("%s %s: %s, %v", test.id, test.e, got, err)
		}
	}
}
