package drive

const qwenSettings = `{
  "security": { "auth": { "selectedType": "openai" }, "folderTrust": { "enabled": false } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "enableAutoUpdate": false, "disableAutoUpdate": true },
  "model": { "name": "scripted" }
}`

func qwen() Client {
	return Client{
		ID: "qwen", Name: "Qwen Code", Package: "@qwen-code/qwen-code", program: "qwen", ownNode: true,
		settings: map[string]string{".qwen/settings.json": qwenSettings},
		command: func(r run) []string {
			args := []string{"-p", r.prompt, "--yolo"}
			if r.resume {
				args = append(args, "-c")
			}
			return args
		},
		env: func(r run) []string {
			return []string{"OPENAI_BASE_URL=" + r.url + "/v1", "OPENAI_API_KEY=none", "OPENAI_MODEL=scripted"}
		},
		mcp:   call("mcp__acc__"),
		write: writeFile,
		change: func(path, old, line string) []Call {
			read := Call{Tool: "read_file", Args: map[string]any{"file_path": path}}
			return append([]Call{read}, oneEdit("edit", "")(path, old, line)...)
		},
	}
}
