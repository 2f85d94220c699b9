package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

// What real clients wrote, with paths and ids made neutral.
func captured(t *testing.T, id, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "hooks", id, file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		id, file string
		want     Input // without what all inputs of the client share
	}{
		{Claude, "SessionStart", Input{Event: SessionStart, Source: "startup"}},
		{Claude, "UserPromptSubmit", Input{Event: BeforeTurn}},
		{Claude, "PreToolUse.Write", Input{Event: BeforeTool, Tool: "Write", Paths: []string{"/projects/app/a.txt"}}},
		{Claude, "PreToolUse.Edit", Input{Event: BeforeTool, Tool: "Edit", Paths: []string{"/projects/app/a.txt"}}},
		{Claude, "PreToolUse.NotebookEdit", Input{Event: BeforeTool, Tool: "NotebookEdit", Paths: []string{"/projects/app/n.ipynb"}}},
		{Claude, "PreToolUse.Bash", Input{Event: BeforeTool, Tool: "Bash"}},
		{Claude, "PreToolUse.mcp__acc__acc_status", Input{Event: BeforeTool, Tool: "mcp__acc__acc_status"}},
		{Claude, "PostToolUse.Write", Input{Event: AfterTool, Tool: "Write", Paths: []string{"/projects/app/a.txt"}}},
		{Claude, "Stop", Input{Event: Stop}},
		{Claude, "Stop.again", Input{Event: Stop, Held: true}},
		{Claude, "SessionEnd", Input{Event: SessionEnd, Reason: "other"}},

		{Codex, "SessionStart", Input{Event: SessionStart, Source: "startup"}},
		{Codex, "UserPromptSubmit", Input{Event: BeforeTurn}},
		{Codex, "PreToolUse.apply_patch", Input{Event: BeforeTool, Tool: "apply_patch", Paths: []string{"a.txt"}}},
		{Codex, "PreToolUse.Bash", Input{Event: BeforeTool, Tool: "Bash"}},
		{Codex, "PreToolUse.mcp__acc__acc_status", Input{Event: BeforeTool, Tool: "mcp__acc__acc_status"}},
		{Codex, "PostToolUse.apply_patch", Input{Event: AfterTool, Tool: "apply_patch", Paths: []string{"a.txt"}}},
		{Codex, "Stop.again", Input{Event: Stop, Held: true}},
		{Codex, "SessionEnd", Input{Event: SessionEnd, Reason: "other"}},

		{Gemini, "SessionStart", Input{Event: SessionStart, Source: "startup"}},
		{Gemini, "BeforeAgent", Input{Event: BeforeTurn}},
		{Gemini, "BeforeTool.write_file", Input{Event: BeforeTool, Tool: "write_file", Paths: []string{"/projects/app/a.txt"}}},
		{Gemini, "BeforeTool.replace", Input{Event: BeforeTool, Tool: "replace", Paths: []string{"/projects/app/a.txt"}}},
		{Gemini, "BeforeTool.run_shell_command", Input{Event: BeforeTool, Tool: "run_shell_command"}},
		{Gemini, "BeforeTool.mcp_acc_acc_status", Input{Event: BeforeTool, Tool: "mcp_acc_acc_status"}},
		{Gemini, "AfterTool.write_file", Input{Event: AfterTool, Tool: "write_file", Paths: []string{"/projects/app/a.txt"}}},
		{Gemini, "AfterAgent", Input{Event: Stop}},
		{Gemini, "AfterAgent.again", Input{Event: Stop, Held: true}},
		{Gemini, "SessionEnd", Input{Event: SessionEnd, Reason: "exit"}},

		{Qwen, "SessionStart", Input{Event: SessionStart, Source: "startup"}},
		{Qwen, "UserPromptSubmit", Input{Event: BeforeTurn}},
		{Qwen, "PreToolUse.write_file", Input{Event: BeforeTool, Tool: "write_file", Paths: []string{"/projects/app/a.txt"}}},
		{Qwen, "PreToolUse.edit", Input{Event: BeforeTool, Tool: "edit", Paths: []string{"/projects/app/a.txt"}}},
		{Qwen, "PreToolUse.read_file", Input{Event: BeforeTool, Tool: "read_file"}},
		{Qwen, "PreToolUse.run_shell_command", Input{Event: BeforeTool, Tool: "run_shell_command"}},
		{Qwen, "Stop.again", Input{Event: Stop, Held: true}},
	} {
		t.Run(test.id+"/"+test.file, func(t *testing.T) {
			got, err := Parse(test.id, test.want.Event, captured(t, test.id, test.file), noEnv)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(got.ClientSession, "-0000-4000-8000-000000000000") || got.Dir != "/projects/app" {
				t.Errorf("session %q in %q", got.ClientSession, got.Dir)
			}
			got.ClientSession, got.Dir = "", ""
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseOpenCode(t *testing.T) {
	for data, want := range map[string][]string{
		`{"session_id":"ses_1","cwd":"/p","tool_name":"write","tool_input":{"filePath":"/p/a","content":"x"}}`:                                     {"/p/a"},
		`{"session_id":"ses_1","cwd":"/p","tool_name":"edit","tool_input":{"filePath":"b"}}`:                                                       {"b"},
		`{"session_id":"ses_1","cwd":"/p","tool_name":"apply_patch","tool_input":{"patchText":"*** Begin Patch\n*** Delete File: c\n"}}`:           {"c"},
		`{"session_id":"ses_1","cwd":"/p","tool_name":"bash","tool_input":{"command":"rm a"}}`:                                                     nil,
		`{"session_id":"ses_1","cwd":"/p","tool_name":"write","tool_input":{"filePath":7},"added":{"in":["a","later"]},"version":3,"source":null}`: nil,
	} {
		got, err := Parse(OpenCode, BeforeTool, []byte(data), noEnv)
		if err != nil || got.ClientSession != "ses_1" || !cmp.Equal(got.Paths, want) {
			t.Errorf("%s: %+v, %v", data, got, err)
		}
	}
}

func TestParseKnowsATurnThatGoesOn(t *testing.T) {
	for data, want := range map[string]bool{`{"prompt":""}`: true, `{"prompt":"go"}`: false, `{}`: false} {
		if got, err := Parse(Qwen, BeforeTurn, []byte(data), noEnv); err != nil || got.Midway != want {
			t.Errorf("%s: %v, %v", data, got.Midway, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, call := range map[string]func() (Input, error){
		"no client": func() (Input, error) { return Parse("cursor", Stop, []byte(`{}`), noEnv) },
		"no event":  func() (Input, error) { return Parse(Claude, "PreToolUse", []byte(`{}`), noEnv) },
		"nothing":   func() (Input, error) { return Parse(Claude, Stop, nil, noEnv) },
		"null":      func() (Input, error) { return Parse(Claude, Stop, []byte(`null`), noEnv) },
		"a list":    func() (Input, error) { return Parse(Claude, Stop, []byte(`[]`), noEnv) },
		"half":      func() (Input, error) { return Parse(Claude, Stop, []byte(`{"session_id":"a secret`), noEnv) },
		"a number":  func() (Input, error) { return Parse(Claude, Stop, []byte(`{"session_id":5}`), noEnv) },
		"a tool":    func() (Input, error) { return Parse(Claude, BeforeTool, []byte(`{"tool_input":"a secret"}`), noEnv) },
	} {
		if _, err := call(); !schema.HasReason(err, schema.ReasonInvalidArguments) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseReadsTheEnvironment(t *testing.T) {
	env := func(name string) string {
		return map[string]string{
			"AI_AGENT": "claude-code_2-1-332_harness", "CLAUDE_PROJECT_DIR": "/projects/app",
			"QWEN_CODE_STARTUP_VERSION": "0.24.4", "QWEN_PROJECT_DIR": "/projects/other",
		}[name]
	}
	for id, want := range map[string]Input{
		Claude: {Version: "2.1.332", Project: "/projects/app"}, Qwen: {Version: "0.24.4", Project: "/projects/other"},
		Codex: {}, Gemini: {}, OpenCode: {},
	} {
		got, err := Parse(id, BeforeTurn, []byte(`{}`), env)
		if err != nil || got.Version != want.Version || got.Project != want.Project {
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
	for _, agent := range []string{"", "claude-code_", "claude-code_two_harness", "other_2-1-332", "claude-code_2-x_harness"} {
		if v := claudeVersion(agent); v != "" {
			t.Errorf("%q: %q", agent, v)
		}
	}
}
