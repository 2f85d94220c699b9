package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk, at whatever step of a write it becomes full: one clear error,
// the old state intact, and the next write works when there is space.
func TestFullWorkspace(t *testing.T) {
	root, ok := mountScratch(t, 4<<20)
	if !ok {
		return
	}
	bob, alice := join(t, "bob", root), join(t, "alice", root)
	bob.call("acc_status", nil)
	sent := map[string]bool{alice.note([]string{"bob"}, "first"): true}
	big := args{"to": []string{"bob"}, "subject": "big", "body": strings.Repeat("x", 60<<10)}
	for free := range 24 { // pages of 4 KiB: more than one big message takes
		filler := fill(t, root, free)
		r := alice.try("acc_message", big)
		switch {
		case !r.IsError:
			sent[resultID(alice, r)] = true
		case !strings.Contains(r.Content[0].Text, `"reason": "store_full"`):
			t.Errorf("with %d pages free: %s", free, r.Content[0].Text)
		}
		checkMail(t, fmt.Sprintf("with %d pages free", free), bob, sent)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	}
	r := alice.try("acc_message", big)
	if r.IsError {
		t.Fatalf("with space again: %s", r.Content[0].Text)
	}
	sent[resultID(alice, r)] = true
	checkMail(t, "with space again", bob, sent)
	alice.end()
	bob.end()
	checkMail(t, "after a restart", join(t, "bob", root), sent)
}

// checkMail wants exactly the mail that was sent.
func checkMail(t *testing.T, when string, s *server, sent map[string]bool) {
	t.Helper()
	got := s.pages("acc_inbox", args{"limit": 500}, "message", "messageId")
	for id := range sent {
		if !got[id] {
			t.Errorf("%s: %s is lost", when, id)
		}
	}
	if len(got) != len(sent) {
		t.Errorf("%s: %d letters, want %d", when, len(got), len(sent))
	}
}

// fill leaves so many pages of the file system free and returns the file that
// takes the rest.
func fill(t *testing.T, root string, free int) string {
	t.Helper()
	path := filepath.Join(root, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	var written int64
	for {
		if _, err := f.Write(page); errors.Is(err, syscall.ENOSPC) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		written += int64(len(page))
	}
	if err := f.Truncate(max(0, written-int64(free)*4096)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A workspace that is read-only can be looked at, and says so when it
// cannot be written.
func TestReadOnlyWorkspace(t *testing.T) {
	root, ok := mountScratch(t, 16<<20)
	if !ok {
		return
	}
	bob, alice := join(t, "bob", root), join(t, "alice", root)
	bob.call("acc_status", nil)
	id := alice.note([]string{"bob"}, "first")
	write := args{"to": []string{"bob"}, "subject": "s", "body": "b"}
	alice.end()
	bob.end() // what is open for writing cannot become read-only
	before := tree(t, root)

	remountScratch(t, root, true)
	bob, alice = join(t, "bob", root), join(t, "alice", root)
	alice.refused("store_read_only", "acc_message", write)
	if a := bob.request("resources/read", `{"uri":"acc://snapshot"}`); a.Error != nil || !strings.Contains(string(a.Result), id) {
		t.Errorf("a read-only room cannot be looked at: %+v", a.Error)
	}
	unchanged(t, root, before)

	remountScratch(t, root, false)
	second := text(t, alice.call("acc_message", write), "message", "messageId")
	checkMail(t, "writable again", bob, map[string]bool{id: true, second: true})
}

// A room that never was cannot come to be in a read-only workspace.
func TestReadOnlyFreshWorkspace(t *testing.T) {
	root, ok := mountScratch(t, 4<<20)
	if !ok {
		return
	}
	remountScratch(t, root, true)
	s := join(t, "alice", root)
	s.refused("store_read_only", "acc_status", nil)
	if a := s.request("resources/read", `{"uri":"acc://roster"}`); a.Error != nil {
		t.Errorf("roster: %+v", a.Error)
	}
	s.end()
}
