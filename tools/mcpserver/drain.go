package mcpserver

import "time"

// The end of a connection is bounded, because clients kill a server that
// lingers: after drainTime calls are cancelled, after lastGrace more they are
// left behind.
const (
	drainTime = 800 * time.Millisecond
	lastGrace = 150 * time.Millisecond
)

// endInput begins the end: nothing more is read, what was read is finished and
// answered. failure is nil for a clean end.
func (c *conn) endInput(failure error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended, c.failure = true, failure
	for _, call := range c.calls.byNumber {
		if call.method == "subscriptions/listen" {
			call.cancel() // it has no end of its own, and answers at once
		}
	}
	c.timer = time.AfterFunc(drainTime, c.cutShort)
	c.wake.Broadcast()
}

// breakOff ends a connection whose client cannot hear answers any more.
func (c *conn) breakOff(failure error) {
	c.endInput(failure)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = failure
	}
	if !c.cut {
		go c.cutShort()
	}
}

// cutShort cancels the calls that run and refuses those that did not start.
func (c *conn) cutShort() {
	c.mu.Lock()
	if c.cut {
		c.mu.Unlock()
		return
	}
	c.cut = true
	held := c.calls.held
	c.calls.held = nil
	for _, call := range held {
		c.calls.remove(call)
	}
	for _, call := range c.calls.byNumber {
		call.cancel()
	}
	c.timer = time.AfterFunc(lastGrace, func() { close(c.abandoned) })
	c.wake.Broadcast()
	c.mu.Unlock()

	for _, call := range held {
		c.refuse(call.id, refuse(codeInternal, "the server ends; this call was not run"))
	}
}

// result is what Serve returns.
func (c *conn) result() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.failure == nil && len(c.calls.byNumber) > 0 {
		return errAbandoned
	}
	return c.failure
}
