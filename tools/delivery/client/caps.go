package client

import (
	_ "embed"
	"encoding/json"

	"acc/schema"
)

// Tested is what was observed of one version of a client.
type Tested struct {
	Client       string              `json:"client"`
	Version      string              `json:"version"`
	Capabilities schema.Capabilities `json:"capabilities"`
	Hold         bool                `json:"hold"` // a turn can be held open
}

//go:embed capabilities.json
var evidence []byte

// Evidence lists what was observed, as the file has it.
func Evidence() []Tested {
	var file struct {
		Clients []Tested `json:"clients"`
	}
	if err := json.Unmarshal(evidence, &file); err != nil {
		panic("capabilities.json: " + err.Error()) // a test reads the same file
	}
	return file.Clients
}

// For is what can be expected of a client: of a version that was tested, or is
// newer than one that was, what the newest of those showed; of an unknown
// version "" what all tested ones have in common. A version that is older than
// every tested one is not supported, nor is a client that nobody tested.
func For(id, version string) (t Tested, supported bool) {
	return choose(testedOf(id), version)
}

func choose(tested []Tested, version string) (t Tested, supported bool) {
	want, known := numbers(version)
	if !known {
		return common(tested)
	}
	var best []int
	for _, c := range tested {
		v, ok := numbers(c.Version)
		if ok && !older(want, v) && (best == nil || !older(v, best)) {
			t, best = c, v
		}
	}
	return t, best != nil
}

func testedOf(id string) []Tested {
	var found []Tested
	for _, t := range Evidence() {
		if t.Client == id {
			found = append(found, t)
		}
	}
	return found
}

// common is what all of them showed.
func common(tested []Tested) (Tested, bool) {
	if len(tested) == 0 {
		return Tested{}, false
	}
	out := tested[0]
	for _, t := range tested[1:] {
		c, o := &out.Capabilities, t.Capabilities
		for _, p := range []struct {
			mine  *bool
			other bool
		}{
			{&out.Hold, t.Hold},
			{&c.Lifecycle.SessionStart, o.Lifecycle.SessionStart}, {&c.Lifecycle.Resume, o.Lifecycle.Resume},
			{&c.Lifecycle.SessionEnd, o.Lifecycle.SessionEnd},
			{&c.Context.Startup, o.Context.Startup}, {&c.Context.BeforeTurn, o.Context.BeforeTurn}, {&c.Context.SafePoint, o.Context.SafePoint},
			{&c.Guards.BeforeRead, o.Guards.BeforeRead}, {&c.Guards.BeforeWrite, o.Guards.BeforeWrite}, {&c.Guards.BeforeShell, o.Guards.BeforeShell},
			{&c.Delivery.NextTurn, o.Delivery.NextTurn}, {&c.Delivery.LivePush, o.Delivery.LivePush}, {&c.Delivery.ReplyRoute, o.Delivery.ReplyRoute},
		} {
			*p.mine = *p.mine && p.other
		}
	}
	out.Version = ""
	return out, true
}
