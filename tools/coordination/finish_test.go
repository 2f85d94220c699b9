package coordination

import (
	"slices"
	"strings"
	"testing"

	"acc/schema"
)

func TestFinishIsOneStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.acquire("file:a")
	bob.acquire("file:b")
	bob.ok("acc_work", `{"summary":"s","mode":"edit","resourceHints":["file:a"]}`)
	session := bob.ok("acc_status", `{}`).str("sessionId")
	before := alice.cursor()
	done := bob.ok("acc_finish", `{"goal":"g","completed":["a"],"remaining":["b\nc"],"blockers":[]}`)
	done.want("message.handoff", `{"status":"partial","completed":["a"],"remaining":["b\nc"],"blockers":[],"verification":[],"git":null}`)
	done.want("message.obligation", `"none"`)
	done.want("delivery", `[]`)
	done.want("message.fromSessionId", quoted(session))

	types, _ := alice.events(before)
	equal(t, "events", types, []string{"message.sent", "claim.released", "claim.released", "intent.cleared", "session.closed"})
	status := alice.ok("acc_status", `{}`)
	status.want("claims", `[]`)
	status.want("participants.1.presence", `"offline"`)
	status.want("participants.1.intent", `null`)
	// A workspace handoff is found in the history by whoever comes later.
	carol := w.join("carol")
	equal(t, "history", carol.ok("acc_sync", `{"scope":"history","kind":"handoff"}`).column("items", "messageId"), []string{done.str("message.messageId")})
	carol.ok("acc_inbox", `{}`).want("items", `[]`)
}

func TestFinishToSomebody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.acquire("file:a")
	w.unchanged("an unknown recipient", func() {
		bob.refused("acc_finish", `{"goal":"g","toParticipantId":"nobody"}`, schema.ReasonRecipientUnknown)
	})
	done := bob.ok("acc_finish", `{"goal":"g","status":"blocked","toParticipantId":"alice"}`)
	done.want("message.obligation", `"acknowledge"`)
	done.want("message.toParticipantIds", `["alice"]`)
	done.want("delivery.0.outcome", `"queued"`)
	id := quoted(done.str("message.messageId"))
	alice.ok("acc_inbox", `{"messageId":`+id+`}`).want("0.message.handoff.status", `"blocked"`)
	alice.ok("acc_ack", `{"messageId":`+id+`}`)
}

func TestFinishRetry(t *testing.T) {
	t.Parallel()
	for _, to := range []string{``, `,"toParticipantId":"alice"`} {
		for _, key := range []string{`,"clientMessageId":"end"`, ``} {
			w := newWorld(t)
			alice, bob := w.join("alice"), w.join("bob")
			first := bob.ok("acc_finish", `{"goal":"g","remaining":["x"]`+to+key+`}`)
			args := `{"goal":"g","remaining":["x"]` + to + `,"clientMessageId":` + quoted(first.str("message.clientMessageId")) + `}`
			w.join("carol") // does not change what was meant
			for _, again := range []*client{bob, bob.restart(), w.start("bob")} {
				alice.quiet("a retry", func() {
					before := w.tree()
					equal(t, "retry", again.ok("acc_finish", args).text, first.text)
					after := w.tree()
					for name, data := range after {
						if before[name] != data && !strings.HasPrefix(name, ".acc/presence/") && !strings.HasPrefix(name, ".acc/run/") {
							t.Errorf("the retry wrote %s", name)
						}
					}
					equal(t, "still away", alice.presenceOf("bob"), "offline")
				})
			}
		}
	}
}

func TestFinishWhileFinished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("alice")
	bob := w.join("bob")
	bob.ok("acc_finish", `{"goal":"g","clientMessageId":"one"}`)
	bob.ok("acc_status", `{}`)
	last := bob.ok("acc_finish", `{"goal":"g","clientMessageId":"two"}`).str("message.messageId")
	w.unchanged("another finish", func() {
		for _, c := range []*client{bob, bob.restart()} {
			e := c.refused("acc_finish", `{"goal":"g","clientMessageId":"three"}`, schema.ReasonSessionFinished)
			equal(t, "code", e.Code, schema.CodeConflict)
			equal(t, "handoff", e.Details["messageId"], any(last))
			if !contains(e.Message, "opens a new session") {
				t.Errorf("the message is %q", e.Message)
			}
			c.refused("acc_finish", `{"goal":"g"}`, schema.ReasonSessionFinished)
			c.refused("acc_finish", `{"goal":"other","clientMessageId":"two"}`, schema.ReasonKeyReused)
			c.refused("acc_finish", `{"goal":"g","clientMessageId":"one"}`, schema.ReasonKeyReused) // an earlier session's
		}
	})
}

func TestAnyOtherCallOpensANewSession(t *testing.T) {
	t.Parallel()
	for _, call := range []struct{ tool, args string }{
		{"acc_status", `{}`}, {"acc_sync", `{}`}, {"acc_inbox", `{}`}, {"acc_work", `{"clear":true}`}, {"acc_release", `{"all":true}`},
		{"acc_claim", `{"action":"acquire","resource":"file:a"}`}, {"acc_message", `{"to":[],"subject":"s","body":"b"}`},
	} {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		old := bob.ok("acc_status", `{}`).str("sessionId")
		bob.ok("acc_finish", `{"goal":"g"}`)
		before := alice.cursor()
		bob.ok(call.tool, call.args)
		types, _ := alice.events(before)
		equal(t, call.tool, types[0], "session.opened")
		if bob.ok("acc_status", `{}`).str("sessionId") == old {
			t.Errorf("%s goes on with the finished session", call.tool)
		}
	}
}

func TestOldKeyInANewSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("alice")
	bob := w.join("bob")
	old := bob.ok("acc_status", `{}`).str("sessionId")
	args := `{"goal":"g","clientMessageId":"end"}`
	bob.ok("acc_finish", args)
	if bob.ok("acc_inbox", `{}`); bob.ok("acc_status", `{}`).str("sessionId") == old {
		t.Fatal("the finished session goes on")
	}
	claim := bob.acquire("file:a")
	w.unchanged("the old key", func() { bob.refused("acc_finish", args, schema.ReasonKeyReused) })
	equal(t, "claims", bob.ok("acc_status", `{}`).column("claims", "claimId"), []string{claim})
	bob.ok("acc_finish", `{"goal":"g","clientMessageId":"end2"}`)
}

// TestClaimsOfAFinishedSession are nobody's: a new session of the same
// participant starts with none.
func TestClaimsOfAFinishedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	bob.ok("acc_claim", `{"action":"acquire","resource":"file:old","leaseSeconds":1}`)
	claim := quoted(bob.acquire("file:a"))
	w.pass(2e9)
	bob.ok("acc_finish", `{"goal":"g"}`)
	alice.acquire("file:a")
	bob.refused("acc_claim", `{"action":"renew","claimId":`+claim+`}`, schema.ReasonClaimUnknown)
	bob.ok("acc_release", `{"all":true}`).want("released", `[]`)
	if slices.Contains(bob.ok("acc_status", `{}`).column("attention", "kind"), "claim_expired") {
		t.Error("the new session is told of the old one's claims")
	}
}

func TestFinishAtFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.start("bob")
	args := `{"goal":"g","clientMessageId":"end"}`
	first := bob.ok("acc_finish", args)
	equal(t, "retry", bob.ok("acc_finish", args).text, first.text)
	w.join("alice").ok("acc_status", `{}`).want("participants.1.presence", `"offline"`)
}
