package coordination

import (
	"testing"
	"time"

	"acc/schema"
)

func TestReadingMovesAReceiptOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := quoted(alice.send("bob", "s"))
	w.pass(time.Minute)
	first := bob.ok("acc_inbox", `{"messageId":`+id+`}`)
	first.want("0.receipt.state", `"retrieved"`)
	first.want("0.receipt.updatedAt", `"2026-11-30T12:01:00.000Z"`)
	w.pass(time.Minute)
	bob.quiet("a second read", func() {
		w.unchanged("a second read", func() { equal(t, "read", bob.ok("acc_inbox", `{"messageId":`+id+`}`).text, first.text) })
	})
	bob.ok("acc_inbox", `{}`).want("items", `[]`) // a note that was read is settled
}

func TestListingMovesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	id := quoted(alice.ask("bob", "s"))
	bob.quiet("listing", func() {
		w.unchanged("listing", func() {
			bob.ok("acc_inbox", `{}`)
			bob.ok("acc_inbox", `{"limit":1}`)
			bob.ok("acc_status", `{}`)
			bob.ok("acc_sync", `{}`)
			bob.ok("acc_sync", `{"scope":"full"}`)
			bob.ok("acc_sync", `{"scope":"history"}`)
			bob.ok("acc_sync", `{"scope":"history","messageId":`+id+`}`)
			for _, uri := range []string{"acc://inbox", "acc://roster", "acc://snapshot"} {
				bob.read(uri)
			}
		})
	})
	bob.ok("acc_inbox", `{}`).want("items.0.receipt.state", `"queued"`)
}

func TestAck(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob, carol := w.join("alice"), w.join("bob"), w.join("carol")
	decision := quoted(alice.ok("acc_message",
		`{"to":["bob"],"subject":"s","body":"b","kind":"decision","obligation":"acknowledge"}`).str("message.messageId"))

	// What owes an acknowledgement stays in the inbox when it was read.
	bob.ok("acc_inbox", `{"messageId":`+decision+`}`)
	bob.ok("acc_inbox", `{}`).want("items.0.receipt.state", `"retrieved"`)

	w.pass(time.Minute)
	first := bob.ok("acc_ack", `{"messageId":`+decision+`}`)
	first.want("state", `"acknowledged"`)
	w.pass(time.Minute)
	bob.quiet("a second ack", func() {
		w.unchanged("a second ack", func() { equal(t, "ack", bob.ok("acc_ack", `{"messageId":`+decision+`}`).text, first.text) })
	})
	bob.quiet("reading what is acknowledged", func() {
		w.unchanged("a read", func() {
			bob.ok("acc_inbox", `{"messageId":`+decision+`}`).want("0.receipt", first.text)
		})
	})
	bob.ok("acc_inbox", `{}`).want("items", `[]`)
	w.unchanged("foreign mail", func() {
		carol.refused("acc_ack", `{"messageId":`+decision+`}`, schema.ReasonMessageUnknown)
		alice.refused("acc_ack", `{"messageId":`+decision+`}`, schema.ReasonMessageUnknown)
		carol.refused("acc_inbox", `{"messageId":`+decision+`}`, schema.ReasonMessageUnknown)
	})

	// Without being read first: skipping a state is allowed.
	note := quoted(alice.send("bob", "s"))
	before := bob.cursor()
	bob.ok("acc_ack", `{"messageId":`+note+`}`).want("state", `"acknowledged"`)
	types, _ := bob.events(before)
	equal(t, "events", types, []string{"receipt.acknowledged"})
}

func TestAckOfAQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	question := quoted(alice.ask("bob", "s"))
	request := quoted(alice.ok("acc_request", `{"toParticipantId":"bob","title":"t"}`).str("message.messageId"))
	for _, id := range []string{question, request} {
		w.unchanged("an ack of what wants a reply", func() {
			e := bob.refused("acc_ack", `{"messageId":`+id+`}`, schema.ReasonReplyRequired)
			equal(t, "code", e.Code, schema.CodeConflict)
		})
		bob.ok("acc_inbox", `{"messageId":`+id+`}`)
		bob.refused("acc_ack", `{"messageId":`+id+`}`, schema.ReasonReplyRequired)
		bob.ok("acc_reply", `{"messageId":`+id+`,"body":"no"}`)
		bob.quiet("an ack after the reply", func() { bob.ok("acc_ack", `{"messageId":`+id+`}`).want("state", `"acknowledged"`) })
	}
}

func TestReplyIsOneStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	question := quoted(alice.ask("bob", "s"))
	before := bob.cursor()
	bob.ok("acc_reply", `{"messageId":`+question+`,"body":"b"}`)
	types, _ := bob.events(before)
	equal(t, "events", types, []string{"message.sent", "receipt.acknowledged"})
	bob.ok("acc_inbox", `{}`).want("items", `[]`)
}
