package drive

const geminiSettings = `{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "enableAutoUpdate": false }
}`

func gemini() Client {
	return Client{
		ID: "gemini", Name: "Gemini CLI", Package: "@google/gemini-cli", program: "gemini",
		settings: map[string]string{".gemini/settings.json": geminiSettings},
		command: func(r run) []string {
			args := []string{"-p", r.prompt, "--yolo", "-m", "gemini-2.5-flash"}
			if r.resume {
				args = append(args, "--resume", "latest")
			}
			return args
		},
		env: func(r run) []string {
			// A person trusts the folder in the first session.
			return []string{"GOOGLE_GEMINI_BASE_URL=" + r.url, "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		mcp:    call("mcp_acc_"),
		write:  writeFile,
		change: oneEdit("replace", "the line"),
	}
}

func writeFile(path, content string) Call {
	return Call{Tool: "write_file", Args: map[string]any{"file_path": path, "content": content}}
}

// oneEdit is an edit by the tool of that name. Gemini wants to be told what
// for, Qwen Code does not know the field.
func oneEdit(tool, instruction string) func(path, old, line string) []Call {
	return func(path, old, line string) []Call {
		args := map[string]any{"file_path": path, "old_string": old, "new_string": line}
		if instruction != "" {
			args["instruction"] = instruction
		}
		return []Call{{Tool: tool, Args: args}}
	}
}
