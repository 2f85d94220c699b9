package main_test

import (
	"path/filepath"
	"testing"
)

// looking is everything that a client may do without becoming anybody.
var looking = []struct{ method, params string }{
	{"ping", ""}, {"tools/list", ""}, {"resources/list", ""}, {"resources/templates/list", ""}, {"prompts/list", ""},
	{"resources/read", `{"uri":"acc://snapshot"}`}, {"resources/read", `{"uri":"acc://roster"}`},
}

// refusals are calls that fail before anybody is resolved.
var refusals = []struct {
	tool      string
	arguments args
	reason    string
}{
	{"acc_status", args{"verbose": true}, "unknown_field"},
	{"acc_message", args{"to": []string{}, "subject": "s"}, "missing_field"},
	{"acc_message", args{"to": []string{}, "subject": "a\nb", "body": "b"}, "invalid_field"},
	{"acc_message", args{"to": []string{}, "subject": "s", "body": "b", "kind": "answer"}, "invalid_field"},
	{"acc_claim", args{"action": "acquire"}, "missing_field"},
	{"acc_claim", args{"action": "acquire", "resource": "file:../x"}, "resource_outside_workspace"},
	{"acc_release", args{}, "missing_field"},
	{"acc_release", args{"all": true, "resource": "file:a"}, "conflicting_fields"},
	{"acc_sync", args{"scope": "everything"}, "invalid_field"},
	{"acc_sync", args{"kind": "handoff"}, "conflicting_fields"},
	{"acc_inbox", args{"messageId": "../../etc/passwd"}, "invalid_field"},
	{"acc_work", args{"clear": true, "summary": "x"}, "conflicting_fields"},
}

// Connecting, listing and looking creates neither a participant nor a file,
// and so does a call that is refused.
func TestLookingIsSilent(t *testing.T) {
	fresh, lived := repository(t), repository(t)
	alice := join(t, "alice", lived)
	alice.note([]string{}, "hello")
	alice.end()
	for name, root := range map[string]string{"fresh": fresh, "a room with alice": lived} {
		t.Run(name, func(t *testing.T) {
			before := tree(t, root)
			s := join(t, "bob", root)
			for _, look := range looking {
				if a := s.request(look.method, look.params); a.Error != nil {
					t.Errorf("%s: %+v", look.method, a.Error)
				}
			}
			for _, r := range refusals {
				s.refused(r.reason, r.tool, r.arguments)
			}
			s.send(modern("99", "tools/list", ""), request("98", "server/discover", ""))
			s.next()
			s.next()
			unchanged(t, root, before)
			s.end()
			unchanged(t, root, before)
		})
	}
}

// Reading acc://inbox resolves the participant, as a tool call does.
func TestInboxResourceResolves(t *testing.T) {
	root := repository(t)
	s := join(t, "bob", root)
	if a := s.request("resources/read", `{"uri":"acc://inbox"}`); a.Error != nil {
		t.Fatalf("%+v", a.Error)
	}
	one(t, root, ".acc/participants/bob.json")
	one(t, root, ".acc/sessions/session_*.json")
}

// Neither a list nor a resource nor a sync moves a receipt.
func TestListsMoveNoReceipt(t *testing.T) {
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	id := join(t, "alice", root).note([]string{"bob"}, "hello")
	inbox := filepath.Join(root, ".acc", "inbox", "bob")
	before := tree(t, inbox)
	for range 2 {
		bob.call("acc_inbox", nil)
		bob.call("acc_status", nil)
		bob.call("acc_sync", args{"scope": "full"})
		bob.call("acc_sync", args{"scope": "history", "messageId": id})
		for _, uri := range []string{"acc://inbox", "acc://snapshot", "acc://roster"} {
			bob.request("resources/read", `{"uri":"`+uri+`"}`)
		}
	}
	unchanged(t, inbox, before)
}
