package mcpserver_test

import (
	"strings"
	"testing"
)

// Each of these lines is answered or passed over, and the next good request
// works.
func TestLines(t *testing.T) {
	const notJSON = "the line is not one JSON value"
	parse := failure("null", -32700, notJSON)
	noObject := failure("null", -32600, "a message is a JSON object")
	badID := failure("null", -32600, "the id must be a string or a number")
	batch := failure("null", -32600, "batches are not supported; send one message per line")
	version := func(id string) string { return failure(id, -32600, `"jsonrpc" must be "2.0"`) }
	tests := []struct{ name, line, want string }{
		{"truncated", `{"jsonrpc":"2.0","id":5,"method":`, parse},
		{"text", `hello`, parse},
		{"two messages", ping("5") + ping("6"), parse},
		{"NUL", "\x00" + ping("5"), parse},
		{"10,001 levels", strings.Repeat("[", 10001) + strings.Repeat("]", 10001), parse},
		{"null", `null`, noObject},
		{"number", `123`, noObject},
		{"string", `"ping"`, noObject},
		{"huge integer", strings.Repeat("9", 5000), noObject},
		{"batch", `[` + ping("5") + `]`, batch},
		{"empty batch", `[]`, batch},
		{"empty object", `{}`, version("null")},
		{"wrong jsonrpc", `{"jsonrpc":"1.0","id":5,"method":"ping"}`, version("5")},
		{"jsonrpc a number", `{"jsonrpc":2.0,"id":"a","method":"ping"}`, version(`"a"`)},
		{"no jsonrpc", `{"id":5,"method":"ping"}`, version("5")},
		{"no method", `{"jsonrpc":"2.0","id":5}`, failure("5", -32600, "the method must be a string")},
		{"method a number", `{"jsonrpc":"2.0","id":5,"method":7}`, failure("5", -32600, "the method must be a string")},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, badID},
		{"id a boolean", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, badID},
		{"id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, badID},
		{"id an array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, badID},
		{"id bad UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", badID},
		{"params an array", `{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}`, failure("5", -32600, "params must be an object")},
		{"params null", `{"jsonrpc":"2.0","id":5,"method":"ping","params":null}`, pong("5")},
		{"600 levels", request("5", "ping", `{"a":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`), failure("5", -32600, "the message nests too deep")},
		{"500 levels", request("5", "ping", `{"a":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`}`), pong("5")},
		{"brackets in a string", request("5", "ping", `{"a":"\"`+strings.Repeat("[", 600)+`"}`), pong("5")},
		{"CRLF", ping("5") + "\r", pong("5")},
		{"blanks around", " \t" + ping("5") + " \t\r", pong("5")},
		{"byte order mark", "\ufeff" + ping("5"), pong("5")},
		{"blank", "", ""},
		{"only CR", "\r", ""},
		{"a response", `{"jsonrpc":"2.0","id":5,"result":{}}`, ""},
		{"an error response", `{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`, ""},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/foo"}`, ""},
		{"a request's method as notification", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"panics"}}`, ""},
		{"notification with odd params", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`, ""},
	}
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		for _, tt := range tests {
			p.send(tt.line)
			if tt.want != "" {
				if got := p.next(); got != tt.want {
					t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
				}
			}
			p.send(ping("99"))
			if got := p.next(); got != pong("99") {
				t.Errorf("%s: then a ping gives %s", tt.name, got)
			}
		}
	})
}

func TestFirstLineMayHaveAByteOrderMark(t *testing.T) {
	connect(t, func(p *peer) {
		p.send("\ufeff" + ping("1"))
		p.expect(pong("1"))
	})
}

func TestLineLimit(t *testing.T) {
	const limit = 16 << 20
	long := func(size int) string {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"`, `"}}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	connect(t, func(p *peer) {
		p.send(long(limit))
		p.expect(pong("1"))
		p.send(long(limit+1), ping("2"))
		p.expect(failure("null", -32600, "the line is longer than 16 MiB"), pong("2"))
		p.raw(long(limit + 1))
		if err := p.end(); err != nil {
			t.Error(err)
		}
		p.expect(failure("null", -32600, "the line is longer than 16 MiB"))
	})
}

func TestFramesAndWritesNeedNotMatch(t *testing.T) {
	connect(t, func(p *peer) {
		p.raw(ping("1") + "\n" + ping("2") + "\n" + ping("3")[:10])
		got := []string{p.next(), p.next()} // pings may overtake each other
		if got[0] == got[1] || !strings.Contains(got[0]+got[1], pong("1")) {
			t.Errorf("got %q", got)
		}
		for _, b := range []byte(ping("3")[10:] + "\n") {
			p.raw(string(b))
		}
		p.expect(pong("3"))
	})
}

func TestOutputIsOneLineForAClient(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "echo_object", `{"text":"<&>\u2028é😀"}`))
		got := p.next()
		for _, bad := range []string{`\u003c`, `\u0026`, "\u2028", "\r"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q is in %s", bad, got)
			}
		}
		for _, good := range []string{"<&>", `"structuredContent":{"harness":"test","text":"<&>\u2028é😀"`} {
			if !strings.Contains(got, good) {
				t.Errorf("%q is not in %s", good, got)
			}
		}
	})
}
