package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/golden"
)

// TestRoomTree holds what a small story leaves on the disk, to the letter.
func TestRoomTree(t *testing.T) {
	root := repository(t)
	bob, alice := join(t, "bob", root), join(t, "alice", root)
	bob.call("acc_work", args{"summary": "Write the docs", "mode": "edit", "resourceHints": []string{"file:docs/**"}})
	alice.call("acc_claim", args{"action": "acquire", "resource": "file:src/app.go", "reason": "split"})
	asked := alice.call("acc_message", args{"to": []string{"bob"}, "kind": "question", "subject": "Which parser?", "body": "The old one,\nor the new one?"})
	id := text(t, asked, "message", "messageId")
	bob.try("acc_inbox", args{"messageId": id})
	bob.call("acc_reply", args{"messageId": id, "body": "The new one."})
	alice.call("acc_message", args{"to": []string{"bob"}, "kind": "decision", "subject": "One parser", "body": "We keep the new parser.", "clientMessageId": "parser-1"})
	alice.call("acc_finish", args{"goal": "Choose a parser", "status": "complete", "completed": []string{"chosen"}})
	alice.end()
	bob.end()

	checkPrivate(t, root)
	const name = "room/small-story.txt"
	golden.Compare(t, name, []byte(roomListing(t, root)))
	golden.NoOrphans(t, "room", name)
}

// roomListing is every file of the room with its content, placeholders in
// both. What is for programs alone is listed by name.
func roomListing(t *testing.T, root string) string {
	m, files := newMasker(root), tree(t, filepath.Join(root, ".acc"))
	var out strings.Builder
	out.WriteString("The files of .acc/ after a small story: alice asks, bob answers, alice decides\n" +
		"and leaves. Ids, times and secrets are placeholders.\n")
	for _, name := range sortedKeys(files) {
		switch content := files[name]; {
		case strings.HasPrefix(content, "d"): // files show where they are
		case strings.HasPrefix(name, "run/"):
			fmt.Fprintf(&out, "\n-- .acc/%s --\n(for programs)\n", m.mask(name))
		default:
			fmt.Fprintf(&out, "\n-- .acc/%s --\n%s", m.mask(name), m.mask(content))
		}
	}
	return out.String()
}

// checkPrivate wants what holds a secret to be for its owner alone, and no
// secret anywhere else.
func checkPrivate(t *testing.T, root string) {
	t.Helper()
	tokens := generations(root)
	if len(tokens) < 2 {
		t.Fatalf("%d sessions with a generation", len(tokens))
	}
	for name, content := range tree(t, root) {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		secret := strings.HasPrefix(name, ".acc/sessions/") || strings.HasPrefix(name, ".acc/run/")
		if secret && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		for _, token := range tokens {
			if !secret && strings.Contains(content, token) {
				t.Errorf("a generation token is in %s", name)
			}
		}
	}
}
