package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func noEnv(string) string { return "" }

func TestTable(t *testing.T) {
	for i, c := range All() {
		if c.ID != IDs()[i] {
			t.Errorf("%s is not in the order of the ids", c.ID)
		}
		if found, err := Find(c.ID); err != nil || found.Name != c.Name {
			t.Errorf("%s: %v", c.ID, err)
		}
		for _, scope := range []Scope{Project, User} {
			f := c.Files(scope, "/root", noEnv)
			for _, path := range []string{f.Server, f.Hooks, f.Skill} {
				if !strings.HasPrefix(filepath.ToSlash(path), "/root/.") && filepath.Base(path) != "opencode.json" {
					t.Errorf("%s: %s", c.ID, path)
				}
			}
		}
		entries := c.HookEntries(Setup{Acc: "/acc", Participant: "bob"})
		if c.Plugin != (len(entries) == 0) {
			t.Errorf("%s: %d hooks", c.ID, len(entries))
		}
		for _, h := range entries {
			if h.Native != NativeEvent(c.ID, h.Event) || !c.IsHook(h.Group.Hooks[0].Command, h.Event) || c.IsHook(h.Group.Hooks[0].Command, "session") {
				t.Errorf("%s %s: %+v", c.ID, h.Event, h)
			}
			if n := h.Group.Hooks[0].Timeout; c.Milliseconds != (n >= 1000) {
				t.Errorf("%s: a time-out of %d", c.ID, n)
			}
		}
	}
	if _, err := Find("vim"); err == nil || !strings.Contains(err.Error(), "claude, codex") {
		t.Errorf("%v", err)
	}
}

func TestCommands(t *testing.T) {
	s := Setup{Acc: "/a b/it's/acc", Server: "/mcp", Participant: "bob", Delivery: "off"}
	for id, want := range map[string]string{
		Claude: `'/a b/it'\''s/acc' hook claude stop --participant "${ACC_MCP_PARTICIPANT:-bob}" --delivery off`,
		Codex:  `'/a b/it'\''s/acc' hook codex stop --participant bob --delivery off`,
	} {
		c, _ := Find(id)
		if got := c.HookCommand(Stop, s); got != want {
			t.Errorf("%s", got)
		}
	}
	for id, want := range map[string]string{
		Claude:   `{"type":"stdio","command":"/mcp","env":{"ACC_MCP_PARTICIPANT":"${ACC_MCP_PARTICIPANT:-bob}"}}`,
		Qwen:     `{"command":"/mcp","env":{"ACC_MCP_PARTICIPANT":"bob"}}`,
		OpenCode: `{"type":"local","command":["/mcp"],"environment":{"ACC_MCP_PARTICIPANT":"bob"},"enabled":true}`,
	} {
		c, _ := Find(id)
		if got, _ := json.Marshal(c.ServerValue(s)); string(got) != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func TestMovedFolders(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_CONFIG_HOME": "/g"}[name]
	}
	for id, want := range map[string]Files{
		Claude:   {Server: "/c/.claude.json", Hooks: "/c/settings.json", Skill: "/c/skills/acc/SKILL.md"},
		Codex:    {Server: "/x/config.toml", Hooks: "/x/hooks.json", Skill: "/h/.agents/skills/acc/SKILL.md"},
		Gemini:   {Server: "/h/.gemini/settings.json", Hooks: "/h/.gemini/settings.json", Skill: "/h/.agents/skills/acc/SKILL.md"},
		OpenCode: {Server: "/g/opencode/opencode.json", OtherServer: "/g/opencode/opencode.jsonc", Hooks: "/g/opencode/plugin/acc.js", Skill: "/h/.agents/skills/acc/SKILL.md"},
	} {
		c, _ := Find(id)
		if got := c.Files(User, "/h", env); filepath.Separator == '/' && got != want {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

// Trust is read from what the clients themselves write.
func TestTrust(t *testing.T) {
	const root = "/src/project"
	keys := ""
	for _, e := range []string{"session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "stop", "session_end"} {
		keys += "[hooks.state.\"" + root + "/.codex/hooks.json:" + e + ":0:0\"]\ntrusted_hash = \"sha256:1\"\n"
	}
	folder := "[projects.\"" + root + "\"]\ntrust_level = \"trusted\"\n"
	for name, c := range map[string]struct {
		id    string
		files map[string]string
		want  Trust
	}{
		"claude, nothing":       {Claude, nil, Untrusted},
		"claude, folder":        {Claude, map[string]string{".claude.json": `{"projects":{"/src/project":{"hasTrustDialogAccepted":true}}}`}, Untrusted},
		"claude, server":        {Claude, map[string]string{".claude.json": `{"projects":{"/src/project":{"hasTrustDialogAccepted":true,"enabledMcpjsonServers":["acc"]}}}`}, Trusted},
		"claude, all servers":   {Claude, map[string]string{".claude.json": `{"projects":{"/src/project":{"hasTrustDialogAccepted":true}}}`, ".claude/settings.json": `{"enableAllProjectMcpServers":true}`}, Trusted},
		"claude, not this one":  {Claude, map[string]string{".claude.json": `{"projects":{"/src/project":{"hasTrustDialogAccepted":true,"disabledMcpjsonServers":["acc"]}}}`, ".claude/settings.json": `{"enableAllProjectMcpServers":true}`}, Untrusted},
		"claude, not trusted":   {Claude, map[string]string{".claude.json": `{"projects":{"/src/project":{"enabledMcpjsonServers":["acc"]}}}`}, Untrusted},
		"codex, nothing":        {Codex, nil, Untrusted},
		"codex, folder":         {Codex, map[string]string{".codex/config.toml": folder}, Untrusted},
		"codex, hooks":          {Codex, map[string]string{".codex/config.toml": folder + keys}, Trusted},
		"codex, hooks alone":    {Codex, map[string]string{".codex/config.toml": keys}, Untrusted},
		"codex, one is new":     {Codex, map[string]string{".codex/config.toml": folder + strings.Replace(keys, ":stop:", ":other:", 1)}, Untrusted},
		"codex, damaged":        {Codex, map[string]string{".codex/config.toml": "["}, Unsettled},
		"gemini, nothing":       {Gemini, nil, Untrusted},
		"gemini, off":           {Gemini, map[string]string{".gemini/settings.json": `{"security":{"folderTrust":{"enabled":false}}} // c`}, Trusted},
		"gemini, folder":        {Gemini, map[string]string{".gemini/trustedFolders.json": `{"/src/project":"TRUST_FOLDER"}`}, Trusted},
		"gemini, above":         {Gemini, map[string]string{".gemini/trustedFolders.json": `{"/src":"TRUST_FOLDER"}`}, Trusted},
		"gemini, parent":        {Gemini, map[string]string{".gemini/trustedFolders.json": `{"/src/other":"TRUST_PARENT"}`}, Trusted},
		"gemini, beside":        {Gemini, map[string]string{".gemini/trustedFolders.json": `{"/src/proj":"TRUST_FOLDER"}`}, Untrusted},
		"gemini, not this one":  {Gemini, map[string]string{".gemini/trustedFolders.json": `{"/src":"TRUST_FOLDER","/src/project":"DO_NOT_TRUST"}`}, Untrusted},
		"qwen, nothing":         {Qwen, nil, Untrusted},
		"qwen, approved":        {Qwen, map[string]string{".qwen/mcpApprovals.json": `{"/src/project":{"acc":{"hash":"1","status":"approved"}}}`}, Trusted},
		"qwen, rejected":        {Qwen, map[string]string{".qwen/mcpApprovals.json": `{"/src/project":{"acc":{"hash":"1","status":"rejected"}}}`}, Untrusted},
		"qwen, folder asks":     {Qwen, map[string]string{".qwen/mcpApprovals.json": `{"/src/project":{"acc":{"status":"approved"}}}`, ".qwen/settings.json": `{"security":{"folderTrust":{"enabled":true}}}`}, Untrusted},
		"opencode asks nothing": {OpenCode, nil, Trusted},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for file, text := range c.files {
				path := filepath.Join(home, file)
				_ = os.MkdirAll(filepath.Dir(path), 0o755)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			who, _ := Find(c.id)
			if got := who.Trusts(Project, root, home, noEnv); filepath.Separator == '/' && got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

func TestProgramVersion(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	script := filepath.Join(bin, "agent")
	_ = os.Mkdir(bin, 0o755)
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho agent 1.22.3 '(x)'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := ProgramVersion(t.Context(), script); filepath.Separator == '/' && got != "1.22.3" {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"version": "4.5.6"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ProgramVersion(t.Context(), script); got != "4.5.6" {
		t.Errorf("%q", got)
	}
	if got := ProgramVersion(t.Context(), filepath.Join(dir, "none")); got != "" {
		t.Errorf("%q", got)
	}
}
