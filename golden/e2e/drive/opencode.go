package drive

import "fmt"

const opencodeSettings = `{
  "autoupdate": false, "share": "disabled", "permission": "allow",
  "model": "scripted/scripted", "small_model": "scripted/scripted",
  "provider": { "scripted": {
    "npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": { "baseURL": "%s/v1", "apiKey": "none" },
    "models": { "scripted": { "name": "scripted", "tool_call": true, "limit": { "context": 100000, "output": 4096 } } }
  } }
}`

func opencode() Client {
	return Client{
		ID: "opencode", Name: "opencode", Package: "opencode-ai", program: "opencode",
		command: func(r run) []string {
			args := []string{"run"}
			if r.resume {
				args = append(args, "-c")
			}
			return append(args, r.prompt)
		},
		env: func(r run) []string {
			return []string{
				"OPENCODE_CONFIG_CONTENT=" + fmt.Sprintf(opencodeSettings, r.url),
				"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			}
		},
		mcp: call("acc_"),
		write: func(path, content string) Call {
			return Call{Tool: "write", Args: map[string]any{"filePath": path, "content": content}}
		},
		change: func(path, old, line string) []Call {
			return []Call{{Tool: "edit", Args: map[string]any{"filePath": path, "oldString": old, "newString": line}}}
		},
	}
}
