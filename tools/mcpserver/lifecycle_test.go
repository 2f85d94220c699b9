package mcpserver_test

import (
	"fmt"
	"testing"
)

const capabilities = `"capabilities":{"experimental":{"acc":{"guards":false}},"prompts":{},"resources":{"subscribe":true},"tools":{}}`

func initializeAnswer(version string) string {
	return `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"` + version + `",` + capabilities +
		`,"serverInfo":{"name":"acc","version":"1.0.0"},"instructions":"Poll <often>."}}`
}

func TestVersionNegotiation(t *testing.T) {
	for asked, want := range map[string]string{
		"2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2024-11-05": "2025-11-25", "2025-03-26": "2025-11-25", "2026-07-28": "2025-11-25",
		"1999-01-01": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25",
	} {
		connect(t, func(p *peer) {
			p.send(initialize(asked, "test"))
			p.expect(initializeAnswer(want))
		})
	}
}

func TestInitializeParams(t *testing.T) {
	ok := initializeAnswer("2025-11-25")
	bad := func(message string) string { return failure(`"init"`, -32602, message) }
	tests := []struct{ params, want string }{
		{`{}`, ok},
		{`{"protocolVersion":null}`, bad("protocolVersion must be a string")},
		{`{"protocolVersion":5}`, bad("protocolVersion must be a string")},
		{`{"protocolVersion":"2025-11-25"}`, ok},
		{`{"clientInfo":null,"capabilities":null}`, ok},
		{`{"clientInfo":5}`, bad("clientInfo must be an object")},
		{`{"capabilities":"all"}`, bad("capabilities must be an object")},
		{`{"clientInfo":{"name":5}}`, ok},
		{`{"_meta":7}`, bad("_meta must be an object")},
		{``, bad("initialize needs params")},
		{`null`, bad("initialize needs params")},
	}
	for _, tt := range tests {
		connect(t, func(p *peer) {
			p.send(request(`"init"`, "initialize", tt.params))
			p.expect(tt.want)
		})
	}
}

func TestLifeCycle(t *testing.T) {
	connect(t, func(p *peer) {
		first, then := "send initialize first", "send notifications/initialized first"
		p.send(request("1", "tools/list", ""))
		p.expect(failure("1", -32600, first))
		p.send(request("2", "no/such", ""))
		p.expect(failure("2", -32600, first))
		p.send(ping("3"))
		p.expect(pong("3"))
		p.send(initialized, callTool("4", "echo_object", `{"text":"a"}`))
		p.expect(failure("4", -32600, first))

		p.send(request("5", "initialize", "[]"), request("6", "initialize", "")) // refused, so they do not count
		p.expect(failure("5", -32600, "params must be an object"), failure("6", -32602, "initialize needs params"))
		p.send(initialize("2025-11-25", "test"))
		p.expect(initializeAnswer("2025-11-25"))

		p.send(callTool("7", "echo_object", `{"text":"a"}`))
		p.expect(failure("7", -32600, then))
		p.send(ping("8"))
		p.expect(pong("8"))
		p.send(initialize("2025-11-25", "test"))
		p.expect(failure(`"init"`, -32600, "the session is initialized already"))
		p.send(request("9", "notifications/initialized", ""), callTool("10", "echo_object", `{"text":"a"}`))
		p.expect(failure("9", -32600, then), failure("10", -32600, then))

		p.send(initialized, initialized, callTool("11", "echo_object", `{"text":"a"}`))
		p.expect(echoAnswer("11", "a"))
		p.send(initialize("2025-06-18", "test"))
		p.expect(failure(`"init"`, -32600, "the session is initialized already"))
		p.silence()
	})
}

// The whole opening may come in one write, before any answer has been read.
func TestPipelinedOpening(t *testing.T) {
	connect(t, func(p *peer) {
		p.send(initialize("2025-06-18", "test"), initialized, callTool("1", "echo_object", `{"text":"a"}`))
		p.expect(initializeAnswer("2025-06-18"), echoAnswer("1", "a"))
	})
}

func TestMethods(t *testing.T) {
	tests := []struct{ method, params, want string }{
		{"no/such", "", `"error":{"code":-32601,"message":"this method is not served"}`},
		{"", "", `"error":{"code":-32601,"message":"this method is not served"}`},
		{"logging/setLevel", `{"level":"debug"}`, `"error":{"code":-32601,"message":"this method is not served"}`},
		{"completion/complete", `{}`, `"error":{"code":-32601,"message":"this method is not served"}`},
		{"subscriptions/listen", `{"notifications":{}}`, `"error":{"code":-32601,"message":"this method is not served"}`},
		{"notifications/cancelled", `{"requestId":1}`, `"error":{"code":-32601,"message":"this method is not served"}`},
		{"prompts/list", "", `"result":{"prompts":[]}`},
		{"prompts/list", "null", `"result":{"prompts":[]}`},
		{"prompts/get", `{"name":"x"}`, `"error":{"code":-32602,"message":"there is no such prompt; this server has none"}`},
		{"prompts/get", "", `"error":{"code":-32602,"message":"there is no such prompt; this server has none"}`},
		{"resources/templates/list", "", `"result":{"resourceTemplates":[]}`},
		{"tools/list", `{"cursor":"zzz"}`, `"error":{"code":-32602,"message":"the cursor is unknown; all there is comes on the first page"}`},
		{"resources/list", `{"cursor":""}`, resourceList + `}`},
	}
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		for i, tt := range tests {
			id := fmt.Sprint(i)
			p.send(request(id, tt.method, tt.params))
			p.expect(`{"jsonrpc":"2.0","id":` + id + `,` + tt.want + `}`)
		}
	})
}

const resourceList = `"result":{"resources":[` +
	`{"uri":"acc://roster","name":"roster","title":"Roster","description":"Who is <here>.","mimeType":"application/json"},` +
	`{"uri":"acc://damaged","name":"damaged","mimeType":"application/json"},` +
	`{"uri":"acc://inbox","name":"inbox","mimeType":"application/json"},` +
	`{"uri":"acc://unwatchable","name":"unwatchable","mimeType":"application/json"},` +
	`{"uri":"acc://panics","name":"panics","mimeType":"application/json"}]`
