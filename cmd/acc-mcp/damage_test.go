package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// livedIn makes a room with mail, a claim, an intent and two participants. The
// mail is enough for the last to leave to cut the journal: what that covers is
// restored by the next opener, not reported.
func livedIn(t *testing.T) (root, good, other string) {
	t.Helper()
	root = repository(t)
	bob, alice := join(t, "bob", root), join(t, "alice", root)
	bob.call("acc_status", nil)
	alice.call("acc_message", args{"to": []string{}, "subject": "long", "body": strings.Repeat("x", 64<<10)})
	good, other = alice.note([]string{"bob"}, "good"), alice.note([]string{"bob"}, "other")
	alice.call("acc_work", args{"summary": "s", "mode": "edit"})
	alice.call("acc_claim", args{"action": "acquire", "resource": "file:a"})
	bob.end()
	alice.end()
	return root, good, other
}

// TestDamagedFiles puts what does not belong among the records, one kind at a
// time: it is reported, hides nothing, and stays as it is.
func TestDamagedFiles(t *testing.T) {
	kinds := map[string]func(t *testing.T, path string){
		"empty":     func(t *testing.T, path string) { put(t, path, "") },
		"NUL":       func(t *testing.T, path string) { put(t, path, strings.Repeat("\x00", 4096)) },
		"truncated": func(t *testing.T, path string) { put(t, path, "{\n  \"schemaVersion\": 1,\n  \"mess") },
		"garbage":   func(t *testing.T, path string) { put(t, path, "\xff\xfe<html>") },
		"directory": func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"link": func(t *testing.T, path string) { symlink(t, "/etc/passwd", path) },
	}
	for kind, damage := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			root, good, _ := livedIn(t)
			placed := place(t, root, damage)
			before := tree(t, root)
			bob := join(t, "bob", root)
			checkGoodMail(t, bob, good)
			bob.call("acc_status", nil)
			bob.call("acc_sync", args{"scope": "full"})
			bob.note([]string{"alice"}, "still here")
			bob.end()
			after := tree(t, root)
			for _, name := range placed {
				if after[name] != before[name] {
					t.Errorf("%s changed", name)
				}
				if kind != "directory" && !strings.Contains(bob.stderr(), strings.TrimPrefix(name, ".acc/")) {
					t.Errorf("%s is not reported; stderr:\n%s", name, bob.stderr())
				}
			}
		})
	}
}

// place damages a new record of each kind and returns the names.
func place(t *testing.T, root string, damage func(*testing.T, string)) []string {
	t.Helper()
	const id = "01m8pr5gt5rmhd0s8es1wpfsep"
	day := filepath.ToSlash(filepath.Dir(names(t, root, ".acc/messages/*/message_*.json")[0]))
	placed := []string{
		day + "/message_" + id + ".note.json",
		".acc/claims/claim_" + id + ".json",
		".acc/participants/eve.json",
		".acc/sessions/session_" + id + ".json",
		".acc/inbox/bob/message_" + id + ".note.none.queued.json",
	}
	for _, name := range placed {
		damage(t, filepath.Join(root, filepath.FromSlash(name)))
	}
	return placed
}

// A record under the name of another is misplaced: it counts for neither.
func TestMisplacedRecords(t *testing.T) {
	const id = "01m8pr5gt5rmhd0s8es1wpfsep"
	root, good, _ := livedIn(t)
	day := filepath.ToSlash(filepath.Dir(one(t, root, ".acc/messages/*/"+good+".note.json")))
	copies := map[string]string{
		day + "/" + good + ".note.json":                     day + "/message_" + id + ".note.json",
		one(t, root, ".acc/claims/claim_*.json"):            ".acc/claims/claim_" + id + ".json",
		".acc/participants/alice.json":                      ".acc/participants/eve.json",
		".acc/inbox/bob/" + good + ".note.none.queued.json": ".acc/inbox/bob/message_" + id + ".note.none.queued.json",
		names(t, root, ".acc/sessions/session_*.json")[0]:   ".acc/sessions/session_" + id + ".json",
		one(t, root, ".acc/intents/session_*.json"):         ".acc/intents/session_" + id + ".json",
	}
	before := tree(t, root)
	for from, to := range copies {
		put(t, filepath.Join(root, to), before[from])
	}
	bob := join(t, "bob", root)
	checkGoodMail(t, bob, good)
	if got := list(t, bob.call("acc_status", nil), "participants"); len(got) != 2 {
		t.Errorf("participants %v", got)
	}
	if got := list(t, bob.call("acc_status", nil), "claims"); len(got) != 1 {
		t.Errorf("claims %v", got)
	}
	bob.call("acc_sync", args{"scope": "full"})
	bob.end()
	after := tree(t, root)
	for from, to := range copies {
		if after[to] != before[from] {
			t.Errorf("%s changed", to)
		}
		if !strings.Contains(bob.stderr(), strings.TrimPrefix(to, ".acc/")) {
			t.Errorf("%s is not reported", to)
		}
	}
}

// checkGoodMail wants the good message in inbox and history, and readable.
func checkGoodMail(t *testing.T, bob *server, good string) {
	t.Helper()
	if got := bob.pages("acc_inbox", args{}, "message", "messageId"); !got[good] || len(got) != 3 {
		t.Errorf("the inbox shows %v", got)
	}
	if got := bob.pages("acc_sync", args{"scope": "history"}, "messageId"); !got[good] {
		t.Errorf("history shows %v", got)
	}
	if r := bob.try("acc_inbox", args{"messageId": good}); r.IsError {
		t.Error(r.Content[0].Text)
	}
}

// A record edited by hand to lead elsewhere is damaged; asked for by id, it is
// not the same as missing.
func TestEditedRecord(t *testing.T) {
	root, good, other := livedIn(t)
	name := filepath.Join(root, one(t, root, ".acc/messages/*/"+other+".note.json"))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), `"inReplyTo": null`, `"inReplyTo": "../../etc/passwd"`, 1)
	put(t, name, edited)
	bob := join(t, "bob", root)
	if got := bob.pages("acc_inbox", args{}, "message", "messageId"); len(got) != 2 || !got[good] || got[other] {
		t.Errorf("the inbox shows %v", got)
	}
	for _, call := range []struct {
		tool      string
		arguments args
	}{
		{"acc_inbox", args{"messageId": other}}, {"acc_ack", args{"messageId": other}},
		{"acc_reply", args{"messageId": other, "body": "b"}}, {"acc_sync", args{"scope": "history", "messageId": other}},
	} {
		bob.refused("record_damaged", call.tool, call.arguments)
	}
	bob.end()
	if !strings.Contains(bob.stderr(), other) {
		t.Errorf("stderr does not name the record:\n%s", bob.stderr())
	}
	if now, err := os.ReadFile(name); err != nil || string(now) != edited {
		t.Errorf("the damaged record changed: %v", err)
	}
}

// A file that passed through another system reads as it did.
func TestLineEndsAndBOM(t *testing.T) {
	root, good, _ := livedIn(t)
	name := filepath.Join(root, one(t, root, ".acc/messages/*/"+good+".note.json"))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, "\ufeff"+strings.ReplaceAll(string(data), "\n", "\r\n"))
	bob := join(t, "bob", root)
	if r := bob.try("acc_inbox", args{"messageId": good}); r.IsError {
		t.Error(r.Content[0].Text)
	}
	bob.end()
	if bob.stderr() != "" {
		t.Errorf("stderr: %s", bob.stderr())
	}
}

// A room of a newer format is not touched.
func TestNewerFormat(t *testing.T) {
	root, _, _ := livedIn(t)
	name := filepath.Join(root, ".acc", "workspace.json")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, strings.Replace(string(data), `"formatVersion": 1`, `"formatVersion": 2`, 1))
	before := tree(t, root)
	s := join(t, "bob", root)
	s.refused("format_newer", "acc_status", nil)
	s.refused("format_newer", "acc_message", args{"to": []string{}, "subject": "s", "body": "b"})
	if a := s.request("resources/read", `{"uri":"acc://roster"}`); a.Error == nil || !strings.Contains(a.Error.Message, "format 2") {
		t.Errorf("roster: %s %+v", a.Result, a.Error)
	}
	s.end()
	unchanged(t, root, before)
}
