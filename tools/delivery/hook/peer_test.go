package hook

import (
	"context"
	"encoding/json"
	"time"

	"acc/fsstore"
	"acc/tools"
	"acc/tools/coordination"
)

// peer is a participant with tools and without hooks.
type peer struct {
	*house
	name     string
	room     *coordination.Room
	registry tools.Registry
	caller   tools.Caller
}

func (h *house) peer(name string) *peer {
	h.t.Helper()
	p := &peer{house: h, name: name, caller: tools.Caller{Harness: "mcp"}}
	p.room = coordination.NewRoom(coordination.Config{Workspace: h.workspace(), ParticipantID: name, Env: h.env()})
	h.t.Cleanup(func() { _ = p.room.Close() })
	p.registry.Add(coordination.Tools(p.room), coordination.Resources(p.room))
	p.call("acc_status", "{}")
	return p
}

// call runs a tool that must succeed, and gives its answer as JSON.
func (p *peer) call(tool, args string) string {
	p.t.Helper()
	found, _ := p.registry.Tool(tool)
	value, err := found.Call(context.Background(), p.caller, json.RawMessage(args))
	if err != nil {
		p.t.Fatalf("%s %s: %v", tool, args, err)
	}
	data, err := json.Marshal(value)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// send sends a message and gives its id.
func (p *peer) send(to, kind, subject, body string) string {
	p.t.Helper()
	p.pass(time.Millisecond)
	var sent coordination.Sent
	args, _ := json.Marshal(map[string]any{"to": []string{to}, "kind": kind, "subject": subject, "body": body})
	if err := json.Unmarshal([]byte(p.call("acc_message", string(args))), &sent); err != nil {
		p.t.Fatal(err)
	}
	return sent.Message.MessageID
}

// state is how far a message got with a recipient, and over which transport.
func (p *peer) state(to, id string) string {
	p.t.Helper()
	var out string
	s, err := fsstore.Open(p.dir, p.env())
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	err = s.View(context.Background(), func(v *fsstore.View) error {
		m, err := v.Message(id)
		if err != nil {
			return err
		}
		r, err := v.Receipt(to, &m)
		out = string(r.State)
		if r.Offered != nil {
			out += " " + r.Offered.Transport
		}
		if r.Attempt != nil {
			out += " " + string(r.Attempt.ErrorCode)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}
