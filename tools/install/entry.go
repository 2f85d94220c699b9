package install

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strings"

	"acc/tools/delivery/client"
)

// kind is how an entry lies in its file.
type kind string

const (
	member  kind = "member"  // of a JSON object
	element kind = "element" // of a JSON array
	block   kind = "block"   // between two marks in a TOML file
	whole   kind = "whole"   // the file itself
)

// entry is one thing that install writes. Text is what is compared and hashed:
// the canonical form of a value, or the text itself.
type entry struct {
	kind  kind
	at    string // path of the member or of the array
	value any    // of a member or an element
	text  string
	ours  func(text string) bool // whether an entry that nobody noted has our form
}

// wanted is what belongs in one file.
type wanted struct {
	path    string
	entries []entry
}

//go:embed skill.md
var skillText string

//go:embed plugin.js
var pluginText string

// mark is in every file that is ours as a whole.
const mark = "written by acc install"

// want lists what a client gets, one element a file.
func want(c client.Client, files client.Files, s client.Setup) []wanted {
	all := []wanted{{files.Server, []entry{serverEntry(c, s)}}}
	switch {
	case c.Plugin:
		all = append(all, wanted{files.Hooks, []entry{wholeFile(plugin(c, s))}})
	case files.Hooks == files.Server:
		all[0].entries = append(all[0].entries, hookEntries(c, s)...)
	default:
		all = append(all, wanted{files.Hooks, hookEntries(c, s)})
	}
	return append(all, wanted{files.Skill, []entry{wholeFile(skillText)}})
}

func wholeFile(text string) entry {
	return entry{kind: whole, text: text, ours: func(text string) bool { return strings.Contains(text, mark) }}
}

func serverEntry(c client.Client, s client.Setup) entry {
	if c.ID == client.Codex {
		text := tomlBlock("mcp_servers."+client.ServerName, "command = "+tomlString(s.Server),
			"env = { ACC_MCP_PARTICIPANT = "+tomlString(s.Participant)+" }")
		return entry{kind: block, at: "mcp_servers." + client.ServerName, text: text, ours: func(string) bool { return true }}
	}
	v := c.ServerValue(s)
	return entry{kind: member, at: c.ServerKey() + "/" + client.ServerName, value: v, text: canonicalOf(v), ours: ourServer}
}

// ourServer knows the form of what install writes, for whatever path and name.
// A server with anything else in it was set up by hand.
func ourServer(text string) bool {
	var v struct {
		Type        string            `json:"type"`
		Command     any               `json:"command"`
		Env         map[string]string `json:"env"`
		Environment map[string]string `json:"environment"`
		Enabled     *bool             `json:"enabled"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&v) != nil || len(v.Env)+len(v.Environment) != 1 || v.Env["ACC_MCP_PARTICIPANT"]+v.Environment["ACC_MCP_PARTICIPANT"] == "" {
		return false
	}
	command, _ := v.Command.(string)
	if list, ok := v.Command.([]any); ok && len(list) == 1 {
		command, _ = list[0].(string)
	}
	name := filepath.Base(strings.ReplaceAll(command, `\`, "/"))
	return strings.TrimSuffix(name, ".exe") == "acc-mcp"
}

func hookEntries(c client.Client, s client.Setup) []entry {
	var all []entry
	for _, h := range c.HookEntries(s) {
		all = append(all, entry{kind: element, at: hooksKey + h.Native, value: h.Group, text: canonicalOf(h.Group), ours: ourHook(c, h.Event)})
	}
	return all
}

const hooksKey = "hooks/"

// ourHook knows a group with nothing in it but a hook that runs acc.
func ourHook(c client.Client, e client.Event) func(string) bool {
	return func(text string) bool {
		var g client.HookGroup
		return json.Unmarshal([]byte(text), &g) == nil && len(g.Hooks) == 1 && c.IsHook(g.Hooks[0].Command, e)
	}
}

// knows tells by its form an entry that was noted and has changed since.
func knows(c client.Client, n entryRecord) func(string) bool {
	for _, e := range client.Events() {
		if n.Kind == element && n.At == hooksKey+client.NativeEvent(c.ID, e) {
			return ourHook(c, e)
		}
	}
	return func(string) bool { return false }
}

// plugin is the plugin with what it has to know filled in.
func plugin(c client.Client, s client.Setup) string {
	args := c.HookArgs("EVENT", s)
	return strings.NewReplacer(
		`"@acc@"`, marshal(s.Acc, "", ""),
		`["@options@"]`, strings.ReplaceAll(marshal(args[3:], "", ""), `","`, `", "`),
	).Replace(pluginText)
}
