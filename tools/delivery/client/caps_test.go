package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"acc/schema"
)

func TestEvidenceIsWellFormed(t *testing.T) {
	var file struct {
		Clients []Tested `json:"clients"`
	}
	dec := json.NewDecoder(bytes.NewReader(evidence))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Clients {
		if _, ok := numbers(c.Version); !ok || !slices.Contains(IDs(), c.Client) {
			t.Errorf("%s %s is no version of a client", c.Client, c.Version)
		}
		if d := c.Capabilities.Delivery; d.LivePush || d.ReplyRoute {
			t.Errorf("%s: hooks neither push nor take answers back", c.Client)
		}
	}
	for _, id := range IDs() {
		if _, ok := For(id, ""); !ok {
			t.Errorf("nobody tested %s", id)
		}
	}
}

func TestChoose(t *testing.T) {
	tested := func(version string, hold, safe bool) Tested {
		return Tested{Client: Claude, Version: version, Hold: hold, Capabilities: schema.Capabilities{
			Context: schema.ContextCapabilities{BeforeTurn: true, SafePoint: safe},
		}}
	}
	all := []Tested{tested("2.1.332", true, true), tested("2.1.197", true, false), tested("2.0.9", false, true)}
	for version, want := range map[string]string{
		"2.1.332": "2.1.332", "2.1.333": "2.1.332", "3.0": "2.1.332", "v2.1.400-beta.1": "2.1.332",
		"2.1.331": "2.1.197", "2.1.197": "2.1.197", "2.0.10": "2.0.9", "2.0.9": "2.0.9",
		"2.0.8": "", "1.99.99": "", "2": "",
	} {
		got, ok := choose(all, version)
		if got.Version != want || ok != (want != "") {
			t.Errorf("%s: %s, %v; want %s", version, got.Version, ok, want)
		}
	}
	for _, version := range []string{"", "latest", "2.x"} {
		got, ok := choose(all, version)
		c := got.Capabilities.Context
		if !ok || got.Hold || c.SafePoint || !c.BeforeTurn || got.Version != "" {
			t.Errorf("%q: %+v, %v", version, got, ok)
		}
	}
	if _, ok := choose(nil, ""); ok {
		t.Error("a client that nobody tested is supported")
	}
	if _, ok := choose(nil, "1.0"); ok {
		t.Error("a version that nobody tested is supported")
	}
}
