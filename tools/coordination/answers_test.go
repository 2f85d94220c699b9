package coordination

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"acc/golden"
)

// transcript collects calls and their results as the golden file shows them.
type transcript struct {
	*world
	text  strings.Builder
	names map[string]string
	used  []string
}

var idPattern = regexp.MustCompile(`(auto|message|claim|session|workspace)_[0-9a-z]{26}`)

// readable replaces ids by numbers in the order of their appearance, so that
// the file shows which ones are the same.
func (tr *transcript) readable(s string) string {
	s = strings.ReplaceAll(s, tr.dir, "/workspace")
	return idPattern.ReplaceAllStringFunc(s, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		if tr.names[id] == "" {
			tr.names[kind] += "*"
			tr.names[id] = fmt.Sprintf("%s_%d", kind, len(tr.names[kind]))
		}
		return tr.names[id]
	})
}

func (tr *transcript) show(c *client, call string, a answer) {
	fmt.Fprintf(&tr.text, "%s: %s\n%s\n", c.name, tr.readable(call), tr.readable(a.text))
}

func (tr *transcript) ok(c *client, tool, args string) answer {
	tr.t.Helper()
	a := c.ok(tool, args)
	tr.show(c, tool+" "+args, a)
	return a
}

func (tr *transcript) refused(c *client, tool, args string) {
	tr.t.Helper()
	_, err := c.call(tool, args)
	if err == nil {
		tr.t.Fatalf("%s %s succeeded", tool, args)
	}
	tr.show(c, tool+" "+args, answerOf(tr.t, refusalView(err)))
}

// save ends a chapter.
func (tr *transcript) save(name string) {
	tr.t.Helper()
	file := "answers/" + name + ".txt"
	golden.Compare(tr.t, file, []byte(tr.text.String()))
	tr.used = append(tr.used, file)
	tr.text.Reset()
}

// TestAnswers shows the exact form of every answer: members, their order, and
// which ones are null or left out.
func TestAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tr := &transcript{world: w, names: map[string]string{}}
	alice, bob := w.start("alice"), w.start("bob")
	bob.harness = "codex"

	for _, uri := range []string{"acc://snapshot", "acc://roster"} {
		tr.show(alice, uri, alice.read(uri))
	}
	tr.save("resources-empty")

	tr.ok(alice, "acc_status", `{}`)
	tr.ok(bob, "acc_sync", `{}`)
	tr.save("start")

	w.pass(time.Second)
	tr.ok(alice, "acc_work", `{"summary":"split the parser","mode":"edit","resourceHints":["file:src/**"]}`)
	tr.ok(bob, "acc_work", `{"clear":true}`)
	tr.save("work")

	tr.ok(bob, "acc_claim", `{"action":"acquire","resource":"file:src/app.go"}`)
	batch := tr.ok(bob, "acc_claim", `{"action":"acquire","resources":["file:docs/**"],"mode":"shared","reason":"reading","leaseSeconds":60}`)
	tr.ok(bob, "acc_claim", `{"action":"renew","claimId":`+quoted(batch.str("claims.0.claimId"))+`}`)
	tr.refused(alice, "acc_claim", `{"action":"acquire","resources":["file:src/**","file:docs/a.md","issue:1"]}`)
	tr.save("claim")

	question := tr.ok(alice, "acc_message", `{"to":["bob"],"subject":"which parser?","body":"old or new?","kind":"question","clientMessageId":"q-1"}`)
	tr.ok(alice, "acc_message", `{"to":[],"subject":"hello","body":"all"}`)
	tr.ok(alice, "acc_request", `{"toParticipantId":"bob","title":"review it"}`)
	tr.refused(alice, "acc_message", `{"to":["bobb"],"subject":"s","body":"b"}`)
	tr.save("send")

	tr.ok(bob, "acc_inbox", `{"limit":2}`)
	id := quoted(question.str("message.messageId"))
	tr.ok(bob, "acc_inbox", `{"messageId":`+id+`}`)
	tr.refused(bob, "acc_ack", `{"messageId":`+id+`}`)
	tr.ok(bob, "acc_reply", `{"messageId":`+id+`,"body":"the new one"}`)
	tr.ok(bob, "acc_ack", `{"messageId":`+id+`}`)
	tr.save("receive")

	first := tr.ok(alice, "acc_message", `{"to":["bob"],"subject":"tabs","body":"we use tabs","kind":"decision","obligation":"acknowledge"}`)
	second := tr.ok(bob, "acc_message", `{"to":[],"subject":"spaces","body":"no","kind":"decision","supersedes":[`+quoted(first.str("message.messageId"))+`]}`)
	tr.ok(alice, "acc_inbox", `{"messageId":`+quoted(second.str("message.messageId"))+`}`)
	tr.ok(alice, "acc_sync", `{"scope":"history","kind":"decision"}`)
	tr.ok(alice, "acc_sync", `{"scope":"history","messageId":`+quoted(first.str("message.messageId"))+`}`)
	tr.save("decide")

	tr.ok(alice, "acc_status", `{}`)
	tr.ok(alice, "acc_sync", `{"cursor":"0000000000000008","limit":3}`)
	tr.show(bob, "acc://inbox", bob.read("acc://inbox"))
	tr.show(bob, "acc://roster", bob.read("acc://roster"))
	tr.save("status")

	tr.ok(bob, "acc_release", `{"resource":"file:src/app.go"}`)
	tr.ok(bob, "acc_release", `{"claimIds":[`+quoted(batch.str("claims.0.claimId"))+`]}`)
	tr.ok(bob, "acc_release", `{"all":true}`)
	tr.save("release")

	tr.ok(bob, "acc_finish", `{"goal":"answer mail","status":"complete","completed":["parser"],"toParticipantId":"alice","clientMessageId":"end"}`)
	tr.refused(bob, "acc_finish", `{"goal":"answer mail"}`)
	tr.save("finish")

	tr.ok(alice, "acc_sync", `{"scope":"full","limit":1,"cursor":"0000000000000003"}`)
	tr.save("full")

	golden.NoOrphans(t, "answers", tr.used...)
}
