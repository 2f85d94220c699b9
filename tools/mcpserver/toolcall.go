package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"acc/schema"
	"acc/tools"
)

type callResult struct {
	Content    []textContent   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	modernFields
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// callTool runs a tool. What the tool refuses is a result with isError, since
// clients repeat a call, or restart the server, after a JSON-RPC error.
func (m *middleware) callTool(c *call) (json.RawMessage, *refusal) {
	name := c.params["name"]
	if name.Kind() != '"' {
		return nil, invalidParams("tools/call needs the name of a tool, a string")
	}
	tool, ok := m.cfg.Registry.Tool(str(name))
	if !ok {
		return nil, invalidParams("there is no tool of that name; tools/list has them all")
	}
	value, err := m.run(tool.Name, func() (any, error) {
		// The tool decodes and refuses arguments of every form, none included.
		return tool.Call(c.ctx, m.caller(c), json.RawMessage(c.params["arguments"]))
	})
	var text []byte
	if err == nil {
		if text, err = render(value, c.client.quirks); err != nil {
			err = fmt.Errorf("the result of %s: %w", tool.Name, err)
		}
	}
	result := callResult{IsError: err != nil}
	if err != nil {
		text = renderError(m.explain(c.ctx, tool.Name, err))
	}
	result.Content = []textContent{{"text", string(text)}}
	if c.modern {
		result.modernFields = m.cfg.modern()
	}
	if c.modern || text[0] == '{' {
		result.Structured = text // older revisions allow objects only
	}
	return marshal(result)
}

// run calls f, which belongs to a tool or a resource, and survives its panic.
func (m *middleware) run(what string, f func() (any, error)) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			m.logPanic(what, r)
			value, err = nil, errPanic
		}
	}()
	return f()
}

// explain turns err into what a client may see and logs the rest.
func (m *middleware) explain(ctx context.Context, what string, err error) *schema.Error {
	e := schema.AsError(err)
	level := slog.LevelDebug
	if e.Reason == schema.ReasonInternalUnexpected && err != errPanic && ctx.Err() == nil {
		level = slog.LevelError // neither logged before nor the effect of a cancellation
	}
	m.cfg.Logger.Log(ctx, level, "refused", "by", what, "reason", e.Reason, "cause", e.Err)
	return e
}

// caller is what a tool learns of the client.
func (m *middleware) caller(c *call) tools.Caller {
	return m.cfg.Caller(c.client.name, c.client.version, c.params["_meta"])
}
