package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// Trust is whether a client uses what its configuration says.
type Trust string

// What can be read of it. A client that asks for nothing is trusted.
const (
	Trusted   Trust = "yes"
	Untrusted Trust = "no"
	Unsettled Trust = "unknown" // its files do not say
)

// TrustStep is what a person has to do once in a scope, "" for nothing.
func (c Client) TrustStep(scope Scope) string {
	if scope == User {
		return c.UserTrust
	}
	return c.Trust
}

// Trusts reads from the files of a person whether the client trusts a folder
// and what install wrote for it there. Nothing is changed and no program is
// started; where it is not Trusted, TrustStep says what a person can do.
//
// Codex keeps a hash of each hook that was trusted. That one is there is all
// that is looked at: after a change of the hooks it asks again by itself.
func (c Client) Trusts(scope Scope, root, home string, env func(string) string) Trust {
	folder := c.Folder(home, env)
	switch c.ID {
	case Claude:
		return claudeTrusts(scope, root, home, folder, env)
	case Codex:
		return c.codexTrusts(root, folder, c.Files(scope, scopeRoot(scope, root, home), env).Hooks, scope)
	case Gemini:
		return folderTrust(folder, root, true)
	case Qwen:
		if t := folderTrust(folder, root, false); t != Trusted {
			return t
		}
		return qwenApproves(scope, root, folder)
	}
	return Trusted
}

func scopeRoot(scope Scope, root, home string) string {
	if scope == User {
		return home
	}
	return root
}

// readJSON reads a file that may have comments; false when there is none that
// can be read.
func readJSON(path string, into any) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	// A comment at the very end may lack its line end.
	if data, err = hujson.Standardize(append(data, '\n')); err != nil {
		return false
	}
	return json.Unmarshal(data, into) == nil
}

// approvals are what Claude Code remembers of the servers of a project.
type approvals struct {
	Trusted  bool     `json:"hasTrustDialogAccepted"`
	All      bool     `json:"enableAllProjectMcpServers"`
	Enabled  []string `json:"enabledMcpjsonServers"`
	Disabled []string `json:"disabledMcpjsonServers"`
}

func (a approvals) approves() bool { return a.All || slices.Contains(a.Enabled, ServerName) }

func claudeTrusts(scope Scope, root, home, folder string, env func(string) string) Trust {
	state := filepath.Join(home, ".claude.json")
	if env(homes[Claude].variable) != "" {
		state = filepath.Join(folder, ".claude.json")
	}
	var global struct {
		Projects map[string]approvals `json:"projects"`
	}
	readJSON(state, &global)
	project := global.Projects[root]
	if !project.Trusted {
		return Untrusted
	}
	if scope == User {
		return Trusted
	}
	var local, user approvals
	readJSON(filepath.Join(root, ".claude", "settings.local.json"), &local)
	readJSON(filepath.Join(folder, "settings.json"), &user)
	for _, a := range []approvals{project, local, user} {
		if slices.Contains(a.Disabled, ServerName) {
			return Untrusted
		}
	}
	if project.approves() || local.approves() || user.approves() {
		return Trusted
	}
	return Untrusted
}

func (c Client) codexTrusts(root, folder, hooksFile string, scope Scope) Trust {
	var config struct {
		Projects map[string]struct {
			Level string `toml:"trust_level"`
		} `toml:"projects"`
		Hooks struct {
			State map[string]struct {
				Hash string `toml:"trusted_hash"`
			} `toml:"state"`
		} `toml:"hooks"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "config.toml"))
	if err != nil {
		return Untrusted
	}
	if toml.Unmarshal(data, &config) != nil {
		return Unsettled
	}
	if scope == Project && config.Projects[root].Level != "trusted" {
		return Untrusted
	}
	for _, e := range c.hooked() {
		prefix, known := hooksFile+":"+snake(NativeEvent(Codex, e))+":", false
		for key, state := range config.Hooks.State {
			known = known || strings.HasPrefix(key, prefix) && state.Hash != ""
		}
		if !known {
			return Untrusted
		}
	}
	return Trusted
}

// snake is the name of an event as Codex keeps it.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
