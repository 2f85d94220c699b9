package mcpserver

import (
	"errors"
	"io"
	"slices"
)

// readLines takes in what the client sends, up to the end of its stream. It
// never runs a request: what waits for an answer must not keep a ping or a
// cancellation from being read.
func (c *conn) readLines(stdin io.Reader) {
	lines := newLineReader(stdin)
	for {
		line, err := lines.next()
		if !c.wantsInput() {
			return
		}
		switch {
		case errors.Is(err, errLineTooLong):
			c.refuse(nil, invalidRequest("the line is longer than 16 MiB"))
		case errors.Is(err, io.EOF):
			c.endInput(nil)
			return
		case err != nil:
			c.log.Error("reading stdin", "error", err)
			c.endInput(errors.New("mcpserver: stdin broke"))
			return
		default:
			c.takeLine(line)
		}
	}
}

// wantsInput waits until there is room, and reports whether input still counts.
func (c *conn) wantsInput() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.calls.held) >= maxHeld && !c.ended {
		c.wake.Wait()
	}
	return !c.ended
}

// takeLine refuses, obeys or accepts one line.
func (c *conn) takeLine(line []byte) {
	f, refused := parseFrame(line)
	switch {
	case refused != nil:
		c.refuse(f.id, refused)
	case f.ignore:
	case f.id == nil && f.method == "notifications/cancelled":
		c.cancel(f.params)
	case f.id == nil:
		c.session.notice(f.method) // and no notification is ever answered
	default:
		c.takeRequest(f)
	}
}

// takeRequest accepts a request or refuses it.
func (c *conn) takeRequest(f frame) {
	c.mu.Lock()
	taken := c.calls.taken(f.id)
	c.mu.Unlock()
	if taken {
		// The id is not echoed: an answer with it would pass for the answer
		// to the request that holds it.
		c.refuse(nil, invalidRequest("the id is in use by a request under way"))
		return
	}
	r, refused := c.session.accept(f)
	if refused != nil {
		c.refuse(f.id, refused)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return // stopped while the line was read
	}
	call := c.calls.add(c.ctx, r, f.id)
	if c.calls.start(call) {
		c.ready = append(c.ready, call.forSDK())
		c.wake.Broadcast()
	}
}

// cancel stops a call. A call that does not exist is no mistake: clients
// cancel what has been answered in the meantime. initialize is not cancelled,
// as the specification has it.
func (c *conn) cancel(params fields) {
	id := params["requestId"]
	if !validID(id) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.calls.byID[idKey(id)]
	if call == nil || call.method == "initialize" {
		return
	}
	call.silent = true
	call.cancel()
	c.calls.release(call)
	if i := slices.Index(c.calls.held, call); i >= 0 {
		c.calls.held = slices.Delete(c.calls.held, i, i+1)
		c.calls.remove(call)
	}
	c.wake.Broadcast()
}
