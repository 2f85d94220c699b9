package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"
)

const complete = `"resultType":"complete"`

func TestModernRequests(t *testing.T) {
	cached := func(ttl int, scope string) string {
		return fmt.Sprintf(`%s,"ttlMs":%d,"cacheScope":"%s",%s}`, complete, ttl, scope, serverMeta)
	}
	notServed := `"error":{"code":-32601,"message":"this method is not served"}`
	discover := `"result":{"supportedVersions":["2026-07-28","2025-11-25","2025-06-18"],` + capabilities +
		`,"instructions":"Poll <often>.",` + cached(300000, "private")
	unsupported := func(v string) string {
		return `"error":{"code":-32022,"message":"this protocol version is not served per request","data":{"supported":["2026-07-28","2025-11-25","2025-06-18"],"requested":"` + v + `"}}`
	}
	now := meta("2026-07-28")
	tests := []struct{ name, method, params, want string }{
		{"discover", "server/discover", `{` + now + `}`, discover},
		{"discover without _meta", "server/discover", ``, discover},
		{"discover with an empty _meta", "server/discover", `{"_meta":{}}`, discover},
		{"discover in 2025", "server/discover", `{` + meta("2025-11-25") + `}`, unsupported("2025-11-25")},
		{"future version", "tools/list", `{` + meta("2099-01-01") + `}`, unsupported("2099-01-01")},
		{"version a number", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}`,
			`"error":{"code":-32602,"message":"the protocol version in _meta must be a string"}`},
		{"no capabilities", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
			`"error":{"code":-32602,"message":"_meta needs io.modelcontextprotocol/clientCapabilities, an object"}`},
		{"bad clientInfo", "tools/list", `{` + strings.Replace(now, `{"name":"modern","version":"9"}`, "5", 1) + `}`,
			`"error":{"code":-32602,"message":"io.modelcontextprotocol/clientInfo must be an object"}`},
		{"array", "tools/call", `{"name":"echo_array","arguments":{"text":"x"},` + now + `}`,
			`"result":{"content":[{"type":"text","text":"[\n  \"x\"\n]"}],"structuredContent":["x"],` + complete + `,` + serverMeta + `}`},
		{"null", "tools/call", `{"name":"nothing",` + now + `}`,
			`"result":{"content":[{"type":"text","text":"null"}],"structuredContent":null,` + complete + `,` + serverMeta + `}`},
		{"unknown tool", "tools/call", `{"name":"nope",` + now + `}`,
			`"error":{"code":-32602,"message":"there is no tool of that name; tools/list has them all"}`},
		{"resources", "resources/list", `{` + now + `}`, resourceList + `,` + cached(300000, "public")},
		{"templates", "resources/templates/list", `{` + now + `}`, `"result":{"resourceTemplates":[],` + cached(300000, "public")},
		{"prompts", "prompts/list", `{` + now + `}`, `"result":{"prompts":[],` + cached(300000, "public")},
		{"resource", "resources/read", `{"uri":"acc://roster",` + now + `}`,
			`"result":{"contents":[{"uri":"acc://roster","mimeType":"application/json","text":"[\n  \"modern\"\n]"}],` + cached(0, "private")},
		{"unknown resource", "resources/read", `{"uri":"acc://nope",` + now + `}`,
			`"error":{"code":-32602,"message":"there is no such resource; resources/list has them all"}`},
		{"removed: ping", "ping", `{` + now + `}`, notServed},
		{"removed: initialize", "initialize", `{"protocolVersion":"2026-07-28",` + now + `}`, notServed},
		{"removed: logging", "logging/setLevel", `{"level":"info",` + now + `}`, notServed},
	}
	connect(t, func(p *peer) {
		for i, tt := range tests {
			id := fmt.Sprint(i)
			p.send(request(id, tt.method, tt.params))
			if got, want := p.next(), `{"jsonrpc":"2.0","id":`+id+`,`+tt.want+`}`; got != want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
			}
		}
	})
}

// Both eras share one connection, in any order.
func TestErasInterleave(t *testing.T) {
	modern := func(id string) string {
		return request(id, "tools/call", `{"name":"echo_object","arguments":{"text":"m"},`+meta("2026-07-28")+`}`)
	}
	modernAnswer := func(id string) string {
		plain := toolAnswer(id, `{"harness":"modern","text":"m","version":"9"}`, false)
		return strings.TrimSuffix(plain, "}}") + `,` + complete + `,` + serverMeta + `}}`
	}
	connect(t, func(p *peer) {
		p.send(modern("1"))
		p.expect(modernAnswer("1"))
		p.send(callTool("2", "echo_object", `{"text":"a"}`))
		p.expect(failure("2", -32600, "send initialize first"))
		p.legacy("2025-11-25", "test")
		p.send(modern("3"), callTool("4", "echo_object", `{"text":"a"}`), modern("5"))
		p.expect(modernAnswer("3"), echoAnswer("4", "a"), modernAnswer("5"))
	})
}

func TestListen(t *testing.T) {
	listen := func(id string) string {
		return request(id, "subscriptions/listen", `{"notifications":{"toolsListChanged":true},`+meta("2026-07-28")+`}`)
	}
	acknowledged := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"notifications":{}}}`
	}
	connect(t, func(p *peer) {
		p.send(request("1", "subscriptions/listen", `{`+meta("2026-07-28")+`}`))
		p.expect(failure("1", -32602, "notifications must be an object"))
		p.send(listen("1.5"))
		p.expect(acknowledged("1.5"))
		p.send(listen(`"b"`))
		p.expect(acknowledged(`"b"`))
		p.send(cancelled("1.5"), ping("2")) // a stream that the client closed is closed
		p.expect(pong("2"))
		p.silence()
		if err := p.end(); err != nil { // and the end of input closes the other, at once
			t.Error(err)
		}
		p.expect(`{"jsonrpc":"2.0","id":"b","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"acc","version":"1.0.0"},"io.modelcontextprotocol/subscriptionId":"b"}}}`)
	})
}
