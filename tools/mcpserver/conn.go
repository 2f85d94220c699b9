package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxHeld is how many calls may wait for their turn before no more input is
// read. The rest waits in the pipe, where it costs the client's memory.
const maxHeld = 1000

// conn is both the mcp.Transport and the mcp.Connection of one client. The
// reading goroutine (readLines) feeds it, the SDK takes requests from Read and
// hands answers to Write.
type conn struct {
	log *slog.Logger
	out lineWriter
	ctx context.Context // parent of the calls' contexts

	session session // of the reading goroutine alone

	mu        sync.Mutex
	wake      *sync.Cond // something below has changed
	calls     inflight
	ready     []*jsonrpc.Request // accepted, not yet taken by Read
	ended     bool               // no more requests are accepted
	closed    bool               // the SDK is done
	cut       bool               // calls have been cancelled to come to an end
	failure   error              // why the end is not a clean one
	timer     *time.Timer        // bounds the end, see drain.go
	abandoned chan struct{}      // closed when the end is not waited for any longer
}

var (
	_ mcp.Transport  = (*conn)(nil)
	_ mcp.Connection = (*conn)(nil)
)

func newConn(ctx context.Context, log *slog.Logger, stdout io.Writer) *conn {
	c := &conn{log: log, ctx: ctx, calls: newInflight(), abandoned: make(chan struct{})}
	c.out.out = stdout
	c.wake = sync.NewCond(&c.mu)
	return c
}

// Connect implements mcp.Transport.
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements mcp.Connection. A pipe needs no session id.
func (c *conn) SessionID() string { return "" }

// Read implements mcp.Connection: it gives the SDK the next request to run.
//
// The SDK cancels what is under way as soon as Read fails, and from then on
// writes nothing. So io.EOF is held back until every call has been answered.
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed, c.ended && len(c.calls.byNumber) == 0:
			return nil, io.EOF
		case len(c.ready) > 0:
			next := c.ready[0]
			c.ready = c.ready[1:]
			return next, nil
		}
		c.wake.Wait()
	}
}

// Write implements mcp.Connection: it sends the answer to a call and lets the
// next serial call go. Only when the answer is out does the call count as done.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		return nil // the SDK has nothing of its own to say to a client of ours
	}
	number, _ := response.ID.Raw().(int64)
	call := c.call(number)
	if call == nil {
		return nil // answered at the end of input, before it ran
	}
	var err error
	if c.freeID(call) {
		err = c.send(wireResponse{ID: []byte(call.id), Result: response.Result, Error: c.wireError(call, response.Error)})
	}
	c.finish(call)
	return err
}

// Close implements mcp.Connection.
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.wake.Broadcast()
	return nil
}

// wireError is err as it may be shown. An error that is not ours came out of
// the SDK: its text names Go types, so it goes to the log.
func (c *conn) wireError(call *call, err error) *refusal {
	if err == nil {
		return nil
	}
	if ours, ok := errors.AsType[*refusal](err); ok {
		return ours
	}
	c.log.Error("the SDK refused a request", "method", call.method, "error", err)
	return refuse(codeInternal, "the server could not handle the request")
}

// send writes a message. A broken stdout ends the connection.
func (c *conn) send(message any) error {
	err := c.out.write(message)
	if err != nil {
		c.breakOff(fmt.Errorf("mcpserver: writing to stdout: %w", err))
	}
	return err
}

// refuse answers a request that does not run. A nil id is sent as null.
func (c *conn) refuse(id jsontext.Value, r *refusal) {
	_ = c.send(wireResponse{ID: []byte(id), Error: r}) // a broken stdout has been noted
}

// call finds a call by its number.
func (c *conn) call(number int64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls.byNumber[number]
}

// freeID gives the id of a call back before its answer goes out: a client may
// use it again as soon as it has read that. It reports whether the client
// still wants the answer.
func (c *conn) freeID(call *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls.release(call)
	return !call.silent
}

// finish forgets an answered call.
func (c *conn) finish(call *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if next := c.calls.remove(call); next != nil {
		c.ready = append(c.ready, next.forSDK())
	}
	c.wake.Broadcast()
}
