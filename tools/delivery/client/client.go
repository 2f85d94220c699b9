// Package client is the one table of the coding agents that acc knows: what
// they are called, where their configuration lies, and how they name the events
// of a session. It knows no room.
package client

import (
	"slices"
	"strings"

	"acc/schema"
)

// Client is what install, doctor, the hooks and the tests know of one agent.
type Client struct {
	ID      string
	Name    string // for people
	Program string // the name on the PATH
	// NamedHooks: every hook carries a name of its own.
	NamedHooks bool
	// Milliseconds: the time-out of a hook counts these, and not seconds.
	Milliseconds bool
	// Expands: ${NAME:-default} in the configuration stands for a variable of
	// the environment, so that a second agent can run under another name.
	Expands bool
	// Repeats: the client signals a turn again after each result of a tool, so
	// that nothing is left to say after a tool.
	Repeats bool
	// Plugin: hooks are a JavaScript file that the client loads, and no entries
	// of its configuration.
	Plugin bool
	// Trust is what a person has to do once before the client uses what a
	// project brings, UserTrust before it uses what their own settings say; ""
	// when it asks for nothing.
	Trust, UserTrust string
	// Rechecks: what has changed since has to be trusted again.
	Rechecks bool

	project, user places
}

// all is the table. Every row was held against the real program; docs/clients.md
// says which version.
var all = []Client{
	{
		ID: Claude, Name: "Claude Code", Program: "claude", Expands: true,
		Trust:     "start claude in the project once; trust the folder and approve the server acc",
		UserTrust: "start claude in each project once and trust the folder",
		project:   places{server: ".mcp.json", hooks: ".claude/settings.json", skill: ".claude/skills/acc/SKILL.md"},
		user:      places{server: ".claude.json", hooks: ".claude/settings.json", skill: ".claude/skills/acc/SKILL.md"},
	},
	{
		ID: Codex, Name: "Codex", Program: "codex",
		Rechecks:  true,
		Trust:     "start codex in the project once and trust the folder, then trust the hooks with /hooks",
		UserTrust: "start codex once and trust the hooks with /hooks",
		project:   places{server: ".codex/config.toml", hooks: ".codex/hooks.json", skill: sharedSkill},
		user:      places{server: ".codex/config.toml", hooks: ".codex/hooks.json", skill: sharedSkill},
	},
	{
		ID: Gemini, Name: "Gemini CLI", Program: "gemini", NamedHooks: true, Milliseconds: true, Expands: true,
		Trust:     "start gemini in the project once and trust the folder",
		UserTrust: "start gemini in each project once and trust the folder",
		project:   places{server: ".gemini/settings.json", hooks: ".gemini/settings.json", skill: sharedSkill},
		user:      places{server: ".gemini/settings.json", hooks: ".gemini/settings.json", skill: sharedSkill},
	},
	{
		ID: Qwen, Name: "Qwen Code", Program: "qwen", NamedHooks: true, Milliseconds: true, Repeats: true,
		Rechecks: true,
		Trust:    "start qwen in the project once; trust the folder if it asks, and approve the server acc",
		project:  places{server: ".qwen/settings.json", hooks: ".qwen/settings.json", skill: sharedSkill},
		user:     places{server: ".qwen/settings.json", hooks: ".qwen/settings.json", skill: sharedSkill},
	},
	{
		ID: OpenCode, Name: "opencode", Program: "opencode", Plugin: true,
		project: places{server: "opencode.json", other: "opencode.jsonc", hooks: ".opencode/plugin/acc.js", skill: sharedSkill},
		user:    places{server: ".config/opencode/opencode.json", other: ".config/opencode/opencode.jsonc", hooks: ".config/opencode/plugin/acc.js", skill: sharedSkill},
	},
}

// sharedSkill is where all clients but Claude Code look for skills.
const sharedSkill = ".agents/skills/acc/SKILL.md"

// All are the clients, in the order of every list.
func All() []Client { return slices.Clone(all) }

// hooked are the events for which install writes a hook.
func (c Client) hooked() []Event {
	return slices.DeleteFunc(Events(), func(e Event) bool {
		return c.Plugin || NativeEvent(c.ID, e) == "" || e == AfterTool && c.Repeats
	})
}

// Find is the client of that id. It fails with ReasonInvalidField for another.
func Find(id string) (Client, error) {
	for _, c := range all {
		if c.ID == id {
			return c, nil
		}
	}
	return Client{}, schema.Fail(schema.ReasonInvalidField, "%q is no client that acc knows; it knows %s.", schema.Visible(id, 60), strings.Join(IDs(), ", ")).
		With("field", "client")
}
