// Package drive runs the real coding agents, each in a home of its own, with a
// scripted model on loopback in place of theirs. What a client is given is
// what a person would have: a project, a prompt, and what acc install wrote.
package drive

// Client says how one coding agent is started and what it calls its tools.
type Client struct {
	// ID is what acc hook and acc install call it.
	ID string
	// Name is what people call it.
	Name string
	// Package is the npm package that it is installed with.
	Package string

	program string
	ownNode bool // it needs a newer Node than many machines have
	// settings are what a person has configured before acc comes: the content
	// of files by their path in the home.
	settings map[string]string
	command  func(run) []string
	env      func(run) []string
	// mcp is the call of a tool of the server acc.
	mcp func(tool string, args map[string]any) Call
	// write is the call that makes a new file.
	write func(path, content string) Call
	// change are the turns that replace one line of a file with another.
	change func(path, old, line string) []Call
	// shellPatch is nil where a shell command is only that.
	shellPatch func(path, content string) Call
}

// Call is the call of a tool as the model of the client makes it.
type Call struct {
	Tool string
	Args map[string]any

	// Namespace is the group that Codex lists a tool in, "" for none.
	Namespace string
	// Freeform is the input of a tool that takes plain text, in place of Args.
	Freeform string
}

// run is what the start of a client depends on.
type run struct {
	agent  *Agent
	url    string
	prompt string
	resume bool
}

// Clients are those that can be driven, in the order of the table.
func Clients() []Client {
	return []Client{claude(), codex(), gemini(), qwen(), opencode()}
}

// ByID returns the client of that id.
func ByID(id string) (Client, bool) {
	for _, c := range Clients() {
		if c.ID == id {
			return c, true
		}
	}
	return Client{}, false
}

// Acc is the call of a tool of acc.
func (c Client) Acc(tool string, args map[string]any) Call { return c.mcp(tool, args) }

// Write is the call that makes the file at path, which is absolute.
func (c Client) Write(path, content string) Call { return c.write(path, content) }

// Change are the calls that replace the line old in the file at path, one in
// each turn.
func (c Client) Change(path, old, line string) []Call { return c.change(path, old, line) }

// ShellPatches reports whether the client itself carries out a patch that the
// model gives to its shell.
func (c Client) ShellPatches() bool { return c.shellPatch != nil }

// ShellPatch is the call that makes the file at path by a patch in a shell
// command; only for a client with ShellPatches.
func (c Client) ShellPatch(path, content string) Call { return c.shellPatch(path, content) }

// call is a call by name, for clients that put the server's name before it.
func call(prefix string) func(string, map[string]any) Call {
	return func(tool string, args map[string]any) Call {
		return Call{Tool: prefix + tool, Args: args}
	}
}
