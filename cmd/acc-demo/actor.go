package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// actor is one participant: an MCP client with an acc-mcp of its own.
type actor struct {
	story   *story
	name    string
	session *mcp.ClientSession
}

// args are the arguments of a tool.
type args = map[string]any

// join starts a server for a participant and connects to it.
func (s *story) join(name string) *actor {
	a := &actor{story: s, name: name}
	if s.err != nil {
		return a
	}
	cmd := exec.Command(s.server)
	cmd.Env = append(os.Environ(), "ACC_MCP_PARTICIPANT="+name, "ACC_MCP_WORKSPACE="+s.root)
	cmd.Stderr = s.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "acc-demo", Version: "1"}, nil)
	session, err := client.Connect(s.ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		s.fail("%s cannot start %s: %v", name, s.server, err)
		return a
	}
	a.session = session
	s.actors = append(s.actors, a)
	return a
}

// leave ends the participant's process.
func (a *actor) leave() {
	if a.session == nil {
		return
	}
	if err := a.session.Close(); err != nil {
		a.story.fail("the server of %s did not end cleanly: %v", a.name, err)
	}
	a.session = nil
}

// call calls a tool that must succeed.
func (a *actor) call(tool string, arguments args) value {
	v, failed := a.try(tool, arguments)
	if failed {
		a.story.fail("%s: %s %s was refused: %s", a.name, tool, compact(arguments), v.text("error", "message"))
	}
	return v
}

// refused calls a tool that must be refused, for that reason.
func (a *actor) refused(reason, tool string, arguments args) value {
	v, failed := a.try(tool, arguments)
	if !failed || v.text("error", "reason") != reason {
		a.story.fail("%s: %s %s should have been refused with %s, but the answer is %s", a.name, tool, compact(arguments), reason, compact(v.any))
	}
	return v.at("error")
}

// try calls a tool. After the story has failed nothing happens any more.
func (a *actor) try(tool string, arguments args) (v value, failed bool) {
	v.story = a.story
	if a.story.err != nil {
		return v, false
	}
	result, err := a.session.CallTool(a.story.ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.story.fail("%s: %s: %v", a.name, tool, err)
		return v, false
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		a.story.fail("%s: %s answered without text", a.name, tool)
		return v, false
	}
	if err := json.Unmarshal([]byte(content.Text), &v.any); err != nil {
		a.story.fail("%s: %s answered what is no JSON: %v", a.name, tool, err)
	}
	return v, result.IsError
}

func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
