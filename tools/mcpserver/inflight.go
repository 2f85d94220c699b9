package mcpserver

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// metaCall is the key under which middleware finds the number of its call.
const metaCall = "acc/call"

// call is a request that was accepted and is not answered yet.
type call struct {
	request
	id     jsontext.Value // as the client wrote it
	number int64          // its id inside the SDK
	ctx    context.Context
	cancel context.CancelFunc
	silent bool // cancelled by the client, which wants no answer any more
}

// inflight holds the calls of a connection. It is guarded by conn.mu.
//
// Inside the SDK a call goes by a number of ours. So every id comes back as it
// was written (1.5 and 9007199254740993 do not survive the SDK), and an id may
// be used again while the call that it was taken from still winds down.
type inflight struct {
	last     int64
	byNumber map[int64]*call  // every call, up to the end of its handler
	byID     map[string]*call // those whose id is taken
	held     []*call          // serial calls that wait their turn, in order of arrival
	running  *call            // the serial call whose turn it is
}

func newInflight() inflight {
	return inflight{byNumber: map[int64]*call{}, byID: map[string]*call{}}
}

// taken reports whether a request under way holds the id.
func (t *inflight) taken(id jsontext.Value) bool { return t.byID[idKey(id)] != nil }

// add takes a request in. Its id is not taken.
func (t *inflight) add(ctx context.Context, r request, id jsontext.Value) *call {
	t.last++
	c := &call{request: r, id: id, number: t.last}
	c.ctx, c.cancel = context.WithCancel(ctx)
	t.byNumber[c.number], t.byID[idKey(id)] = c, c
	return c
}

// start reports whether c may run now. Otherwise it is held.
func (t *inflight) start(c *call) bool {
	switch {
	case !c.serial:
		return true
	case t.running == nil:
		t.running = c
		return true
	}
	t.held = append(t.held, c)
	return false
}

// release frees the id of c for another request.
func (t *inflight) release(c *call) {
	if t.byID[idKey(c.id)] == c {
		delete(t.byID, idKey(c.id))
	}
}

// remove forgets c and returns the call whose turn comes with that, if any.
func (t *inflight) remove(c *call) *call {
	t.release(c)
	delete(t.byNumber, c.number)
	c.cancel()
	if t.running != c {
		return nil
	}
	t.running = nil
	if len(t.held) == 0 {
		return nil
	}
	next := t.held[0]
	t.held = t.held[1:]
	t.running = next
	return next
}

// forSDK is what the SDK gets to see of c: the method and the number. The
// modern keys open its gate for the methods that it knows as modern only.
func (c *call) forSDK() *jsonrpc.Request {
	meta := map[string]any{metaCall: c.number}
	if c.modern {
		meta[mcp.MetaKeyProtocolVersion] = rev2026
		meta[mcp.MetaKeyClientCapabilities] = struct{}{}
	}
	params, err := json.Marshal(map[string]any{"_meta": meta})
	if err != nil {
		panic(err) // strings, a number and an empty object
	}
	id, err := jsonrpc.MakeID(float64(c.number))
	if err != nil {
		panic(err) // a number is an id
	}
	return &jsonrpc.Request{ID: id, Method: c.method, Params: params}
}

// idKey is equal for ids that mean the same: 1 and 1.0, "a" and "\u0061".
func idKey(id jsontext.Value) string {
	if id.Kind() == '"' {
		return "s" + str(id)
	}
	if i, err := strconv.ParseInt(string(id), 10, 64); err == nil {
		return "n" + strconv.FormatInt(i, 10)
	}
	// Below this bound a float stands for one integer only.
	const exact = 1 << 53
	f, err := strconv.ParseFloat(string(id), 64)
	if err == nil && f > -exact && f < exact && f == float64(int64(f)) {
		return "n" + strconv.FormatInt(int64(f), 10)
	}
	return "n" + string(id)
}
