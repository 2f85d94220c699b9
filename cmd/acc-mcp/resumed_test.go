package main_test

import (
	"testing"

	"acc/tools/delivery/client"
)

// A client that resumes a session may tell its new server another name for it
// than its hooks: the server speaks for the session whose hooks ran last.
func TestServerOfAResumedSession(t *testing.T) {
	root := repository(t)
	join(t, "bob", root).call("acc_status", nil) // makes the room
	first := joinAs(t, client.Claude, root, "CLAUDE_CODE_SESSION_ID=one")
	runHook(t, root, client.Claude, client.Input{Event: client.SessionStart, ClientSession: "one"})
	want := first.session(`{}`)
	runHook(t, root, client.Claude, client.Input{Event: client.SessionStart, ClientSession: "two"})

	runHook(t, root, client.Claude, client.Input{Event: client.SessionStart, Source: client.SourceResume, ClientSession: "one"})
	runHook(t, root, client.Claude, client.Input{Event: client.BeforeTool, ClientSession: "one"})
	resumed := joinAs(t, client.Claude, root, "CLAUDE_CODE_SESSION_ID=unheard of")
	if got := resumed.session(`{}`); got != want {
		t.Errorf("the server of the resumed session speaks for %s, want %s", got, want)
	}
	if got := resumed.session(`{}`); got != want {
		t.Errorf("then it speaks for %s, want %s", got, want)
	}
}
