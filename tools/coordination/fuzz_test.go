package coordination

import (
	"strings"
	"testing"

	"acc/schema"
)

// FuzzTools calls every tool with anything, in a room in which the ids of the
// seeds mean something. A refusal has a reason of the vocabulary and changes
// no record; a success leaves a room that everybody can list, with no hole in
// its log; and no secret gets out.
func FuzzTools(f *testing.F) {
	names := toolNames()
	add := func(tool string, args ...string) {
		for i, name := range names {
			for _, a := range args {
				if name == tool {
					f.Add(byte(i), a)
				}
			}
		}
	}
	for i, t := range Tools(NewRoom(Config{})) {
		for _, example := range t.Examples {
			f.Add(byte(i), example)
		}
	}
	add("acc_status", `{}`, ``, `null`, `{"x":1}`)
	add("acc_sync", `{"scope":"full"}`, `{"cursor":"9999999999999999"}`, `{"scope":"history","messageId":"$question"}`,
		`{"scope":"history","kind":"decision","current":true,"cursor":"$decision","limit":"1"}`)
	add("acc_work", `{"clear":true}`, `{"summary":"s","mode":"edit","resourceHints":["file:a","file:./a"]}`)
	add("acc_claim", `{"action":"renew","claimId":"$claim"}`, `{"action":"acquire","resources":["file:b/**","db:x"],"mode":"shared","leaseSeconds":1}`,
		`{"action":"acquire","resource":"file:bobs/x"}`)
	add("acc_release", `{"claimId":"$claim"}`, `{"all":true}`, `{"resources":["file:a","file:../a"]}`)
	add("acc_message", `{"to":["bob","alice"],"subject":"s","body":"b","clientMessageId":"k"}`, `{"to":["nobody"],"subject":"s","body":"b"}`,
		`{"to":[],"subject":"s","body":"b","kind":"decision","supersedes":["$decision"]}`)
	add("acc_request", `{"toParticipantId":"bob","title":"t"}`)
	add("acc_inbox", `{"messageId":"$question"}`, `{"limit":1,"cursor":"$question"}`, `{"limit":501}`)
	add("acc_reply", `{"messageId":"$question","body":"b"}`)
	add("acc_ack", `{"messageId":"$question"}`, `{"messageId":"message_../../x"}`)
	add("acc_finish", `{"goal":"g","completed":"[\"a\"]","toParticipantId":"bob"}`)
	f.Fuzz(func(t *testing.T, which byte, args string) {
		w := newWorld(t)
		alice, bob := w.join("alice"), w.join("bob")
		alice.acquire("file:a")
		bob.acquire("file:bobs/**")
		ids := strings.NewReplacer(
			"$question", bob.ask("alice", "s"), "$decision", bob.decide(`"alice"`, ``), "$claim", alice.ok("acc_status", `{}`).str("claims.0.claimId"),
		)
		before := w.records()
		value, err := alice.call(names[int(which)%len(names)], ids.Replace(args))
		if err != nil {
			checkRefused(t, err)
			for name, data := range w.records() {
				if before[name] != data {
					t.Errorf("a refused call wrote %s", name)
				}
			}
			return
		}
		checkAnswered(t, w, answerOf(t, value).text)
		alice = alice.restart()
		for _, c := range []*client{alice, bob} {
			c.listAll()
		}
		checkLog(t, bob)
	})
}

func toolNames() []string {
	var names []string
	for _, t := range Tools(NewRoom(Config{})) {
		names = append(names, t.Name)
	}
	return names
}

func checkRefused(t *testing.T, err error) {
	t.Helper()
	e := schema.AsError(err)
	_, known := schema.Reasons()[e.Reason]
	if !known || e.Reason == schema.ReasonInternalUnexpected || e.Message == "" {
		t.Fatalf("refused with %q: %v", e.Reason, err)
	}
}

// checkAnswered looks for the secrets of the room in an answer.
func checkAnswered(t *testing.T, w *world, text string) {
	t.Helper()
	for name, data := range w.records() {
		if !strings.HasPrefix(name, ".acc/sessions/") {
			continue
		}
		var s schema.Session
		if err := schema.Decode([]byte(data), &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Contains(text, s.Generation) {
			t.Errorf("the answer shows a generation: %s", text)
		}
	}
}

func checkLog(t *testing.T, c *client) {
	t.Helper()
	a := c.ok("acc_sync", `{"limit":500}`)
	for i, cursor := range a.column("events", "cursor") {
		if cursor != schema.FormatCursor(int64(i+1)) {
			t.Fatalf("event %d has the cursor %s", i+1, cursor)
		}
	}
}
