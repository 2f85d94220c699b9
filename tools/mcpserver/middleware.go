package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// middleware answers every method in place of the SDK. What does not change
// while the server runs is encoded once, so it is the same bytes each time.
type middleware struct {
	cfg     Config
	conn    *conn
	fixed   map[string]fixed // by method
	watches *watches
	legacy  *subscriber // of resources/subscribe: there is one of it on a connection
}

// fixed is an answer that is the same for every request of an era.
type fixed struct{ legacy, modern json.RawMessage }

func newMiddleware(cfg Config, c *conn) (*middleware, error) {
	m := &middleware{cfg: cfg, conn: c, watches: newWatches(c), legacy: &subscriber{ctx: c.ctx}}
	var err error
	m.fixed, err = fixedAnswers(cfg)
	return m, err
}

// answer is a result that is encoded already.
type answer struct {
	mcp.ResultBase
	body json.RawMessage
}

// MarshalJSON hands the SDK the bytes. What it would add is in them.
func (a *answer) MarshalJSON() ([]byte, error) { return a.body, nil }

// wrap is the middleware. The SDK's own handlers are never reached.
func (m *middleware) wrap(mcp.MethodHandler) mcp.MethodHandler {
	return func(_ context.Context, _ string, req mcp.Request) (_ mcp.Result, err error) {
		number, _ := req.GetParams().GetMeta()[metaCall].(float64)
		c := m.conn.call(int64(number))
		if c == nil {
			return nil, refuse(codeInternal, "the server lost this request")
		}
		defer func() {
			if r := recover(); r != nil {
				m.logPanic(c.method, r)
				err = refuse(codeInternal, "the server failed on this request; see its stderr")
			}
		}()
		body, refused := m.answer(c)
		if refused != nil {
			return nil, refused
		}
		return &answer{body: body}, nil
	}
}

// answer makes the result of one call. The call's own context is used and not
// the SDK's, which ends as soon as reading does.
func (m *middleware) answer(c *call) (json.RawMessage, *refusal) {
	if c.ctx.Err() != nil {
		return nil, refuse(codeInternal, "the call was cancelled before it ran")
	}
	if known, ok := m.fixed[c.method]; ok {
		if str(c.params["cursor"]) != "" {
			return nil, invalidParams("the cursor is unknown; all there is comes on the first page")
		}
		if c.modern {
			return known.modern, nil
		}
		return known.legacy, nil
	}
	switch c.method {
	case "initialize":
		return m.initialize(c)
	case "subscriptions/listen":
		return m.listen(c)
	case "tools/call":
		return m.callTool(c)
	case "resources/read":
		return m.readResource(c)
	case "resources/subscribe":
		return m.subscribe(c)
	case "resources/unsubscribe":
		return m.unsubscribe(c)
	case "prompts/get":
		return nil, invalidParams("there is no such prompt; this server has none")
	}
	return nil, refuse(codeMethodNotFound, "this method is not served")
}

// marshal encodes a result of ours.
func marshal(v any) (json.RawMessage, *refusal) {
	b, err := encode(v)
	if err != nil {
		return nil, refuse(codeInternal, "the result could not be encoded")
	}
	return b, nil
}

func (m *middleware) logPanic(where string, r any) {
	m.cfg.Logger.Error("panic", "in", where, "value", fmt.Sprint(r), "stack", string(debug.Stack()))
}
