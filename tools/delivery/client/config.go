package client

import (
	"path/filepath"
	"strings"
)

// Scope is whose configuration is meant.
type Scope string

// The scopes.
const (
	Project Scope = "project" // that of one checkout
	User    Scope = "user"    // that of one person, for all projects
)

// places are files of one scope, relative to its root, with slashes.
type places struct {
	server, other, hooks, skill string
}

// Files say where things lie, as absolute paths. Hooks and Server can be one
// file.
type Files struct {
	Server string
	// OtherServer is read by the client in the place of Server where there is no
	// file at Server; "" when it has no second name.
	OtherServer string
	Hooks       string
	Skill       string
}

// Files are those of a scope. root is the checkout, or the home directory; env
// is the environment, in which a person may have moved a client's own folder.
func (c Client) Files(scope Scope, root string, env func(string) string) Files {
	p, move := c.project, func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if scope == User {
		p, move = c.user, c.mover(root, env)
	}
	f := Files{Server: move(p.server), Hooks: move(p.hooks), Skill: move(p.skill)}
	if p.other != "" {
		f.OtherServer = move(p.other)
	}
	return f
}

// homes are the variables that move a client's folder, and the folder.
var homes = map[string]struct{ variable, folder string }{
	Claude:   {"CLAUDE_CONFIG_DIR", ".claude"},
	Codex:    {"CODEX_HOME", ".codex"},
	OpenCode: {"XDG_CONFIG_HOME", ".config"},
}

// Folder is the client's own folder below a home directory, or where a variable
// puts it.
func (c Client) Folder(home string, env func(string) string) string {
	h, ok := homes[c.ID]
	if !ok {
		return filepath.Join(home, "."+c.ID)
	}
	if moved := env(h.variable); filepath.IsAbs(moved) {
		return moved
	}
	return filepath.Join(home, h.folder)
}

// mover places the files of the user scope.
func (c Client) mover(home string, env func(string) string) func(string) string {
	h := homes[c.ID]
	moved := h.variable != "" && filepath.IsAbs(env(h.variable))
	return func(name string) string {
		below, inFolder := strings.CutPrefix(name, h.folder+"/")
		switch {
		case moved && inFolder:
			return filepath.Join(c.Folder(home, env), filepath.FromSlash(below))
		case moved && name == ".claude.json": // Claude Code moves it along
			return filepath.Join(c.Folder(home, env), name)
		}
		return filepath.Join(home, filepath.FromSlash(name))
	}
}
