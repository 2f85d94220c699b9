package model

import (
	"slices"
	"strings"
)

// Block is a piece of what the model says in one turn: text, or the call of a
// tool.
type Block struct {
	Text string
	Call
}

// Call is the call of a tool by the name that the client gave it.
type Call struct {
	Tool string
	Args map[string]any

	// Namespace is the group that Codex lists a tool in, "" for none.
	Namespace string
	// Freeform is the input of a tool that takes plain text, in place of Args.
	Freeform string
}

// Say is a turn of text, which ends the turn of the client.
func Say(text string) []Block { return []Block{{Text: text}} }

// Use is a turn that calls a tool.
func Use(c Call) []Block { return []Block{{Call: c}} }

// Step makes a turn of the model out of what it was shown. It may be asked
// twice for one turn, when a client repeats a request.
type Step func(Seen) []Block

// Reply is the step that takes the same turn whatever was shown.
func Reply(turn []Block) Step { return func(Seen) []Block { return turn } }

// Seen is what one request showed the model.
type Seen struct {
	// System is the text of the instructions.
	System string
	// Items are the texts of the conversation, one for each entry.
	Items []string
	// Tools are the names on offer; Codex and Claude Code may hold some back.
	Tools []string
	// Spoken is how many turns the model took in the conversation so far.
	Spoken int

	// since is the first item after the model's last turn.
	since int
}

// New is the text that came since the model spoke last.
func (s Seen) New() string { return strings.Join(s.Items[s.since:], "\n") }

// All is every text of the request, instructions included.
func (s Seen) All() string { return s.System + "\n" + strings.Join(s.Items, "\n") }

// item is one entry of a conversation in any wire form.
type item struct {
	byModel bool
	value   any
}

// conversation counts runs of entries by the model: a client may write one
// turn as several entries.
func conversation(system any, items []item, tools []string) Seen {
	seen := Seen{System: text(system), Tools: tools}
	for i, it := range items {
		seen.Items = append(seen.Items, text(it.value))
		if it.byModel && (i == 0 || !items[i-1].byModel) {
			seen.Spoken++
		}
		if it.byModel {
			seen.since = i + 1
		}
	}
	return seen
}

// text joins every string in a JSON value, the names of fields left out, in an
// order that does not change.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = text(element)
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		parts := make([]string, len(names))
		for i, name := range names {
			parts[i] = text(v[name])
		}
		return strings.Join(parts, "\n")
	}
	return ""
}
