package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A writer that is killed in the middle of a row of writes leaves whole ones:
// every answered message is there, nothing is torn, and others go on at once.
func TestKilledWriter(t *testing.T) {
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	answered := map[string]bool{}
	for round := range 5 {
		alice := join(t, "alice", root)
		var lines []string
		for i := range 200 {
			lines = append(lines, callLine(fmt.Sprint(i+1), "acc_message", args{"to": []string{"bob"}, "subject": "s", "body": "b"}))
		}
		go alice.send(lines...)
		for range 3 + 4*round {
			r := alice.result(alice.answer())
			if r.IsError {
				t.Fatal(r.Content[0].Text)
			}
			answered[resultID(alice, r)] = true
		}
		alice.kill()
		for line := range alice.lines { // what it said before it died
			if strings.HasSuffix(line, "}") {
				var a answer
				alice.decode([]byte(line), &a)
				answered[resultID(alice, alice.result(a))] = true
			}
		}
		bob.note([]string{"bob"}, "going on")
	}
	got := bob.pages("acc_inbox", args{"limit": 500}, "message", "messageId")
	for id := range answered {
		if !got[id] {
			t.Errorf("%s was answered and is lost", id)
		}
	}
	if messages := len(names(t, root, ".acc/messages/*/message_*.note.json")); messages != len(got) {
		t.Errorf("%d messages and %d receipts", messages, len(got))
	}
	bob.end()
	if strings.Contains(bob.stderr(), "damaged") {
		t.Errorf("stderr: %s", bob.stderr())
	}
}

func resultID(s *server, r toolResult) string {
	s.t.Helper()
	var value object
	s.decode([]byte(r.Content[0].Text), &value)
	return text(s.t, value, "message", "messageId")
}

// What a killed writer left half-written is swept when it is old, and is never
// read as a record.
func TestLeftoversAreSwept(t *testing.T) {
	root, good, _ := livedIn(t)
	old := filepath.Join(root, ".acc", "run", "tmp", "message_01m8pr5gt5rmhd0s8es1wpfsep.note.json.12345")
	put(t, old, "{")
	yesterday := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	bob := join(t, "bob", root)
	checkGoodMail(t, bob, good)
	bob.note([]string{}, "hello")
	bob.end()
	if _, err := os.Lstat(old); err == nil {
		t.Error("a temporary file of yesterday is still there")
	}
	if bob.stderr() != "" {
		t.Errorf("stderr: %s", bob.stderr())
	}
}
