package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"acc/tools/toolcheck"

	"github.com/google/go-cmp/cmp"
)

func TestNegotiation(t *testing.T) {
	for asked, want := range map[string]string{
		rev2506: rev2506, rev2511: rev2511,
		"2024-11-05": rev2511, "2025-03-26": rev2511, rev2026: rev2511, "1.0": rev2511, "": rev2511,
	} {
		t.Run("asked for "+asked, func(t *testing.T) {
			t.Parallel()
			s := start(t, launch{participant: "alice", workspace: repository(t)})
			if got := s.initialize(asked); got != want {
				t.Errorf("agreed on %s, want %s", got, want)
			}
			s.call("acc_status", nil) // the client goes on
		})
	}
}

// modernMeta is what makes a request one of 2026-07-28.
func modernMeta(version string) string {
	return fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/clientInfo":{"name":"modern","version":"2"}}`, version)
}

func modern(id, method, params string) string {
	if params != "" {
		params = "," + params
	}
	return request(id, method, "{"+modernMeta(rev2026)+params+"}")
}

// TestRows holds the table of the protocol page, line by line. After each line
// the stream goes on.
func TestRows(t *testing.T) {
	long := strings.Repeat("x", 16<<20)
	tests := []struct {
		name string
		era  string // "" for a connection that was not initialized
		line string
		id   string // of the answer
		code int    // 0 for a result
		want string // in the answer
	}{
		{"call before initialize", "", request("1", "tools/list", ""), "1", -32600, "initialize"},
		{"call before initialized", "half", request("1", "tools/list", ""), "1", -32600, "notifications/initialized"},
		{"ping before initialize", "", request("1", "ping", ""), "1", 0, `"result":{}`},
		{"second initialize", rev2511, request("1", "initialize", `{"protocolVersion":"2025-06-18","capabilities":{}}`), "1", -32600, "already"},
		{"modern request", "", modern("1", "tools/list", ""), "1", 0, `"resultType":"complete"`},
		{"modern request after initialize", rev2511, modern("1", "tools/list", ""), "1", 0, `"ttlMs"`},
		{"discover", "", request("1", "server/discover", ""), "1", 0, `"supportedVersions":["2026-07-28"`},
		{"wrong modern version", "", request("1", "tools/list", "{"+modernMeta("2027-01-01")+"}"), "1", -32022, `"supported":["2026-07-28","2025-11-25","2025-06-18"]`},
		{"no JSON", rev2511, `{"jsonrpc":`, "null", -32700, "JSON"},
		{"garbage", rev2511, "\x00\xff hello", "null", -32700, ""},
		{"invalid UTF-8 in a string", rev2511, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "1", -32601, ""},
		{"null", rev2511, "null", "null", -32600, ""},
		{"number", rev2511, "123", "null", -32600, ""},
		{"string", rev2511, `"ping"`, "null", -32600, ""},
		{"array", rev2511, "[]", "null", -32600, ""},
		{"batch", rev2511, "[" + request("1", "ping", "") + "]", "null", -32600, ""},
		{"wrong jsonrpc", rev2511, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1", -32600, ""},
		{"no jsonrpc", rev2511, `{"id":1,"method":"ping"}`, "1", -32600, ""},
		{"garbage of 5 MB", rev2511, long[:5<<20], "null", -32700, ""},
		{"line over the limit", rev2511, request("1", "ping", `{"x":"`+long+`"}`), "null", -32600, "16 MiB"},
		{"deep nesting", rev2511, request("1", "ping", strings.Repeat(`{"a":`, 20000)+"1"+strings.Repeat("}", 20000)), "null", -32700, ""},
		{"unknown method", rev2511, request("1", "tools/fly", ""), "1", -32601, ""},
		{"unknown method, modern", "", modern("1", "tools/fly", ""), "1", -32601, ""},
		{"ping, modern", "", modern("1", "ping", ""), "1", -32601, ""},
		{"unknown tool", rev2511, callLine("1", "acc_fly", args{}), "1", -32602, ""},
		{"unknown tool, modern", "", modern("1", "tools/call", `"name":"acc_fly","arguments":{}`), "1", -32602, ""},
		{"unknown resource", rev2511, request("1", "resources/read", `{"uri":"acc://nothing"}`), "1", -32002, ""},
		{"unknown resource, modern", "", modern("1", "resources/read", `"uri":"acc://nothing"`), "1", -32602, ""},
		{"control character in a URI", rev2511, request("1", "resources/read", `{"uri":"acc://\u0000"}`), "1", -32002, ""},
		{"blank line", rev2511, "\n  \n" + request("1", "ping", ""), "1", 0, ""},
		{"CRLF", rev2511, request("1", "ping", "") + "\r", "1", 0, ""},
		{"BOM", rev2511, "\ufeff" + request("1", "ping", ""), "1", 0, ""},
		{"notification first", rev2511, `{"jsonrpc":"2.0","method":"notifications/fly"}` + "\n" + request("1", "ping", ""), "1", 0, ""},
		{"cancellation of nothing", rev2511, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n" + request("1", "ping", ""), "1", 0, ""},
		{"huge id", rev2511, request("9007199254740993", "ping", ""), "9007199254740993", 0, ""},
		{"text id", rev2511, request(`"a b"`, "ping", ""), `"a b"`, 0, ""},
		{"resource templates", rev2511, request("1", "resources/templates/list", ""), "1", 0, `"resourceTemplates":[]`},
		{"prompts", rev2511, request("1", "prompts/list", ""), "1", 0, `"prompts":[]`},
		{"unknown prompt", rev2511, request("1", "prompts/get", `{"name":"x"}`), "1", -32602, ""},
	}
	root := repository(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, launch{participant: "alice", workspace: root})
			s.era(test.era)
			s.send(test.line)
			line := s.next()
			var a answer
			s.decode([]byte(line), &a)
			code := 0
			if a.Error != nil {
				code = a.Error.Code
			}
			if string(a.ID) != test.id || code != test.code || !strings.Contains(line, test.want) {
				t.Errorf("got %.400s\nwant id %s, code %d, %q", line, test.id, test.code, test.want)
			}
			s.send(request(`"after"`, "ping", ""))
			if got, want := s.next(), `{"jsonrpc":"2.0","id":"after","result":{}}`; got != want {
				t.Errorf("the stream does not go on: %.400s", got)
			}
			s.end()
		})
	}
	if rooms(t, root) != nil {
		t.Error("a refused line made a room")
	}
}

// era brings a connection to where a row begins.
func (s *server) era(era string) {
	s.t.Helper()
	switch era {
	case "":
	case "half":
		s.send(initializeLine(rev2511))
		s.next()
	default:
		s.initialize(era)
	}
}

// Lists are the same bytes from call to call, and what clients accept.
func TestLists(t *testing.T) {
	s := join(t, "alice", repository(t))
	for _, method := range []string{"tools/list", "resources/list"} {
		first, second := s.request(method, ""), s.request(method, "")
		if !bytes.Equal(first.Result, second.Result) {
			t.Errorf("%s changes from call to call:\n%s", method, cmp.Diff(string(first.Result), string(second.Result)))
		}
	}
	var legacy, per struct{ Tools json.RawMessage }
	s.decode(s.request("tools/list", "").Result, &legacy)
	s.decode(s.request("tools/list", "{"+modernMeta(rev2026)+"}").Result, &per)
	if !bytes.Equal(legacy.Tools, per.Tools) {
		t.Error("the revisions list different tools")
	}
	for _, problem := range toolcheck.CheckPublished(legacy.Tools, "acc") {
		t.Error(problem)
	}
	var tools []struct{ Name string }
	s.decode(legacy.Tools, &tools)
	if len(tools) != 11 {
		t.Errorf("%d tools, want 11", len(tools))
	}
}

// An array goes into text alone before 2026-07-28, where an object is required.
func TestArrayResults(t *testing.T) {
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	id := join(t, "alice", root).note([]string{"bob"}, "hello")

	r := bob.try("acc_inbox", args{"messageId": id})
	if r.Structured != nil || !strings.HasPrefix(r.Content[0].Text, "[") {
		t.Errorf("structured %s, text %.20s", r.Structured, r.Content[0].Text)
	}
	bob.send(modern("7", "tools/call", `"name":"acc_inbox","arguments":{"messageId":"`+id+`"}`))
	r = bob.result(bob.answer())
	var fromText, structured []any
	bob.decode([]byte(r.Content[0].Text), &fromText)
	bob.decode(r.Structured, &structured)
	if diff := cmp.Diff(fromText, structured); diff != "" || len(structured) != 1 {
		t.Errorf("text and structured content differ:\n%s", diff)
	}
}
