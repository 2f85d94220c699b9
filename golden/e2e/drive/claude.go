package drive

func claude() Client {
	return Client{
		ID: "claude", Name: "Claude Code", Package: "@anthropic-ai/claude-code", program: "claude",
		command: func(r run) []string {
			args := []string{"-p", r.prompt, "--allowedTools", "mcp__acc Edit Write Read", "--model", "claude-sonnet-4-6"}
			if r.resume {
				args = append(args, "-c")
			}
			return args
		},
		env: func(r run) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + r.url, "ANTHROPIC_API_KEY=none", "DISABLE_AUTOUPDATER=1",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			}
		},
		mcp: call("mcp__acc__"),
		write: func(path, content string) Call {
			return Call{Tool: "Write", Args: map[string]any{"file_path": path, "content": content}}
		},
		change: func(path, old, line string) []Call {
			return []Call{
				{Tool: "Read", Args: map[string]any{"file_path": path}},
				{Tool: "Edit", Args: map[string]any{"file_path": path, "old_string": old, "new_string": line}},
			}
		},
	}
}
