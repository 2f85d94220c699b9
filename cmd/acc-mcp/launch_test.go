package main_test

import (
	"strings"
	"testing"
)

// TestRefusedLaunch holds what a user sees who configured the server wrongly:
// one clear line on stderr, an exit status, and nothing created.
func TestRefusedLaunch(t *testing.T) {
	tests := []struct {
		name string
		launch
		code int
		want string // on stderr
	}{
		{"argument", launch{args: []string{"serve"}}, 2, "takes no arguments"},
		{"flag", launch{args: []string{"--help"}}, 2, "takes no arguments"},
		{"version flag", launch{args: []string{"-v"}}, 2, "takes no arguments"},
		{"empty argument", launch{args: []string{""}}, 2, "takes no arguments"},
		{"participant with a slash", launch{participant: "../bob"}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant with a space", launch{participant: "bob smith"}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant with a line end", launch{participant: "bob\n"}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant that starts with a dot", launch{participant: ".bob"}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant that ends with a dot", launch{participant: "bob."}, 2, "ACC_MCP_PARTICIPANT"},
		{"device name", launch{participant: "CON"}, 2, "ACC_MCP_PARTICIPANT"},
		{"device name with an extension", launch{participant: "nul.txt"}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant of 65 characters", launch{participant: strings.Repeat("a", 65)}, 2, "ACC_MCP_PARTICIPANT"},
		{"participant outside ASCII", launch{participant: "björn"}, 2, "ACC_MCP_PARTICIPANT"},
		{"log level", launch{env: []string{"ACC_MCP_LOG_LEVEL=loud"}}, 2, "ACC_MCP_LOG_LEVEL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.workspace = repository(t)
			before := tree(t, test.workspace)
			refusesLaunch(t, test.launch, test.code, test.want)
			unchanged(t, test.workspace, before)
		})
	}
}

// refusesLaunch starts a server that must not come up, stdin notwithstanding.
func refusesLaunch(t *testing.T, l launch, code int, want string) {
	t.Helper()
	s := start(t, l)
	if got := s.wait(soon); got != code {
		t.Errorf("exit status %d, want %d; stderr:\n%s", got, code, s.stderr())
	}
	if !strings.Contains(s.stderr(), want) {
		t.Errorf("stderr has no %q:\n%s", want, s.stderr())
	}
	if lines := s.rest(); len(lines) > 0 {
		t.Errorf("stdout says %q", lines)
	}
}

func TestParticipants(t *testing.T) {
	for configured, want := range map[string]string{
		"": "mcp", "alice": "alice", "A.b-c_9": "A.b-c_9", strings.Repeat("z", 64): strings.Repeat("z", 64),
	} {
		t.Run("named "+want, func(t *testing.T) {
			t.Parallel()
			root := repository(t)
			s := join(t, configured, root)
			if got := text(t, s.call("acc_status", nil), "participantId"); got != want {
				t.Errorf("participant %q, want %q", got, want)
			}
			s.end()
			if names(t, root, ".acc/participants/"+want+".json") == nil {
				t.Errorf("there is no record of %s", want)
			}
		})
	}
}

// A client names itself in initialize, and that is not who it is in the room.
func TestClientInfoNamesNobody(t *testing.T) {
	root := repository(t)
	s := start(t, launch{participant: "alice", workspace: root})
	s.send(request("0", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bob","version":"1"}}`), initializedLine)
	s.answer()
	status := s.call("acc_status", nil)
	if got := text(t, status, "participantId"); got != "alice" {
		t.Errorf("participant %q", got)
	}
	if got := text(t, status, "participants", 0, "harness"); got != "bob" {
		t.Errorf("harness %q", got)
	}
	if got := names(t, root, ".acc/participants/*.json"); len(got) != 1 {
		t.Errorf("participants %v", got)
	}
}

// Two ids that differ in letter case only would share a file on many systems.
func TestLetterCaseOfParticipants(t *testing.T) {
	root := repository(t)
	join(t, "alice", root).call("acc_status", nil)
	join(t, "Alice", root).refused("participant_taken", "acc_status", nil)
	if got := names(t, root, ".acc/participants/*.json"); len(got) != 1 {
		t.Errorf("participants %v", got)
	}
}
