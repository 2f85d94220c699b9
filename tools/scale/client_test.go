package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"acc/fsstore"
	"acc/tools"
	"acc/tools/coordination"
)

// client is one participant's server without the protocol: the registry.
type client struct {
	room     *coordination.Room
	registry tools.Registry
}

func environment() fsstore.Env { return fsstore.RealEnv(slog.New(slog.DiscardHandler)) }

func newClient(dir, name string) (*client, error) {
	w, err := fsstore.Locate(dir)
	if err != nil {
		return nil, err
	}
	c := &client{room: coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: name, Env: environment()})}
	c.registry.Add(coordination.Tools(c.room), nil)
	_, err = c.call("acc_status", `{}`)
	return c, err
}

// join is a client whose session is open and whose room is.
func join(tb testing.TB, dir, name string) *client {
	tb.Helper()
	c, err := newClient(dir, name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.room.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func (c *client) call(tool, args string) (any, error) {
	t, ok := c.registry.Tool(tool)
	if !ok {
		return nil, fmt.Errorf("there is no tool %s", tool)
	}
	return t.Call(context.Background(), tools.Caller{Harness: "codex"}, json.RawMessage(args))
}

// does is a call that must succeed, with its arguments made for each.
func (c *client) does(tb testing.TB, tool string, args func() string) func() {
	return func() {
		tb.Helper()
		if _, err := c.call(tool, args()); err != nil {
			tb.Fatal(err)
		}
	}
}

func always(args string) func() string { return func() string { return args } }

// sent calls a tool that sends and returns the id of the message.
func (c *client) sent(tb testing.TB, args string) string {
	tb.Helper()
	answer, err := c.call("acc_message", args)
	if err != nil {
		tb.Fatal(err)
	}
	return answer.(coordination.Sent).Message.MessageID
}
