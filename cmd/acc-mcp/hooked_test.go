package main_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
	"acc/tools/delivery/hook"
)

// runHook runs a hook of a client as a process of its own would.
func runHook(t *testing.T, root, id string, in client.Input) string {
	t.Helper()
	w, err := fsstore.Locate(root)
	if err != nil {
		t.Fatal(err)
	}
	env := fsstore.RealEnv(nil)
	env.Process = fsstore.Process{Host: env.Process.Host}
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: id, Env: env})
	defer room.Close()
	var out bytes.Buffer
	in.Dir = root
	err = hook.Run(t.Context(), hook.Request{
		Workspace: w, Room: room, Participant: id, Client: id, Policy: schema.DeliverAll, Input: in, Now: time.Now(),
	}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// joinAs starts a server as a client does: under its name, in the environment
// that it makes.
func joinAs(t *testing.T, id, root string, env ...string) *server {
	t.Helper()
	s := start(t, launch{participant: id, workspace: root, env: env})
	s.send(request("0", "initialize", fmt.Sprintf(
		`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":%q,"version":"9.9.9"}}`, rev2511, client.Harness(id))), initializedLine)
	s.answer()
	return s
}

// session calls acc_status with a _meta and gives the caller's session.
func (s *server) session(meta string) string {
	s.t.Helper()
	a := s.request("tools/call", `{"name":"acc_status","arguments":{},"_meta":`+meta+`}`)
	var result toolResult
	s.decode(a.Result, &result)
	var status struct{ SessionID string }
	s.decode(result.Structured, &status)
	return status.SessionID
}

// A client's hooks and its server are one agent in the room, however the
// client lets the server know its session; two sessions of it are two.
func TestHooksAndServerShareASession(t *testing.T) {
	codex := func(id string) string { return `{"sessionId":"` + id + `","threadId":"` + id + `","progressToken":1}` }
	for id, say := range map[string]func(session string) (env []string, meta string){
		client.Claude: func(s string) ([]string, string) {
			return []string{"CLAUDE_CODE_SESSION_ID=" + s}, `{"progressToken":1}`
		},
		client.Qwen:  func(s string) ([]string, string) { return []string{"QWEN_CODE_SESSION_ID=" + s}, `{"progressToken":1}` },
		client.Codex: func(s string) ([]string, string) { return nil, codex(s) },
	} {
		t.Run(id, func(t *testing.T) {
			root := repository(t)
			join(t, "bob", root).call("acc_status", nil) // makes the room
			var sessions []string
			for _, name := range []string{"one", "two"} {
				env, meta := say(name)
				runHook(t, root, id, client.Input{Event: client.SessionStart, ClientSession: name})
				s := joinAs(t, id, root, env...)
				session := s.session(meta)
				runHook(t, root, id, client.Input{Event: client.BeforeTurn, ClientSession: name})
				if again := s.session(meta); again != session {
					t.Errorf("%s: %s became %s", name, session, again)
				}
				sessions = append(sessions, session)
				if got := len(names(t, root, ".acc/sessions/session_*.json")); got != len(sessions)+1 {
					t.Errorf("after %s there are %d sessions", name, got)
				}
			}
			if sessions[0] == sessions[1] {
				t.Errorf("two sessions of %s are one", id)
			}
		})
	}
}

// Codex may serve several of its sessions with one server.
func TestOneServerForTwoClientSessions(t *testing.T) {
	root := repository(t)
	s := joinAs(t, client.Codex, root)
	one, two := s.session(`{"sessionId":"one"}`), s.session(`{"sessionId":"two"}`)
	if one == two || s.session(`{"sessionId":"one"}`) != one || s.session(`{"sessionId":"two"}`) != two {
		t.Errorf("%s and %s", one, two)
	}
}
