package client

import (
	"encoding/json"
	"strings"

	"acc/schema"
)

// Input is what a hook was told, in words that all clients share.
type Input struct {
	Event         Event
	ClientSession string // what the client calls its session
	Version       string // of the client, "" when it does not say
	Project       string // the directory that the client was started for, "" when it does not say
	Dir           string // where the client works now; relative paths are seen from there
	Source        string // of a session start: startup, resume, clear or compact
	Reason        string // of a session end
	Tool          string
	Paths         []string // the files that the tool would write, as the model named them
	Midway        bool     // of a turn: it goes on after a tool; Qwen asks then too, with no prompt
	Held          bool     // of a stop: a hook has held this turn open before
}

// The sources of a session start, and the reason of an end, that matter.
const (
	SourceClear   = "clear"
	SourceCompact = "compact"
	SourceResume  = "resume"
	ReasonClear   = "clear"
)

// native is what the clients write, each of them a part of it. What else they
// write is not looked at.
type native struct {
	SessionID      string                     `json:"session_id"`
	Dir            string                     `json:"cwd"`
	Source         string                     `json:"source"`
	Reason         string                     `json:"reason"`
	Prompt         *string                    `json:"prompt"`
	StopHookActive bool                       `json:"stop_hook_active"`
	ToolName       string                     `json:"tool_name"`
	ToolInput      map[string]json.RawMessage `json:"tool_input"`
}

// Parse reads what a client wrote to the stdin of a hook. getenv gives the
// environment that the client made for it.
//
// It fails for a client or an event that there is not, and for what is no JSON
// object of the expected form. Its errors quote nothing of the input.
func Parse(id string, e Event, data []byte, getenv func(string) string) (Input, error) {
	d, known := dialects[id]
	if !known {
		return Input{}, schema.Fail(schema.ReasonInvalidArguments, "there is no client %q; there are %s.", schema.Visible(id, 40), strings.Join(IDs(), ", "))
	}
	if d.events[e] == "" {
		return Input{}, schema.Fail(schema.ReasonInvalidArguments, "there is no event %q; there are %s.", schema.Visible(string(e), 40), joined(Events()))
	}
	n, err := decode(data)
	if err != nil {
		return Input{}, err
	}
	_, version := FromEnvironment(getenv, id)
	return Input{
		Event: e, ClientSession: n.SessionID, Version: version, Project: project(getenv, id), Dir: n.Dir, Source: n.Source, Reason: n.Reason,
		Tool: n.ToolName, Paths: d.paths(n), Held: n.StopHookActive,
		Midway: e == BeforeTurn && n.Prompt != nil && *n.Prompt == "",
	}, nil
}

func decode(data []byte) (native, error) {
	var n *native
	if err := json.Unmarshal(data, &n); err != nil || n == nil {
		return native{}, schema.Fail(schema.ReasonInvalidArguments, "the input is not the JSON object that the client writes.")
	}
	return *n, nil
}

// paths are the files that a call of a tool would write.
func (d dialect) paths(n native) []string {
	if field, ok := d.edits[n.ToolName]; ok {
		if path := text(n.ToolInput[field]); path != "" {
			return []string{path}
		}
	}
	if field, ok := d.patches[n.ToolName]; ok {
		return patched(text(n.ToolInput[field]))
	}
	return nil
}

// text is a JSON string; "" for what is none.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func joined(events []Event) string {
	words := make([]string, len(events))
	for i, e := range events {
		words[i] = string(e)
	}
	return strings.Join(words, ", ")
}
