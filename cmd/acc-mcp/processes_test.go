package main_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// presence is what a participant's status says of another.
func (s *server) presence(participant string) string {
	s.t.Helper()
	for _, row := range list(s.t, s.call("acc_status", nil), "participants") {
		if text(s.t, row, "participantId") == participant {
			return text(s.t, row, "presence")
		}
	}
	return "unknown"
}

// Two processes of one participant share a session; it is there until both
// are gone, and a restart resumes it.
func TestTwoProcessesOneParticipant(t *testing.T) {
	root := repository(t)
	bob := join(t, "bob", root)
	first, second := join(t, "alice", root), join(t, "alice", root)
	session := text(t, first.call("acc_status", nil), "sessionId")
	if got := text(t, second.call("acc_status", nil), "sessionId"); got != session {
		t.Errorf("the second process has session %s, the first %s", got, session)
	}
	claim := text(t, first.call("acc_claim", args{"action": "acquire", "resource": "file:a"}), "claimId")
	if got := text(t, second.call("acc_claim", args{"action": "acquire", "resource": "file:a"}), "claimId"); got != claim {
		t.Errorf("the second process got claim %s, the first %s", got, claim)
	}
	first.end()
	if got := bob.presence("alice"); got != "online" {
		t.Errorf("one process is left, and alice is %s", got)
	}
	second.end()
	if got := bob.presence("alice"); got != "offline" {
		t.Errorf("no process is left, and alice is %s", got)
	}
	third := join(t, "alice", root)
	if got := text(t, third.call("acc_status", nil), "sessionId"); got != session {
		t.Errorf("after a restart the session is %s, want %s", got, session)
	}
	if got := bob.presence("alice"); got != "online" {
		t.Errorf("after a restart alice is %s", got)
	}
}

// A second, short-lived process only probes; it does not end the first.
func TestProbeChangesNothing(t *testing.T) {
	root := repository(t)
	alice := join(t, "alice", root)
	alice.call("acc_status", nil)
	before := tree(t, root)
	join(t, "alice", root).end()
	unchanged(t, root, before)
}

// The claim of a killed holder stands until its lease ends, and the room says
// that nobody is there.
func TestKilledHolder(t *testing.T) {
	root := repository(t)
	bob, alice := join(t, "bob", root), join(t, "alice", root)
	claim := text(t, alice.call("acc_claim", args{"action": "acquire", "resource": "file:src/**", "reason": "rework"}), "claimId")
	alice.kill()
	e := bob.refused("claim_conflict", "acc_claim", args{"action": "acquire", "resource": "file:src/app.go"})
	holder := at(t, e, "details", "conflicts", 0, "holders", 0)
	for field, want := range map[string]string{
		"claimId": claim, "resource": "file:src/**", "ownerParticipantId": "alice", "ownerPresence": "offline", "reason": "rework",
	} {
		if got := text(t, holder, field); got != want {
			t.Errorf("%s of the holder is %q, want %q", field, got, want)
		}
	}
	if got := bob.presence("alice"); got != "offline" {
		t.Errorf("alice is %s", got)
	}
	alice = join(t, "alice", root)
	alice.call("acc_claim", args{"action": "renew", "claimId": claim})
}

// Eight processes claim one file at once: one holder.
func TestRaceForOneFile(t *testing.T) {
	root := repository(t)
	var racers []*server
	for i := range 8 {
		racers = append(racers, join(t, fmt.Sprintf("racer%d", i), root))
	}
	atOnce(racers, func(s *server) {
		s.send(callLine("1", "acc_claim", args{"action": "acquire", "resource": "file:src/app.go"}))
	})
	holders := 0
	for _, s := range racers {
		r := s.result(s.answer())
		switch {
		case !r.IsError:
			holders++
		case !strings.Contains(r.Content[0].Text, `"claim_conflict"`):
			t.Errorf("refused with %s", r.Content[0].Text)
		}
	}
	if stored := names(t, root, ".acc/claims/claim_*.json"); holders != 1 || len(stored) != 1 {
		t.Errorf("%d holders, claims %v", holders, stored)
	}
}

// atOnce runs f for every server at the same time.
func atOnce(servers []*server, f func(*server)) {
	var ready, done sync.WaitGroup
	ready.Add(len(servers))
	for _, s := range servers {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			f(s)
		})
	}
	done.Wait()
}

// Thirty processes send twenty messages each: 600 messages, 600 receipts, none
// twice, none torn, and a page at a time shows them all.
func TestStorm(t *testing.T) {
	const processes, letters = 30, 20
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	var senders []*server
	for i := range processes {
		senders = append(senders, join(t, fmt.Sprintf("sender%02d", i), root))
	}
	var lines []string
	for i := range letters {
		lines = append(lines, callLine(fmt.Sprint(i+1), "acc_message", args{"to": []string{"bob"}, "subject": "s", "body": "b", "kind": "question"}))
	}
	atOnce(senders, func(s *server) { s.send(lines...) })
	for _, s := range senders {
		for range letters {
			if r := s.result(s.answer()); r.IsError {
				t.Fatal(r.Content[0].Text)
			}
		}
	}
	const total = processes * letters
	if got := bob.pages("acc_inbox", args{"limit": 500}, "message", "messageId"); len(got) != total {
		t.Errorf("bob's inbox has %d letters, want %d", len(got), total)
	}
	if got := bob.pages("acc_sync", args{"scope": "history", "limit": 500}, "messageId"); len(got) != total {
		t.Errorf("history has %d letters, want %d", len(got), total)
	}
	messages := len(names(t, root, ".acc/messages/*/message_*.question.json"))
	receipts := len(names(t, root, ".acc/inbox/bob/message_*.question.reply.queued.json"))
	if messages != total || receipts != total {
		t.Errorf("%d messages and %d receipts on disk, want %d", messages, receipts, total)
	}
	if left := names(t, filepath.Join(root, ".acc", "run", "tmp"), "[^.]*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, s := range append(senders, bob) {
		s.end()
		if s.stderr() != "" {
			t.Errorf("stderr: %s", s.stderr())
		}
	}
}

// pages collects one field of every item, page after page; each may come once.
func (s *server) pages(tool string, arguments args, path ...any) map[string]bool {
	s.t.Helper()
	seen := map[string]bool{}
	for {
		page := s.call(tool, arguments)
		for _, item := range list(s.t, page, "items") {
			id := text(s.t, item, path...)
			if seen[id] {
				s.t.Errorf("%s comes twice", id)
			}
			seen[id] = true
		}
		next, more := at(s.t, page, "nextCursor").(string)
		if !more {
			return seen
		}
		arguments["cursor"] = next
	}
}
