package drive

import "fmt"

// codexModel is a model that Codex gives its tool for patches.
const codexModel = "gpt-5.5"

func codex() Client {
	return Client{
		ID: "codex", Name: "Codex", Package: "@openai/codex", program: "codex",
		// A person trusts the folder and then, in /hooks, what it brings; without
		// a terminal a setting and a flag do it for one run.
		command: func(r run) []string {
			args := []string{"exec"}
			if r.resume {
				args = append(args, "resume", "--last")
			}
			args = append(args, "--skip-git-repo-check", "--dangerously-bypass-hook-trust")
			for _, setting := range codexSettings(r) {
				args = append(args, "-c", setting)
			}
			return append(args, r.prompt)
		},
		env: func(run) []string { return nil },
		mcp: func(tool string, args map[string]any) Call {
			return Call{Tool: tool, Namespace: "mcp__acc", Args: args}
		},
		write: func(path, content string) Call { return codexPatch(added(path, content)) },
		change: func(path, old, line string) []Call {
			return []Call{codexPatch("*** Update File: " + path + "\n@@\n-" + old + "\n+" + line + "\n")}
		},
		shellPatch: func(path, content string) Call {
			command := "apply_patch <<'END'\n" + patchText(added(path, content)) + "END\n"
			return Call{Tool: "exec_command", Args: map[string]any{"cmd": command}}
		},
	}
}

func codexPatch(body string) Call {
	return Call{Tool: "apply_patch", Freeform: patchText(body)}
}

func patchText(body string) string { return "*** Begin Patch\n" + body + "*** End Patch\n" }

func added(path, content string) string { return "*** Add File: " + path + "\n+" + content + "\n" }

func codexSettings(r run) []string {
	return []string{
		fmt.Sprintf("model=%q", codexModel),
		`model_provider="scripted"`,
		fmt.Sprintf(`model_providers.scripted={name="scripted",base_url="%s/v1",wire_api="responses",requires_openai_auth=false,request_max_retries=0,stream_max_retries=0}`, r.url),
		fmt.Sprintf(`projects={%q={trust_level="trusted"}}`, r.agent.Project),
		`approval_policy="never"`,
		`sandbox_mode="danger-full-access"`,
		`check_for_update_on_startup=false`,
		`analytics.enabled=false`,
	}
}
