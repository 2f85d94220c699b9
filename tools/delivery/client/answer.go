package client

import (
	"bytes"
	"encoding/json"
)

// Answer is what a hook wants of its client; at most one of the three is set.
type Answer struct {
	Context string // shown to the model
	Deny    string // the tool is not to run, and why
	Hold    string // the turn goes on, with this as the next thing the model reads
}

// Format is the answer as a client reads it from stdout; nothing for an empty
// answer, which every client takes for consent.
func (a Answer) Format(id string, e Event) ([]byte, error) {
	if a == (Answer{}) {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a.form(dialects[id], e)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decision stops a tool or holds a turn.
type decision struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

type specific struct {
	Event      string `json:"hookEventName"`
	Context    string `json:"additionalContext,omitempty"`
	Permission string `json:"permissionDecision,omitempty"`
	Reason     string `json:"permissionDecisionReason,omitempty"`
}

func (a Answer) form(d dialect, e Event) any {
	wrap := func(s specific) any {
		s.Event = d.events[e]
		return map[string]specific{"hookSpecificOutput": s}
	}
	switch {
	case d.plain:
		return a.plain()
	case a.Hold != "":
		return decision{"block", a.Hold}
	case a.Deny != "" && d.denies:
		return decision{"deny", a.Deny}
	case a.Deny != "":
		return wrap(specific{Permission: "deny", Reason: a.Deny})
	}
	return wrap(specific{Context: a.Context})
}

func (a Answer) plain() any {
	switch {
	case a.Hold != "":
		return map[string]string{"hold": a.Hold}
	case a.Deny != "":
		return map[string]string{"deny": a.Deny}
	}
	return map[string]string{"context": a.Context}
}
