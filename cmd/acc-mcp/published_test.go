package main_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// appears waits for the one file that a pattern names.
func appears(t *testing.T, dir, pattern string) string {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(10 * time.Second); ; {
		if found := names(t, dir, pattern); len(found) > 0 {
			return found[0]
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s does not appear", pattern)
		}
	}
}

// A server that runs takes in what a pull brings, without any call.
func TestPullIsImported(t *testing.T) {
	root := repository(t)
	clone := filepath.Join(filepath.Dir(root), "clone")
	git(t, root, "clone", "-q", root, clone)
	bob := join(t, "bob", clone)
	bob.call("acc_status", nil)
	join(t, "bob", root).call("acc_status", nil)
	join(t, "alice", root).call("acc_finish", args{"goal": "split the parser", "toParticipantId": "bob"})
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "work")
	if found := names(t, clone, ".acc/messages/*/*.handoff.json"); len(found) > 0 {
		t.Fatalf("there before the pull: %v", found)
	}
	git(t, clone, "pull", "-q")
	appears(t, clone, ".acc/inbox/bob/*.handoff.acknowledge.queued.json")
	if got := list(t, bob.call("acc_inbox", nil), "items"); len(got) != 1 {
		t.Errorf("bob's inbox holds %d items", len(got))
	}
	if got := git(t, clone, "status", "--porcelain"); got != "" {
		t.Errorf("git status of the clone says %q", got)
	}
	if strings.Contains(bob.stderr(), "WARN") {
		t.Errorf("stderr: %s", bob.stderr())
	}
}

// Whoever starts in a fresh clone finds its mail with the first call.
func TestFreshClone(t *testing.T) {
	root := repository(t)
	join(t, "bob", root).call("acc_status", nil)
	alice := join(t, "alice", root)
	alice.call("acc_message", args{"to": []string{}, "subject": "tabs", "body": "we use tabs", "kind": "decision"})
	alice.call("acc_finish", args{"goal": "split the parser", "toParticipantId": "bob"})
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "work")
	clone := filepath.Join(filepath.Dir(root), "clone")
	git(t, root, "clone", "-q", root, clone)

	bob := join(t, "bob", clone)
	bob.request("tools/list", "{}")
	if found := names(t, clone, ".acc/*.json"); len(found) > 0 {
		t.Errorf("looking made %v", found)
	}
	items := list(t, bob.call("acc_inbox", nil), "items")
	if len(items) != 1 {
		t.Fatalf("bob's inbox holds %d items", len(items))
	}
	id := text(t, items[0], "message", "messageId")
	bob.call("acc_ack", args{"messageId": id})
	history := list(t, bob.call("acc_sync", args{"scope": "history", "kind": "decision"}), "items")
	if len(history) != 1 || text(t, history[0], "decisionStatus", "state") != "current" {
		t.Errorf("decisions: %v", history)
	}
	bob.call("acc_message", args{"to": []string{}, "subject": "spaces", "body": "no", "kind": "decision",
		"supersedes": []string{text(t, history[0], "messageId")}})
}

// A server in a linked worktree leaves its handoff there, and nowhere else.
func TestLinkedWorktreeHandoff(t *testing.T) {
	root := repository(t)
	linked := filepath.Join(filepath.Dir(root), "feature")
	git(t, root, "worktree", "add", "-q", "-b", "feature", linked)
	live := join(t, "bob", root)
	live.call("acc_status", nil)
	alice := join(t, "alice", linked)
	alice.call("acc_finish", args{"goal": "split the parser"})
	file := one(t, linked, ".acc/handoffs/*.json")
	if got := names(t, root, ".acc/handoffs/*"); len(got) > 0 {
		t.Errorf("also in the main worktree: %v", got)
	}
	git(t, linked, "add", "-A")
	git(t, linked, "commit", "-q", "-m", "work")
	git(t, root, "merge", "-q", "feature")
	stored := one(t, root, ".acc/messages/*/*.handoff.json")
	if tree(t, linked)[file] != tree(t, root)[stored] {
		t.Error("the published file is not the stored one")
	}
	live.call("acc_status", nil)
	one(t, root, ".acc/messages/*/*.handoff.json")
}
