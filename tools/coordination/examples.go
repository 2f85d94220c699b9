package coordination

// Ids in examples have the form of real ones and name nothing.
const (
	exampleMessage = `"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	exampleClaim   = `"claim_01k5x0f4e2m9v8r7c6b5a4z3y4"`
)

// examples are calls for the reference page. A test holds them to the
// declarations.
var examples = map[string][]string{
	"acc_status": {`{}`},
	"acc_sync": {
		`{"cursor": "0000000000000042"}`,
		`{"scope": "history", "kind": "handoff"}`,
		`{"scope": "history", "messageId": ` + exampleMessage + `}`,
	},
	"acc_work": {
		`{"summary": "split the parser", "mode": "edit", "resourceHints": ["file:src/parser/**"]}`,
		`{"clear": true}`,
	},
	"acc_claim": {
		`{"action": "acquire", "resource": "file:src/app.go"}`,
		`{"action": "acquire", "resources": ["file:src/a.go", "file:docs/**"], "reason": "moving the parser", "leaseSeconds": 600}`,
		`{"action": "renew", "claimId": ` + exampleClaim + `}`,
	},
	"acc_release": {`{"resource": "file:src/app.go"}`, `{"all": true}`},
	"acc_message": {
		`{"to": ["bob"], "subject": "which parser?", "body": "Old or new?", "kind": "question", "clientMessageId": "parser-1"}`,
		`{"to": [], "subject": "tabs", "body": "We indent with tabs.", "kind": "decision"}`,
	},
	"acc_request": {`{"toParticipantId": "bob", "title": "review the parser", "detail": "It is on branch parser."}`},
	"acc_inbox":   {`{}`, `{"messageId": ` + exampleMessage + `}`},
	"acc_reply":   {`{"messageId": ` + exampleMessage + `, "body": "The new one."}`},
	"acc_ack":     {`{"messageId": ` + exampleMessage + `}`},
	"acc_finish": {
		`{"goal": "split the parser", "status": "partial", "completed": ["lexer"], "remaining": ["tests"], "toParticipantId": "bob"}`,
	},
}
