package coordination

import (
	"testing"

	"acc/schema"
)

const (
	someMessage = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	someClaim   = "claim_01k5x0f4e2m9v8r7c6b5a4z3y4"
)

// refusals are calls that no state of the room makes good.
var refusals = []struct {
	tool, args string
	reason     schema.Reason
}{
	{"acc_status", `{"verbose":true}`, schema.ReasonUnknownField},
	{"acc_status", `[]`, schema.ReasonInvalidArguments},

	{"acc_sync", `{"scope":"everything"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"cursor":"5"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"cursor":"` + someMessage + `"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"scope":"full","cursor":"00000000000000001"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"scope":"history","cursor":"0000000000000001"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"limit":0}`, schema.ReasonInvalidField},
	{"acc_sync", `{"limit":501}`, schema.ReasonInvalidField},
	{"acc_sync", `{"limit":1.5}`, schema.ReasonInvalidField},
	{"acc_sync", `{"kind":"note"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"messageId":"` + someMessage + `"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"current":true}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"full","kind":"note"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"full","messageId":"` + someMessage + `"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","current":true}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","kind":"note","current":true}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","kind":"poem"}`, schema.ReasonInvalidField},
	{"acc_sync", `{"scope":"history","messageId":"` + someMessage + `","limit":1}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","messageId":"` + someMessage + `","kind":"note"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","messageId":"` + someMessage + `","cursor":"` + someMessage + `"}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","messageId":"` + someMessage + `","kind":"decision","current":true}`, schema.ReasonConflictingFields},
	{"acc_sync", `{"scope":"history","messageId":"../x"}`, schema.ReasonInvalidField},

	{"acc_work", `{}`, schema.ReasonMissingField},
	{"acc_work", `{"summary":"s"}`, schema.ReasonMissingField},
	{"acc_work", `{"mode":"edit"}`, schema.ReasonMissingField},
	{"acc_work", `{"clear":false}`, schema.ReasonMissingField},
	{"acc_work", `{"clear":true,"summary":"s"}`, schema.ReasonConflictingFields},
	{"acc_work", `{"clear":true,"state":"done"}`, schema.ReasonConflictingFields},
	{"acc_work", `{"summary":"s","mode":"sleep"}`, schema.ReasonInvalidField},
	{"acc_work", `{"summary":"s","mode":"edit","state":"asleep"}`, schema.ReasonInvalidField},
	{"acc_work", `{"summary":"a\nb","mode":"edit"}`, schema.ReasonInvalidField},
	{"acc_work", `{"summary":"s","mode":"edit","resourceHints":["src/a.go"]}`, schema.ReasonResourceInvalid},
	{"acc_work", `{"summary":"s","mode":"edit","resourceHints":["file:../a.go"]}`, schema.ReasonResourceOutside},

	{"acc_claim", `{}`, schema.ReasonMissingField},
	{"acc_claim", `{"action":"steal","resource":"file:a"}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire"}`, schema.ReasonMissingField},
	{"acc_claim", `{"action":"acquire","resource":"file:a","resources":["file:b"]}`, schema.ReasonConflictingFields},
	{"acc_claim", `{"action":"acquire","resources":[]}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire","resource":"file:a","claimId":"` + someClaim + `"}`, schema.ReasonConflictingFields},
	{"acc_claim", `{"action":"acquire","resource":"file:a","mode":"total"}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire","resource":"file:a","leaseSeconds":0}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire","resource":"file:a","leaseSeconds":604801}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire","resource":"file:a","reason":"a\tb"}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"acquire","resource":"file:src/"}`, schema.ReasonResourceInvalid},
	{"acc_claim", `{"action":"acquire","resource":"file:src/*.go"}`, schema.ReasonResourceInvalid},
	{"acc_claim", `{"action":"acquire","resource":"file:."}`, schema.ReasonResourceInvalid},
	{"acc_claim", `{"action":"acquire","resource":"file:/etc/passwd"}`, schema.ReasonResourceOutside},
	{"acc_claim", `{"action":"acquire","resources":["file:a","file:./a"]}`, schema.ReasonResourceDuplicate},
	{"acc_claim", `{"action":"renew"}`, schema.ReasonMissingField},
	{"acc_claim", `{"action":"renew","claimId":"c1"}`, schema.ReasonInvalidField},
	{"acc_claim", `{"action":"renew","claimId":"` + someClaim + `","resource":"file:a"}`, schema.ReasonConflictingFields},
	{"acc_claim", `{"action":"renew","claimId":"` + someClaim + `","resources":["file:a"]}`, schema.ReasonConflictingFields},
	{"acc_claim", `{"action":"renew","claimId":"` + someClaim + `","mode":"shared"}`, schema.ReasonConflictingFields},
	{"acc_claim", `{"action":"renew","claimId":"` + someClaim + `","reason":"r"}`, schema.ReasonConflictingFields},

	{"acc_release", `{}`, schema.ReasonMissingField},
	{"acc_release", `{"all":false}`, schema.ReasonMissingField},
	{"acc_release", `{"all":true,"resource":"file:a"}`, schema.ReasonConflictingFields},
	{"acc_release", `{"claimId":"` + someClaim + `","claimIds":["` + someClaim + `"]}`, schema.ReasonConflictingFields},
	{"acc_release", `{"claimIds":[]}`, schema.ReasonInvalidField},
	{"acc_release", `{"resources":[]}`, schema.ReasonInvalidField},
	{"acc_release", `{"claimIds":["` + someClaim + `","` + someClaim + `"]}`, schema.ReasonInvalidField},
	{"acc_release", `{"claimId":"x"}`, schema.ReasonInvalidField},
	{"acc_release", `{"resources":["file:a","file:x/../a"]}`, schema.ReasonResourceDuplicate},

	{"acc_message", `{"subject":"s","body":"b"}`, schema.ReasonMissingField},
	{"acc_message", `{"to":null,"subject":"s","body":"b"}`, schema.ReasonMissingField},
	{"acc_message", `{"to":[],"subject":"","body":"b"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":" "}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"a\u2028b","body":"b"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"half \ud83d"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"nul \u0000"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","clientMessageId":"a\nb"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"answer"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"handoff"}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"question"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"request"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","obligation":"reply"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","obligation":"acknowledge"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","obligation":"acknowledge"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":["bob"],"subject":"s","body":"b","kind":"decision","obligation":"reply"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":["bob"],"subject":"s","body":"b","kind":"question","obligation":"none"}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","supersedes":["` + someMessage + `"]}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","supersedes":["` + someMessage + `"],"withdraws":["` + someMessage + `"]}`, schema.ReasonConflictingFields},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","supersedes":[]}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","supersedes":["` + someMessage + `","` + someMessage + `"]}`, schema.ReasonInvalidField},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","withdraws":["x"]}`, schema.ReasonInvalidField},

	{"acc_request", `{"title":"t"}`, schema.ReasonMissingField},
	{"acc_request", `{"toParticipantId":"bob"}`, schema.ReasonMissingField},
	{"acc_request", `{"toParticipantId":"bob","title":"a\nb"}`, schema.ReasonInvalidField},
	{"acc_request", `{"toParticipantId":"bob","title":"t","detail":"\u0007"}`, schema.ReasonInvalidField},
	{"acc_request", `{"toParticipantId":["bob"],"title":"t"}`, schema.ReasonInvalidField},

	{"acc_inbox", `{"messageId":"` + someMessage + `","limit":5}`, schema.ReasonConflictingFields},
	{"acc_inbox", `{"messageId":"` + someMessage + `","cursor":"` + someMessage + `"}`, schema.ReasonConflictingFields},
	{"acc_inbox", `{"messageId":"../../etc/passwd"}`, schema.ReasonInvalidField},
	{"acc_inbox", `{"cursor":"0000000000000000"}`, schema.ReasonInvalidField},
	{"acc_inbox", `{"limit":501}`, schema.ReasonInvalidField},
	{"acc_inbox", `{"limit":"many"}`, schema.ReasonInvalidField},

	{"acc_reply", `{"body":"b"}`, schema.ReasonMissingField},
	{"acc_reply", `{"messageId":"` + someMessage + `"}`, schema.ReasonMissingField},
	{"acc_reply", `{"messageId":"x","body":"b"}`, schema.ReasonInvalidField},
	{"acc_reply", `{"messageId":"` + someMessage + `","body":""}`, schema.ReasonInvalidField},
	{"acc_reply", `{"messageId":"` + someMessage + `","body":"b","subject":"\u0085"}`, schema.ReasonInvalidField},

	{"acc_ack", `{}`, schema.ReasonMissingField},
	{"acc_ack", `{"messageId":"x"}`, schema.ReasonInvalidField},
	{"acc_ack", `{"messageId":"` + someMessage + `","state":"acknowledged"}`, schema.ReasonUnknownField},

	{"acc_finish", `{}`, schema.ReasonMissingField},
	{"acc_finish", `{"goal":"a\nb"}`, schema.ReasonInvalidField},
	{"acc_finish", `{"goal":"g","status":"done"}`, schema.ReasonInvalidField},
	{"acc_finish", `{"goal":"g","completed":[""]}`, schema.ReasonInvalidField},
	{"acc_finish", `{"goal":"g","remaining":"one thing"}`, schema.ReasonInvalidField},
	{"acc_finish", `{"goal":"g","clientMessageId":" "}`, schema.ReasonInvalidField},

	// What the call names is not there.
	{"acc_sync", `{"scope":"history","messageId":"` + someMessage + `"}`, schema.ReasonMessageUnknown},
	{"acc_sync", `{"scope":"history","cursor":"` + someMessage + `"}`, schema.ReasonCursorUnknown},
	{"acc_claim", `{"action":"renew","claimId":"` + someClaim + `"}`, schema.ReasonClaimUnknown},
	{"acc_release", `{"claimId":"` + someClaim + `"}`, schema.ReasonClaimUnknown},
	{"acc_release", `{"resource":"file:a"}`, schema.ReasonClaimUnknown},
	{"acc_message", `{"to":["nobody"],"subject":"s","body":"b"}`, schema.ReasonRecipientUnknown},
	{"acc_message", `{"to":[],"subject":"s","body":"b","kind":"decision","supersedes":["` + someMessage + `"]}`, schema.ReasonDecisionUnknown},
	{"acc_request", `{"toParticipantId":"nobody","title":"t"}`, schema.ReasonRecipientUnknown},
	{"acc_request", `{"toParticipantId":"","title":"t"}`, schema.ReasonRecipientUnknown},
	{"acc_inbox", `{"messageId":"` + someMessage + `"}`, schema.ReasonMessageUnknown},
	{"acc_inbox", `{"cursor":"` + someMessage + `"}`, schema.ReasonCursorUnknown},
	{"acc_reply", `{"messageId":"` + someMessage + `","body":"b"}`, schema.ReasonMessageUnknown},
	{"acc_ack", `{"messageId":"` + someMessage + `"}`, schema.ReasonMessageUnknown},
	{"acc_finish", `{"goal":"g","toParticipantId":"nobody"}`, schema.ReasonRecipientUnknown},
}

func TestRefusalMakesNoRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, r := range refusals {
		w.start("carol").refused(r.tool, r.args, r.reason)
		if files := w.tree(); len(files) > 0 {
			t.Fatalf("%s %s left %v", r.tool, r.args, files)
		}
	}
}

func TestRefusalMakesNoParticipant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("bob")
	before := w.tree()
	for _, r := range refusals {
		w.start("carol").refused(r.tool, r.args, r.reason)
		equal(t, r.tool+" "+r.args, w.tree(), before)
		if t.Failed() {
			return
		}
	}
}

func TestRefusalChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("bob")
	carol := w.join("carol")
	before := w.records()
	w.pass(10e9)
	for _, r := range refusals {
		carol.refused(r.tool, r.args, r.reason)
		equal(t, r.tool+" "+r.args, w.records(), before)
		if t.Failed() {
			return
		}
	}
}

// TestRefusalTellsWhatToDo bounds what a refusal says.
func TestRefusalTellsWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	carol := w.join("carol")
	for _, r := range refusals {
		e := carol.refused(r.tool, r.args, r.reason)
		if len(e.Message) < 20 || len(e.Message) > 600 {
			t.Errorf("%s %s: the message is %q", r.tool, r.args, e.Message)
		}
		if code := schema.Reasons()[r.reason]; e.Code != code {
			t.Errorf("%s has code %s, want %s", r.reason, e.Code, code)
		}
	}
}

// TestFormsThatClientsSend: lenient in form.
func TestFormsThatClientsSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join("bob")
	alice := w.join("alice")
	sent := alice.ok("acc_message", `{"to":"[\"bob\"]","subject":"null","body":"null","kind":null,"clientMessageId":"","supersedes":["null"]}`)
	sent.want("message.toParticipantIds", `["bob"]`)
	sent.want("message.subject", `"null"`)
	sent.want("message.kind", `"note"`)
	alice.ok("acc_inbox", `{"limit":"20","cursor":null,"messageId":""}`).want("items", `[]`)
	alice.ok("acc_inbox", `"{}"`).want("items", `[]`)
	alice.ok("acc_release", `{"all":"true","claimId":null,"resources":"null"}`).want("released", `[]`)
	alice.ok("acc_claim", `{"action":"acquire","resources":"[\"file:a\"]","leaseSeconds":"60","claimId":""}`).want("claims.0.resource", `"file:a"`)
	alice.ok("acc_work", `{"summary":"s","mode":"edit","clear":"false","resourceHints":null}`).want("state", `"active"`)
}
