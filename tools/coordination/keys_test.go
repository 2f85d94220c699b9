package coordination

import (
	"strings"
	"testing"

	"acc/schema"
)

func TestKeyRepeatsTheOriginal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob, alice := w.join("bob"), w.join("alice")
	args := `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k"}`
	first := alice.ok("acc_message", args)
	id := first.str("message.messageId")

	w.pass(60e9)
	alice.quiet("a retry", func() {
		w.unchanged("a retry", func() { equal(t, "retry", alice.ok("acc_message", args).text, first.text) })
	})
	bob.ok("acc_inbox", `{"messageId":`+quoted(id)+`}`)
	alice = alice.restart()
	alice.ok("acc_status", `{}`)
	alice.quiet("a retry after restart", func() {
		again := alice.ok("acc_message", args)
		again.want("message", answerOf(t, first.at("message")).text)
		again.want("delivery.0.outcome", `"retrieved"`) // what is known by now
	})
	if n := len(bob.ok("acc_sync", `{"scope":"history"}`).list("items")); n != 1 {
		t.Errorf("there are %d messages", n)
	}
}

func TestKeyWithOtherContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.join("bob")
	w.join("carol")
	alice := w.join("alice")
	question := bob.ask("alice", "q")
	decision := alice.ok("acc_message", `{"to":[],"subject":"d","body":"b","kind":"decision"}`).str("message.messageId")
	alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k"}`)
	for _, call := range []struct{ tool, args string }{
		{"acc_message", `"to":["carol"],"subject":"s","body":"b"`},
		{"acc_message", `"to":["bob","carol"],"subject":"s","body":"b"`},
		{"acc_message", `"to":[],"subject":"s","body":"b"`},
		{"acc_message", `"to":["bob"],"subject":"S","body":"b"`},
		{"acc_message", `"to":["bob"],"subject":"s","body":"b "`},
		{"acc_message", `"to":["bob"],"subject":"s","body":"b","kind":"question"`},
		{"acc_message", `"to":["bob"],"subject":"s","body":"b","kind":"decision"`},
		{"acc_message", `"to":["bob"],"subject":"s","body":"b","kind":"decision","supersedes":[` + quoted(decision) + `]`},
		{"acc_request", `"toParticipantId":"bob","title":"s","detail":"b"`},
		{"acc_reply", `"messageId":` + quoted(question) + `,"subject":"s","body":"b"`},
		{"acc_finish", `"goal":"s"`},
	} {
		w.unchanged(call.tool+call.args, func() {
			alice.refused(call.tool, `{`+call.args+`,"clientMessageId":"k"}`, schema.ReasonKeyReused)
		})
	}
	alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k","kind":"note","obligation":"none"}`)
}

func TestKeyBelongsToItsSender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	one := alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k"}`)
	two := bob.ok("acc_message", `{"to":["alice"],"subject":"other","body":"b","clientMessageId":"k"}`)
	if one.str("message.messageId") == two.str("message.messageId") {
		t.Error("two participants share a key")
	}
	three := alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"K"}`)
	if one.str("message.messageId") == three.str("message.messageId") {
		t.Error("keys are told apart without letter case")
	}
}

func TestOmittedKeyCanBeReused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	first := alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b"}`)
	key := first.str("message.clientMessageId")
	if key == "" {
		t.Fatal("no key was generated")
	}
	other := alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b"}`)
	if other.str("message.messageId") == first.str("message.messageId") {
		t.Error("two sends without a key are one")
	}
	alice = alice.restart()
	alice.ok("acc_message", `{"to":["bob"],"subject":"s","body":"b","clientMessageId":`+quoted(key)+`}`).
		want("message.messageId", quoted(first.str("message.messageId")))
	alice.refused("acc_message", `{"to":["bob"],"subject":"s","body":"c","clientMessageId":`+quoted(key)+`}`, schema.ReasonKeyReused)
	// Somebody else's generated key is a word like any other.
	bob.ok("acc_message", `{"to":["alice"],"subject":"mine","body":"b","clientMessageId":`+quoted(key)+`}`).want("message.subject", `"mine"`)
}

func TestKeyOfAReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice, bob := w.join("alice"), w.join("bob")
	one, two := alice.ask("bob", "one"), alice.ask("bob", "two")
	args := `{"messageId":` + quoted(one) + `,"body":"yes","clientMessageId":"k"}`
	first := bob.ok("acc_reply", args)
	w.pass(60e9)
	bob.quiet("a retry", func() { equal(t, "retry", bob.ok("acc_reply", args).text, first.text) })
	w.unchanged("the key for another message", func() {
		bob.refused("acc_reply", `{"messageId":`+quoted(two)+`,"body":"yes","clientMessageId":"k"}`, schema.ReasonKeyReused)
	})
	bob.ok("acc_inbox", `{}`).want("items.0.message.messageId", quoted(two))
}

func TestKeyLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	send := func(key string) string {
		return `{"to":[],"subject":"s","body":"b","clientMessageId":` + quoted(key) + `}`
	}
	for _, key := range []string{"a", strings.Repeat("\u20ac", 200), "../../etc/passwd", `con "x" <y>`} {
		alice.ok("acc_message", send(key)).want("message.clientMessageId", quoted(key))
	}
	alice.refused("acc_message", send(strings.Repeat("k", 201)), schema.ReasonInvalidField)
}

func TestKeyOfADecisionChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.join("alice")
	w.join("bob")
	target := alice.ok("acc_message", `{"to":["bob"],"subject":"d","body":"b","kind":"decision"}`).str("message.messageId")
	args := `{"to":[],"subject":"d2","body":"b","kind":"decision","supersedes":[` + quoted(target) + `],"clientMessageId":"k"}`
	first := alice.ok("acc_message", args)
	alice.quiet("a retry", func() { equal(t, "retry", alice.ok("acc_message", args).text, first.text) })
	alice.refused("acc_message", strings.Replace(args, "supersedes", "withdraws", 1), schema.ReasonKeyReused)
}
