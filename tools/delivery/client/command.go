package client

import (
	"runtime"
	"strings"
)

// ServerName is what the room's server is called in every configuration.
const ServerName = "acc"

// participantVariable names the agent to its server.
const participantVariable = "ACC_MCP_PARTICIPANT"

// hookSeconds is how long a client waits for a hook. A hook answers within 5.
const hookSeconds = 10

// Setup is what install was told.
type Setup struct {
	Acc         string // the program for hooks, by its full path
	Server      string // acc-mcp, by its full path
	Participant string
	Delivery    string // all, actionable or off
}

// participant is the name as configuration has it: where the client can read
// the environment, a variable goes first.
func (c Client) participant(s Setup) string {
	if !c.Expands {
		return s.Participant
	}
	return "${" + participantVariable + ":-" + s.Participant + "}"
}

// HookArgs are the arguments of acc for one event.
func (c Client) HookArgs(e Event, s Setup) []string {
	args := []string{"hook", c.ID, string(e), "--participant", s.Participant}
	if s.Delivery != "" && s.Delivery != "all" {
		args = append(args, "--delivery", s.Delivery)
	}
	return args
}

// HookCommand is the line that a client gives to its shell for one event.
func (c Client) HookCommand(e Event, s Setup) string {
	args := c.HookArgs(e, s)
	for i, a := range args {
		if a == s.Participant && c.Expands && runtime.GOOS != "windows" && i > 0 && args[i-1] == "--participant" {
			args[i] = `"` + c.participant(s) + `"`
		}
	}
	return quote(s.Acc) + " " + strings.Join(args, " ")
}

// quote keeps a path one word for the shell that runs hooks.
func quote(path string) string {
	if runtime.GOOS == "windows" {
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// IsHook reports whether a command line is one that HookCommand writes for this
// client and event, for whatever program and options.
func (c Client) IsHook(line string, e Event) bool {
	return strings.Contains(line, " hook "+c.ID+" "+string(e)+" --participant ")
}

type stdioServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Env     map[string]string `json:"env"`
}

type openCodeServer struct {
	Type        string            `json:"type"`
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Enabled     bool              `json:"enabled"`
}

// ServerKey is the object that servers are members of.
func (c Client) ServerKey() string {
	if c.ID == OpenCode {
		return "mcp"
	}
	return "mcpServers"
}

// ServerValue is the entry of the server, to be written as JSON; Codex has
// TOML, and gets ServerBlock. Every client starts servers in the directory that
// it works in itself, so no entry names a workspace.
func (c Client) ServerValue(s Setup) any {
	env := map[string]string{participantVariable: c.participant(s)}
	if c.ID == OpenCode {
		return openCodeServer{Type: "local", Command: []string{s.Server}, Environment: env, Enabled: true}
	}
	v := stdioServer{Command: s.Server, Env: env}
	if c.ID == Claude {
		v.Type = "stdio"
	}
	return v
}

// HookGroup is the entry of one event: a group with a single hook.
type HookGroup struct {
	Matcher string `json:"matcher,omitempty"`
	Hooks   []Hook `json:"hooks"`
}

// Hook is one command of a group.
type Hook struct {
	Name    string `json:"name,omitempty"`
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // in the unit of the client
}

// HookEntry is what install writes for one event.
type HookEntry struct {
	Event  Event
	Native string
	Group  HookGroup
}

// HookEntries are those of all events that install writes; none for a client
// with a plugin.
func (c Client) HookEntries(s Setup) []HookEntry {
	var entries []HookEntry
	for _, e := range c.hooked() {
		h := Hook{Type: "command", Command: c.HookCommand(e, s), Timeout: c.timeout(e)}
		if c.NamedHooks {
			h.Name = "acc-" + string(e)
		}
		g := HookGroup{Hooks: []Hook{h}}
		if e == BeforeTool || e == AfterTool {
			g.Matcher = ".*"
		}
		entries = append(entries, HookEntry{Event: e, Native: NativeEvent(c.ID, e), Group: g})
	}
	return entries
}

func (c Client) timeout(e Event) int {
	switch {
	case c.Milliseconds:
		return hookSeconds * 1000
	case c.ID == Codex && e == SessionEnd:
		return 3 // it takes no longer one
	}
	return hookSeconds
}
