package client

import (
	"testing"

	"acc/tools"
)

func TestCaller(t *testing.T) {
	env := func(name string) string {
		return map[string]string{
			"CLAUDE_CODE_SESSION_ID": "c-1", "AI_AGENT": "claude-code_2-1-332_harness",
			"QWEN_CODE_SESSION_ID": "q-1", "QWEN_CODE_STARTUP_VERSION": "0.24.4",
		}[name]
	}
	const meta = `{"sessionId":"x-1","threadId":"x-1","progressToken":1,"x-codex-turn-metadata":{"codex_version":"0.171.0"}}`
	for _, test := range []struct {
		name, version, meta string
		want                tools.Caller
	}{
		{"claude-code", "2.1.332", `{"claudecode/toolUseId":"t"}`, tools.Caller{Version: "2.1.332", ClientSession: "c-1", Guessed: true}},
		{"qwen-cli-mcp-client-acc", "0.0.1", `{}`, tools.Caller{Version: "0.24.4", ClientSession: "q-1", Guessed: true}},
		{"qwen-cli-mcp-client-room", "0.0.1", ``, tools.Caller{Version: "0.24.4", ClientSession: "q-1", Guessed: true}},
		{"codex-mcp-client", "0.171.0", meta, tools.Caller{Version: "0.171.0", ClientSession: "x-1"}},
		{"codex-mcp-client", "0.171.0", `{"sessionId":7}`, tools.Caller{Version: "0.171.0"}},
		{"codex-mcp-client", "0.171.0", ``, tools.Caller{Version: "0.171.0"}},
		// What others inherited from a client that started them is not theirs.
		{"gemini-cli-mcp-client", "0.61.0", meta, tools.Caller{Version: "0.61.0"}},
		{"opencode", "1.18.33", meta, tools.Caller{Version: "1.18.33"}},
		{"claude-codex", "1", meta, tools.Caller{Version: "1"}},
		{"", "", meta, tools.Caller{}},
	} {
		test.want.Harness = test.name
		if got := Caller(env, test.name, test.version, []byte(test.meta)); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A hook and the MCP server of one client must speak of one program, or they
// would describe their session in turns.
func TestHarness(t *testing.T) {
	for _, id := range IDs() {
		if got := byHarness(Harness(id)); got != id {
			t.Errorf("%s goes by %q, which is %q", id, Harness(id), got)
		}
	}
}
