package client

import (
	"encoding/json"
	"strings"

	"acc/tools"
)

// Caller is who calls a tool over MCP. name and version are what the client's
// MCP client introduced itself with, meta is the _meta of the call, and getenv
// gives the environment that the client made for the server. A variable counts
// for the client that sets it alone: any other has merely inherited it.
func Caller(getenv func(string) string, name, version string, meta []byte) tools.Caller {
	c := tools.Caller{Harness: name, Version: version}
	switch id := byHarness(name); id {
	case Claude, Qwen:
		session, own := FromEnvironment(getenv, id)
		if c.ClientSession, c.Guessed = session, session != ""; id == Qwen && own != "" {
			c.Version = own // over MCP it always says 0.0.1
		}
	case Codex:
		var m struct {
			SessionID string `json:"sessionId"`
		}
		if json.Unmarshal(meta, &m) == nil {
			c.ClientSession, c.Guessed = m.SessionID, false
		}
	}
	return c
}

// byHarness is the client whose MCP client goes by a name, "" for another.
// Clients append the name of the server.
func byHarness(name string) string {
	for _, id := range IDs() {
		own := strings.TrimSuffix(dialects[id].harness, "-"+ServerName)
		if name == own || strings.HasPrefix(name, own+"-") {
			return id
		}
	}
	return ""
}
