package hook

import (
	"context"
	"errors"
	"io"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

// Request is one call of a hook.
type Request struct {
	Workspace   fsstore.Workspace
	Room        *coordination.Room // of the participant that the client is here
	Participant string
	Client      string                // its id
	Policy      schema.DeliveryPolicy // what is put in front of the model; guards and presence do not depend on it
	Input       client.Input
	Now         time.Time
}

// call is one hook under way.
type call struct {
	Request
	caller tools.Caller
	tested client.Tested // what the client is known to do; nothing when it is not supported
	out    io.Writer
}

// Run does what the event asks for, and writes at most one answer to out, in
// one piece. Where there is no room it does nothing and makes none.
//
// What was put in front of the model is recorded after it was written; a crash
// in between shows it again.
func Run(ctx context.Context, req Request, out io.Writer) error {
	if !req.Workspace.Initialised {
		return nil
	}
	c := &call{Request: req, out: out, caller: tools.Caller{
		Harness: client.Harness(req.Client), Version: req.Input.Version, ClientSession: req.Input.ClientSession,
	}}
	err := c.event(ctx)
	if errors.Is(err, fsstore.ErrNoRoom) {
		return nil // it was removed meanwhile
	}
	return err
}

func (c *call) event(ctx context.Context) error {
	switch c.Input.Event {
	case client.SessionStart:
		return c.start(ctx)
	case client.BeforeTurn:
		return c.turn(ctx, func(t client.Tested) bool { return t.Capabilities.Context.BeforeTurn })
	case client.BeforeTool:
		return c.tool(ctx)
	case client.AfterTool:
		return c.turn(ctx, func(t client.Tested) bool { return t.Capabilities.Context.SafePoint })
	case client.Stop:
		return c.stop(ctx)
	case client.SessionEnd:
		return c.end(ctx)
	}
	return nil
}

// end records that the client has gone. One that is cleared stays, and signals
// its start at once under a new name.
func (c *call) end(ctx context.Context) error {
	if c.Input.Reason == client.ReasonClear {
		return c.alive(ctx)
	}
	return c.Room.End(ctx, c.caller, c.Client)
}

// alive records a sign of life of the client, and that its hooks run. Only a
// new turn gives a client that has finished its session a new one.
func (c *call) alive(ctx context.Context) error {
	newTurn := c.Input.Event == client.SessionStart || c.Input.Event == client.BeforeTurn && !c.Input.Midway
	if !newTurn {
		if here, err := c.Room.Attending(ctx, c.caller); !here || err != nil {
			return err
		}
	}
	v, err := c.Room.Hooked(ctx, c.caller)
	if err == nil {
		err = c.bind(ctx, v)
	}
	if err == nil && c.Input.Event == client.BeforeTool && c.tested.Capabilities.Guards.BeforeWrite {
		_, err = c.Room.Guarded(ctx, c.caller)
	}
	return err
}

// bind says that the client can be reached, as far as evidence goes.
func (c *call) bind(ctx context.Context, v coordination.Visit) error {
	version := c.Input.Version
	if version == "" {
		version = v.ClientVersion
	}
	c.tested, _ = client.For(c.Client, version)
	if c.Policy == schema.DeliverNothing {
		return c.Room.Unbind(v.SessionID, c.Client)
	}
	var modes []schema.DeliveryMode
	if c.tested.Capabilities.Delivery.NextTurn {
		modes = append(modes, schema.NextTurn)
	}
	return c.Room.Bind(ctx, c.caller, coordination.Adapter{
		ID: c.Client, ClientVersion: version, Modes: modes, Capabilities: c.tested.Capabilities,
	})
}

// transport is how the receipts of this client's mail name the hook.
func (c *call) transport() string { return c.Client }

// write gives the client its answer. A part of an answer is none.
func (c *call) write(a client.Answer) error {
	data, err := a.Format(c.Client, c.Input.Event)
	if err != nil || len(data) == 0 {
		return err
	}
	n, err := c.out.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return schema.Fail(schema.ReasonInternalUnexpected, "the answer could not be written.").Because(err)
	}
	return nil
}
