package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"acc/golden"
)

const transcripts = "transcripts"

// TestTranscript records one story in each revision, as alice's client and the
// server write it.
func TestTranscript(t *testing.T) {
	var used []string
	for _, revision := range []string{rev2506, rev2511, rev2026} {
		name := transcripts + "/" + revision + ".txt"
		used = append(used, name)
		t.Run(revision, func(t *testing.T) {
			golden.Compare(t, name, []byte(record(t, revision)))
		})
	}
	golden.NoOrphans(t, transcripts, used...)
}

// scribe drives alice's server and writes down what goes over the wire.
type scribe struct {
	*server
	revision string
	out      strings.Builder
}

func record(t *testing.T, revision string) string {
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	w := &scribe{server: start(t, launch{participant: "alice", workspace: root}), revision: revision}
	fmt.Fprintf(&w.out, "# What alice's client (-->) and acc-mcp (<--) say at revision %s.\n"+
		"# One message is one line; answers are unfolded here. Ids, times, paths and\n"+
		"# versions are placeholders; input schemas are in the declarations.\n", revision)
	w.open()
	w.look()
	w.work(bob)
	w.mail(bob)
	w.fail()
	w.leave()
	w.end()
	return newMasker(root).mask(w.out.String())
}

func (w *scribe) chapter(title string) { fmt.Fprintf(&w.out, "\n== %s ==\n", title) }

// open begins the connection in the way of the revision.
func (w *scribe) open() {
	w.chapter("opening")
	if w.revision == rev2026 {
		w.ask("server/discover", "")
		return
	}
	w.line(initializeLine(w.revision))
	w.send(initializedLine)
	fmt.Fprintf(&w.out, "--> %s\n", initializedLine)
}

func (w *scribe) look() {
	w.chapter("lists")
	w.ask("tools/list", "")
	w.ask("resources/list", "")
	w.chapter("the first call makes the room")
	w.tool("acc_status", args{})
}

func (w *scribe) work(bob *server) {
	w.chapter("work and claims")
	w.tool("acc_work", args{"summary": "Split the parser", "mode": "edit", "resourceHints": []string{"file:src/**"}})
	w.tool("acc_claim", args{"action": "acquire", "resources": []string{"file:src/app.go", "file:src/parse.go"}, "reason": "split", "leaseSeconds": 600})
	w.chapter("bob has claimed docs/**, which is in the way")
	bob.call("acc_claim", args{"action": "acquire", "resource": "file:docs/**", "reason": "rewrite"})
	w.tool("acc_claim", args{"action": "acquire", "resource": "file:docs/start.md"})
}

func (w *scribe) mail(bob *server) {
	w.chapter("bob has asked a question")
	asked := bob.call("acc_message", args{"to": []string{"alice"}, "kind": "question", "subject": "Which parser?", "body": "The old one or the new one?"})
	id := text(w.t, asked, "message", "messageId")
	w.tool("acc_inbox", args{})
	w.tool("acc_inbox", args{"messageId": id})
	w.tool("acc_ack", args{"messageId": id})
	w.tool("acc_reply", args{"messageId": id, "body": "The new one."})
	w.chapter("a decision and its replacement")
	first := w.tool("acc_message", args{"to": []string{}, "kind": "decision", "subject": "One parser", "body": "We keep the new parser.", "clientMessageId": "parser-1"})
	w.tool("acc_message", args{"to": []string{}, "kind": "decision", "subject": "Two parsers", "body": "We keep both.", "supersedes": []string{text(w.t, first, "message", "messageId")}})
	w.tool("acc_sync", args{"scope": "history", "kind": "decision", "current": true})
	w.ask("resources/read", `"uri":"acc://roster"`)
}

func (w *scribe) fail() {
	w.chapter("what fails")
	w.tool("acc_message", args{"to": []string{"bobb"}, "subject": "s", "body": "b"})
	w.tool("acc_status", args{"verbose": true})
	w.ask("tools/call", `"name":"acc_fly","arguments":{}`)
	w.ask("resources/read", `"uri":"acc://nothing"`)
	w.ask("tools/fly", "")
	w.line("hello")
}

func (w *scribe) leave() {
	w.chapter("the end of a session")
	w.tool("acc_release", args{"resource": "file:src/parse.go"})
	w.tool("acc_finish", args{"goal": "Split the parser", "status": "partial", "completed": []string{"lexer"}, "remaining": []string{"grammar"}})
}

// tool calls a tool and returns its value when that is an object.
func (w *scribe) tool(name string, arguments args) object {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		w.t.Fatal(err)
	}
	var a answer
	w.decode([]byte(w.ask("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, name, encoded))), &a)
	var value object
	_ = json.Unmarshal([]byte(w.result(a).Content[0].Text), &value) // an array stays out
	return value
}

// ask sends a request in the form of the revision; params are members.
func (w *scribe) ask(method, params string) string {
	w.lastID++
	id := fmt.Sprint(w.lastID)
	switch {
	case w.revision == rev2026:
		return w.line(modern(id, method, params))
	case params == "":
		return w.line(request(id, method, ""))
	}
	return w.line(request(id, method, "{"+params+"}"))
}

// line sends one line and writes down what comes back.
func (w *scribe) line(line string) string {
	w.send(line)
	got := w.next()
	fmt.Fprintf(&w.out, "\n--> %s\n<-- %s\n", line, unfold(w.t, got))
	return got
}

// unfold shows an answer as a person reads it: indented, without input
// schemas, and a text that is JSON below it, unless it repeats the structured
// content.
func unfold(t testing.TB, line string) string {
	var a struct {
		Result struct {
			Content []struct{ Text string }
			Tools   []struct {
				InputSchema json.RawMessage
			}
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		t.Fatal(err)
	}
	for _, tool := range a.Result.Tools {
		line = strings.Replace(line, string(tool.InputSchema), `"…"`, 1)
	}
	below := ""
	for _, c := range a.Result.Content {
		encoded := compactString(t, c.Text)
		if c.Text == indented(t, a.Result.StructuredContent) {
			line = strings.Replace(line, encoded, `"(the structured content, indented)"`, 1)
		} else {
			line = strings.Replace(line, encoded, `"(below)"`, 1)
			below += "\n  | " + strings.ReplaceAll(c.Text, "\n", "\n  | ")
		}
	}
	return indented(t, json.RawMessage(line)) + below
}

// compactString is a string as the server encodes it.
func compactString(t testing.TB, s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func indented(t testing.TB, data json.RawMessage) string {
	if data == nil {
		return ""
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
