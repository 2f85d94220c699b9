package mcpserver

import (
	"encoding/json"
	"slices"

	"acc/tools"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type subscribeResult struct{}

// subscribe answers when the watch has begun: a change after the answer is
// signalled, and one before it shows in what the client reads then.
func (m *middleware) subscribe(c *call) (json.RawMessage, *refusal) {
	resource, refused := m.watchable(c)
	if refused != nil {
		return nil, refused
	}
	if err := m.watches.subscribe(m.legacy, resource); err != nil {
		return nil, m.failed(c.ctx, resource.URI, err)
	}
	return marshal(subscribeResult{})
}

// unsubscribe answers when nothing more is sent. Nobody has to be subscribed.
func (m *middleware) unsubscribe(c *call) (json.RawMessage, *refusal) {
	resource, refused := m.watchable(c)
	if refused != nil {
		return nil, refused
	}
	m.watches.leave(m.legacy, resource.URI)
	return marshal(subscribeResult{})
}

// watchable is the resource that a call names, if its changes are signalled.
func (m *middleware) watchable(c *call) (tools.Resource, *refusal) {
	resource, refused := m.resource(c)
	if refused == nil && resource.Watch == nil {
		refused = invalidParams("changes of this resource are not signalled; read it again when you need it")
	}
	return resource, refused
}

// acknowledgement says what a listen is sent: of what it asked for, what there
// is. Lists do not change, so there is nothing to say of them.
type acknowledgement struct {
	Meta          map[string]jsontext.Value `json:"_meta"`
	Notifications honoured                  `json:"notifications"`
}

type honoured struct {
	Resources []string `json:"resourceSubscriptions,omitempty"`
}

type listenResult struct{ modernFields }

// listen keeps a stream open until the client cancels it or the connection
// ends, also one on which nothing is ever sent: its result would tell the
// client that it has ended, and one that wants it open would ask again at once.
func (m *middleware) listen(c *call) (json.RawMessage, *refusal) {
	resources, refused := m.listened(c)
	if refused != nil {
		return nil, refused
	}
	me := &subscriber{ctx: c.ctx, meta: map[string]jsontext.Value{mcp.MetaKeySubscriptionID: c.id}}
	defer m.watches.leave(me, uris(resources)...) // also after a panic
	m.watches.listen(me, resources, func(watched []string) {
		_ = m.conn.send(wireNotice{
			Method: "notifications/subscriptions/acknowledged",
			Params: acknowledgement{Meta: me.meta, Notifications: honoured{watched}},
		})
	})
	<-c.ctx.Done()
	result := listenResult{m.cfg.modern()}
	result.Meta.SubscriptionID = c.id
	return marshal(result)
}

// listened is what a listen asks for and gets: each resource once, those that
// are not known or not watched left out.
func (m *middleware) listened(c *call) ([]tools.Resource, *refusal) {
	wanted, refused := c.params.object("notifications")
	switch {
	case refused != nil:
		return nil, refused
	case wanted == nil:
		return nil, invalidParams("notifications must be an object")
	}
	var asked []string
	if raw := wanted["resourceSubscriptions"]; raw != nil {
		if err := decode(raw, &asked); err != nil {
			return nil, invalidParams("resourceSubscriptions must be an array of strings")
		}
	}
	var found []tools.Resource
	for _, r := range m.cfg.Registry.Resources {
		if r.Watch != nil && slices.Contains(asked, r.URI) {
			found = append(found, r)
		}
	}
	return found, nil
}

func uris(resources []tools.Resource) []string {
	var list []string
	for _, r := range resources {
		list = append(list, r.URI)
	}
	return list
}
