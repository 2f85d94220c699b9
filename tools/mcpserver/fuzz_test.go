package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a line holds, what comes out is protocol, and the server goes on.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		ping("1"), `{"jsonrpc":"2.0","id":1.5e3,"method":"tools/call","params":{"name":"echo_object","arguments":{"text":"\ud800"}}}`,
		cancelled("1"), initialized, initialize("2025-11-25", "x"), `[{}]`, "\xef\xbb\xbf{}", `{"id":{},"result":1}`,
		request(`"a"`, "server/discover", `{`+meta("2026-07-28")+`}`), request("1", "resources/read", `{"uri":"\u0001"}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if strings.Contains(string(line), "slow") || strings.Contains(string(line), "stuck") {
			return // these tools wait for the test
		}
		connect(t, func(p *peer) {
			p.legacy("2025-11-25", "test")
			p.raw(string(line) + "\n")
			p.send(ping(`"last"`))
			if err := p.end(); err != nil {
				t.Error(err)
			}
			ponged := false
			for out := range p.lines {
				var m struct {
					JSONRPC string `json:"jsonrpc"`
					Error   *struct{ Code int }
				}
				if err := json.Unmarshal([]byte(out), &m); err != nil || m.JSONRPC != "2.0" || m.Error != nil && m.Error.Code == 0 {
					t.Errorf("wrote %q", out)
				}
				ponged = ponged || out == pong(`"last"`)
			}
			if !ponged {
				t.Error("the ping behind it has no answer")
			}
		})
	})
}
