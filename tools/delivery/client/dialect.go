package client

// dialect is how one client speaks of events and tools.
type dialect struct {
	harness string
	project string // the variable that holds the directory it was started for
	events  map[Event]string
	edits   map[string]string // the tools that write a file, and where their input names it
	patches map[string]string // the tools that carry a patch text, and where
	plain   bool              // answers are {"context"}, {"deny"} or {"hold"}: our own plugin reads them
	denies  bool              // a tool is stopped by "decision", not by a permission
}

// shared are the event names that most clients took over from each other.
var shared = map[Event]string{
	SessionStart: "SessionStart", BeforeTurn: "UserPromptSubmit", BeforeTool: "PreToolUse", AfterTool: "PostToolUse",
	Stop: "Stop", SessionEnd: "SessionEnd",
}

// dialects holds what was seen of each client; see capabilities.json for the
// versions.
var dialects = map[string]dialect{
	Claude: {
		harness: "claude-code", project: "CLAUDE_PROJECT_DIR", events: shared,
		edits: map[string]string{"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"},
	},
	Codex: {
		harness: "codex-mcp-client", events: shared,
		// A patch given to the shell is run by Codex itself, not by a shell.
		patches: map[string]string{"apply_patch": "command", "Bash": "command"},
	},
	Gemini: {
		harness: "gemini-cli-mcp-client", project: "GEMINI_PROJECT_DIR", denies: true,
		events: map[Event]string{
			SessionStart: "SessionStart", BeforeTurn: "BeforeAgent", BeforeTool: "BeforeTool", AfterTool: "AfterTool",
			Stop: "AfterAgent", SessionEnd: "SessionEnd",
		},
		edits: map[string]string{"write_file": "file_path", "replace": "file_path"},
	},
	Qwen: {
		harness: "qwen-cli-mcp-client-acc", project: "QWEN_PROJECT_DIR", events: shared,
		edits: map[string]string{"write_file": "file_path", "edit": "file_path", "notebook_edit": "notebook_path"},
	},
	OpenCode: {
		harness: "opencode", plain: true,
		events: map[Event]string{
			SessionStart: "session.created", BeforeTurn: "chat.message", BeforeTool: "tool.execute.before",
			AfterTool: "tool.execute.after", Stop: "session.idle", SessionEnd: "dispose",
		},
		edits:   map[string]string{"write": "filePath", "edit": "filePath"},
		patches: map[string]string{"apply_patch": "patchText", "patch": "patchText"},
	},
}
