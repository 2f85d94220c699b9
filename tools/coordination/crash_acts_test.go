package coordination

import (
	"context"
	"time"

	"acc/schema"
	"acc/tools"
)

// act is one call of alice that changes something, in a room that was prepared
// for it. It does all that it does in one transaction.
type act struct {
	name string
	what string // a tool, or a method of Room
	// given prepares the room and gives the arguments of the call.
	given func(w *world) string
	// call makes a call that is no tool's.
	call   func(c *client, args string) error
	repeat repeat
}

// repeat says what a call does that was made once already.
type repeat int

const (
	once  repeat = iota // nothing: the room is what one call makes of it
	noted               // the records are the same, and there are more events
	anew                // what it did the first time
)

// acts are all the calls that the sweep goes through.
func acts() []act {
	var all []act
	for _, some := range [][]act{firstActs, claimActs, releaseActs, mailActs, answerActs, finishActs, commandActs, clientActs} {
		all = append(all, some...)
	}
	return all
}

// noRoom leaves the workspace without a room.
func noRoom(args string) func(*world) string { return func(*world) string { return args } }

// among has alice and bob in the room, who have written to each other before.
func among(args string) func(*world) string {
	return func(w *world) string {
		alice, bob := w.join("alice"), w.join("bob")
		alice.send("bob", "earlier")
		bob.acquire("file:of/bob.go")
		return args
	}
}

var firstActs = []act{
	{name: "first call", what: "acc_status", given: noRoom(`{}`)},
	{name: "first handoff", what: "acc_finish", given: noRoom(`{"goal":"g","clientMessageId":"k"}`)},
	{name: "newcomer", what: "acc_sync", given: func(w *world) string {
		w.join("bob").send("bob", "earlier")
		return `{"cursor":"0000000000000000"}`
	}},
	{name: "told of what expired", what: "acc_status", given: expired},
	{name: "sync tells of what expired", what: "acc_sync", given: func(w *world) string {
		expired(w)
		return `{"cursor":"0000000000000001"}`
	}},
	{name: "announce", what: "acc_work", given: among(`{"summary":"s","mode":"edit","resourceHints":["file:a"]}`), repeat: noted},
	{name: "take back", what: "acc_work", given: func(w *world) string {
		w.join("bob")
		w.join("alice").ok("acc_work", `{"summary":"s","mode":"edit"}`)
		return `{"clear":true}`
	}},
}

// expired has two claims of alice run out.
func expired(w *world) string {
	among("")(w)
	alice := w.start("alice")
	alice.ok("acc_claim", `{"action":"acquire","resources":["file:a","file:b"],"leaseSeconds":60}`)
	w.pass(2 * time.Minute)
	return `{}`
}

var claimActs = []act{
	{name: "claim", what: "acc_claim", given: among(`{"action":"acquire","resource":"file:a","reason":"r"}`), repeat: noted},
	{name: "claim a batch", what: "acc_claim", given: among(`{"action":"acquire","resources":["file:a","file:b/**","db:c"]}`), repeat: noted},
	{name: "claim more of it", what: "acc_claim", repeat: noted, given: func(w *world) string {
		among("")(w)
		w.start("alice").acquire("file:a")
		return `{"action":"acquire","resources":["file:a","file:b"]}`
	}},
	{name: "renew", what: "acc_claim", repeat: noted, given: func(w *world) string {
		among("")(w)
		return `{"action":"renew","claimId":` + quoted(w.start("alice").acquire("file:a")) + `,"leaseSeconds":3600}`
	}},
	{name: "renew what expired", what: "acc_claim", repeat: noted, given: func(w *world) string {
		among("")(w)
		id := w.start("alice").acquire("file:a")
		w.pass(time.Hour)
		w.start("alice").ok("acc_status", `{}`)
		return `{"action":"renew","claimId":` + quoted(id) + `}`
	}},
	{name: "take over", what: "acc_claim", repeat: noted, given: func(w *world) string {
		among("")(w) // bob's claim is past its lease after an hour
		w.pass(time.Hour)
		return `{"action":"acquire","resources":["file:of/**","file:a"]}`
	}},
}

// holding has alice hold three claims and gives their ids.
func holding(w *world) (ids []string) {
	among("")(w)
	alice := w.start("alice")
	for _, r := range []string{"file:a", "file:b/**", "db:c"} {
		ids = append(ids, alice.acquire(r))
	}
	return ids
}

var releaseActs = []act{
	{name: "release by id", what: "acc_release", given: func(w *world) string { return `{"claimId":` + quoted(holding(w)[0]) + `}` }},
	{name: "release by ids", what: "acc_release", given: func(w *world) string {
		ids := holding(w)
		return `{"claimIds":[` + quoted(ids[0]) + `,` + quoted(ids[2]) + `]}`
	}},
	{name: "release by resource", what: "acc_release", given: func(w *world) string { holding(w); return `{"resource":"file:a"}` }},
	{name: "release by resources", what: "acc_release", given: func(w *world) string { holding(w); return `{"resources":["db:c","file:b/**"]}` }},
	{name: "release all", what: "acc_release", given: func(w *world) string { holding(w); return `{"all":true}` }},
}

var mailActs = []act{
	{name: "note", what: "acc_message", given: among(`{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k"}`)},
	{name: "question to two", what: "acc_message", given: func(w *world) string {
		among("")(w)
		w.join("carol")
		return `{"to":["bob","carol"],"kind":"question","subject":"s","body":"b","clientMessageId":"k"}`
	}},
	{name: "note to the room", what: "acc_message", given: among(`{"to":[],"subject":"s","body":"b","clientMessageId":"k"}`)},
	{name: "decision", what: "acc_message", given: among(`{"to":["bob"],"kind":"decision","subject":"s","body":"b","clientMessageId":"k"}`)},
	{name: "replace a decision", what: "acc_message", given: func(w *world) string {
		return `{"to":[],"kind":"decision","subject":"s","body":"b","clientMessageId":"k","supersedes":[` + quoted(decided(w)) + `]}`
	}},
	{name: "withdraw a decision", what: "acc_message", given: func(w *world) string {
		return `{"to":[],"kind":"decision","subject":"s","body":"b","clientMessageId":"k","withdraws":[` + quoted(decided(w)) + `]}`
	}},
	{name: "request", what: "acc_request", given: among(`{"toParticipantId":"bob","title":"t","detail":"d","clientMessageId":"k"}`)},
}

// decided has a decision of bob's in the room, which alice was sent.
func decided(w *world) string {
	among("")(w)
	return w.start("bob").ok("acc_message", `{"to":["alice"],"kind":"decision","subject":"d","body":"b"}`).str("message.messageId")
}

// asked has a question wait for alice.
func asked(w *world) string {
	among("")(w)
	return w.start("bob").ask("alice", "q")
}

var answerActs = []act{
	{name: "read", what: "acc_inbox", given: func(w *world) string { return `{"messageId":` + quoted(asked(w)) + `}` }},
	{name: "reply", what: "acc_reply", given: func(w *world) string {
		return `{"messageId":` + quoted(asked(w)) + `,"body":"b","clientMessageId":"k"}`
	}},
	{name: "acknowledge", what: "acc_ack", given: func(w *world) string {
		among("")(w)
		id := w.start("bob").ok("acc_message", `{"to":["alice"],"kind":"decision","obligation":"acknowledge","subject":"d","body":"b"}`)
		return `{"messageId":` + quoted(id.str("message.messageId")) + `}`
	}},
}

var finishActs = []act{
	{name: "handoff to bob", what: "acc_finish", given: among(`{"goal":"g","toParticipantId":"bob","clientMessageId":"k"}`)},
	{name: "handoff to whoever comes", what: "acc_finish", given: among(`{"goal":"g","remaining":["r"],"clientMessageId":"k"}`)},
	{name: "finish with everything", what: "acc_finish", given: func(w *world) string {
		expired(w)
		alice := w.start("alice")
		alice.ok("acc_status", `{}`)
		alice.ok("acc_claim", `{"action":"acquire","resources":["file:c","file:d"]}`)
		alice.ok("acc_work", `{"summary":"s","mode":"edit"}`)
		return `{"goal":"g","toParticipantId":"bob","status":"complete","clientMessageId":"k"}`
	}},
}

// What the command line does and no tool.
var commandActs = []act{
	{name: "force a release", what: "ForceRelease", given: func(w *world) string { among("")(w); return w.start("bob").acquire("file:a") },
		call: func(c *client, claim string) error {
			_, err := c.room.ForceRelease(context.Background(), claim, schema.AuthorityHuman, "r")
			return err
		}},
	{name: "attach", what: "Attach", given: among(""), repeat: anew, call: func(c *client, _ string) error {
		_, err := c.room.Attach(context.Background(), tools.Caller{})
		return err
	}},
	{name: "attach and keep", what: "Keep", given: among(""), repeat: anew, call: func(c *client, _ string) error {
		out, err := c.room.Attach(context.Background(), tools.Caller{})
		if err != nil {
			return err
		}
		return c.room.Keep(out)
	}},
	{name: "detach", what: "Detach", given: func(w *world) string { holding(w); return "" }, repeat: anew, call: func(c *client, _ string) error {
		_, err := c.room.Detach(context.Background())
		return err
	}},
	{name: "heartbeat of a newcomer", what: "Heartbeat", given: func(w *world) string { w.join("bob"); return "" }, call: func(c *client, _ string) error {
		_, err := c.room.Heartbeat(context.Background())
		return err
	}},
}

// What adapters do for a client.
var clientActs = []act{
	{name: "begin", what: "Begin", given: among(""), call: func(c *client, _ string) error {
		_, err := c.room.Begin(context.Background(), tools.Caller{Harness: c.harness}, false)
		return err
	}},
	{name: "guard", what: "Guarded", given: among(""), call: guard},
	{name: "end", what: "End", given: func(w *world) string {
		among("")(w)
		if err := guard(w.start("alice"), ""); err != nil {
			w.t.Fatal(err)
		}
		return ""
	}, call: func(c *client, _ string) error {
		return c.room.End(context.Background(), tools.Caller{Harness: c.harness}, "hooks")
	}},
	{name: "offer", what: "Collect", given: asked, call: offering(func(p *Parcel) error {
		return p.Accepted(context.Background(), "hooks")
	})},
	{name: "offer in vain", what: "Collect", given: asked, call: offering(func(p *Parcel) error {
		return p.Refused(context.Background(), "hooks", schema.TransportError)
	})},
}

func guard(c *client, _ string) error {
	_, err := c.room.Guarded(context.Background(), tools.Caller{Harness: c.harness})
	return err
}

// offering collects all mail for a client, and says what came of it.
func offering(outcome func(*Parcel) error) func(*client, string) error {
	return func(c *client, _ string) error {
		p, err := c.room.Collect(context.Background(), tools.Caller{Harness: c.harness}, Pick{Policy: schema.DeliverAll})
		if err != nil {
			return err
		}
		defer p.Close()
		return outcome(p)
	}
}
