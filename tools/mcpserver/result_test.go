package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestToolResults(t *testing.T) {
	internal := `{"error":{"code":"data","reason":"internal","message":"the operation failed unexpectedly and changed nothing it did not report; see the server's stderr, then try again","details":{}}}`
	usage := func(id, message string) string { return failure(id, -32602, message) }
	const noName = "tools/call needs the name of a tool, a string"
	tests := []struct{ name, params, want string }{
		{"object", `{"name":"echo_object","arguments":{"text":"a"}}`, echoAnswer("1", "a")},
		{"object in a string", `{"name":"echo_object","arguments":"{\"text\":\"a\"}"}`, echoAnswer("1", "a")},
		{"array", `{"name":"echo_array","arguments":{"text":"a"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[\n  \"a\"\n]"}]}}`},
		{"null", `{"name":"nothing","arguments":null}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"null"}]}}`},
		{"refusal, arguments absent", `{"name":"fail"}`,
			toolAnswer("1", `{"error":{"code":"conflict","reason":"claim_conflict","message":"bob holds it; ask bob.","details":{"conflicts":["a"]}}}`, true)},
		{"plain error", `{"name":"fail_plain","arguments":{}}`, toolAnswer("1", internal, true)},
		{"panic", `{"name":"panics","arguments":{}}`, toolAnswer("1", internal, true)},
		{"no JSON", `{"name":"unencodable"}`, toolAnswer("1", internal, true)},
		{"unknown tool", `{"name":"nope","arguments":{}}`, usage("1", "there is no tool of that name; tools/list has them all")},
		{"name a number", `{"name":5}`, usage("1", noName)},
		{"no name", `{"arguments":{}}`, usage("1", noName)},
		{"no params", ``, usage("1", noName)},
		{"_meta a number", `{"name":"fail","_meta":5}`, usage("1", "_meta must be an object")},
	}
	for _, version := range []string{"2025-06-18", "2025-11-25"} {
		connect(t, func(p *peer) {
			p.legacy(version, "test")
			for _, tt := range tests {
				p.send(request("1", "tools/call", tt.params))
				if got := p.next(); got != tt.want {
					t.Errorf("%s, %s:\n got %s\nwant %s", version, tt.name, got, tt.want)
				}
			}
			if err := p.end(); err != nil {
				t.Error(err)
			}
			log := p.log.String()
			for _, want := range []string{"boom in a tool", "harness_test.go", "/root/secret"} {
				if !strings.Contains(log, want) {
					t.Errorf("the log does not mention %q", want)
				}
			}
		})
	}
}

// Damaged arguments reach the tool's own decoder, which refuses them by name,
// and the stream goes on.
func TestDamagedArguments(t *testing.T) {
	tests := []struct{ name, arguments, want string }{
		{"twice", `{"text":"a","text":"b"}`, `text: `},
		{"lone surrogate", `{"text":"\ud800"}`, `text: `},
		{"bad UTF-8", "{\"text\":\"\xff\xfe\"}", `text: `},
		{"unknown", `{"text":"a","zzz":1}`, `zzz: `},
		{"other case", `{"Text":"a"}`, `Text: `},
		{"array", `[1]`, `arguments`},
		{"string", `"x"`, `arguments`},
		{"missing", `null`, `text: `},
	}
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		for _, tt := range tests {
			p.send(callTool("1", "echo_object", tt.arguments))
			var got struct {
				Result struct {
					Structured struct {
						Error struct{ Code, Message string } `json:"error"`
					} `json:"structuredContent"`
					IsError bool `json:"isError"`
				} `json:"result"`
			}
			if err := json.Unmarshal([]byte(p.next()), &got); err != nil {
				t.Fatal(err)
			}
			e := got.Result.Structured.Error
			if !got.Result.IsError || e.Code != "usage" || !strings.Contains(e.Message, tt.want) {
				t.Errorf("%s: got %+v", tt.name, got)
			}
		}
		if len(p.ran) != 0 {
			t.Errorf("these ran: %q", p.ran)
		}
	})
}

func TestErrorTextIsBounded(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "fail_big", `{}`))
		var got struct {
			Result struct {
				Content    []struct{ Text string }
				Structured struct {
					Error struct {
						Message string
						Details map[string]string
					}
				} `json:"structuredContent"`
			}
		}
		if err := json.Unmarshal([]byte(p.next()), &got); err != nil {
			t.Fatal(err)
		}
		e := got.Result.Structured.Error
		if len(e.Details["conflicts"]) != 5000 {
			t.Errorf("conflicts were cut to %d bytes", len(e.Details["conflicts"]))
		}
		if rest := len(got.Result.Content[0].Text) - 5000; rest > 2000 {
			t.Errorf("the rest has %d bytes", rest)
		}
		if e.Details["list"] != "" || !strings.HasPrefix(e.Message, "💥💥") || !strings.HasSuffix(e.Message, "💥…") {
			t.Errorf("got %+v", e)
		}
	})
}

func TestQuirks(t *testing.T) {
	plain := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[\n  \"a\"\n]"}]}}`
	wrapped := toolAnswer("1", `{"result":["a"]}`, false)
	for name, want := range map[string]string{
		"gemini-cli-mcp-client": wrapped, "gemini-cli-mcp-client-acc": wrapped, "Gemini-CLI": wrapped,
		"qwen-cli-mcp-client-acc": plain, "my-gemini-cli": plain, "claude-code": plain, "": plain,
	} {
		connect(t, func(p *peer) {
			p.legacy("2025-06-18", name)
			p.send(callTool("1", "echo_array", `{"text":"a"}`))
			p.expect(want)
		})
	}
}

// What a client calls itself is cut to something that can be stored.
func TestCallerIsPrintable(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "a\nb\u200b"+strings.Repeat("é", 300))
		p.send(callTool("1", "echo_object", `{"text":"a"}`))
		p.expect(toolAnswer("1", `{"harness":"ab`+strings.Repeat("é", 98)+`","text":"a","version":"7"}`, false))
	})
}

func TestResources(t *testing.T) {
	const none = "there is no such resource; resources/list has them all"
	tests := []struct{ name, params, want string }{
		{"array", `{"uri":"acc://roster"}`, `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"acc://roster","mimeType":"application/json","text":"[\n  \"test\"\n]"}]}}`},
		{"unknown", `{"uri":"acc://nope"}`, failure("1", -32002, none)},
		{"control characters", `{"uri":"acc://a\u007f\u0001z"}`, failure("1", -32002, none)},
		{"lone surrogate", `{"uri":"acc://\ud800"}`, failure("1", -32002, none)},
		{"emoji", `{"uri":"acc://é😀"}`, failure("1", -32002, none)},
		{"empty", `{"uri":""}`, failure("1", -32002, none)},
		{"missing", `{}`, failure("1", -32002, none)},
		{"no params", ``, failure("1", -32002, none)},
		{"a number", `{"uri":5}`, failure("1", -32602, "uri must be a string")},
		{"damaged", `{"uri":"acc://damaged"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the record is damaged.","data":{"error":{"code":"data","reason":"record_damaged","message":"the record is damaged.","details":{"id":"m1"}}}}}`},
	}
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		for _, tt := range tests {
			p.send(request("1", "resources/read", tt.params))
			if got := p.next(); got != tt.want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
			}
		}
		p.send(request("1", "resources/read", `{"uri":"acc://panics"}`))
		if got := p.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,`) || strings.Contains(got, "boom") {
			t.Errorf("got %s", got)
		}
		p.send(ping("2"))
		p.expect(pong("2"))
	})
}

func TestToolsListIsTheRegistry(t *testing.T) {
	want := []struct{ name, hints string }{ // in its order
		{"echo_object", `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
		{"echo_array", `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
		{"slow", `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}`},
		{"stuck", `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}`},
	}
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(request("1", "tools/list", ""))
		first := p.next()
		p.send(request("1", "tools/list", "{}"))
		p.expect(first)
		var got struct {
			Result struct{ Tools []map[string]json.RawMessage }
		}
		if err := json.Unmarshal([]byte(first), &got); err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			tool := got.Result.Tools[i]
			if string(tool["name"]) != `"`+w.name+`"` || string(tool["annotations"]) != w.hints || len(tool) != 5 {
				t.Errorf("tool %d: %s", i, tool)
			}
		}
		schema := `{"type":"object","properties":{"text":{"type":"string","description":"What to echo"}},"required":["text"],"additionalProperties":false}`
		if s := string(got.Result.Tools[0]["inputSchema"]); s != schema {
			t.Errorf("inputSchema %s", s)
		}
		if !strings.Contains(first, "Echoes <one> text.") {
			t.Error("the description is escaped")
		}
	})
}
