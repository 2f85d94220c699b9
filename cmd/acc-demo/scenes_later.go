package main

import "fmt"

func (s *story) expire() {
	s.does("alice", "claims file:README.md for one second, and forgets it")
	claim := s.alice.call("acc_claim", args{"action": "acquire", "resource": "file:README.md", "leaseSeconds": 1}).text("claimId")
	s.bob.refused("claim_conflict", "acc_claim", args{"action": "acquire", "resource": "file:README.md"})
	s.does("bob", "wants it, is refused, and watches acc_status")
	s.until("alice's claim of one second ends", func() bool {
		for _, c := range s.bob.call("acc_status", nil).list("claims") {
			if c.text("claimId") == claim {
				return false
			}
		}
		return true
	})
	s.told("alice's claim is gone from the list")
	taken := s.bob.call("acc_claim", args{"action": "acquire", "resource": "file:README.md"})
	s.does("bob", "takes %s", taken.text("resource"))
	told := 0
	for _, a := range s.alice.call("acc_status", nil).list("attention") {
		if a.text("kind") == "claim_expired" && a.text("sourceId") == claim {
			told++
			s.does("alice", "is told, once, in her next status: %s", a.text("summary"))
		}
	}
	s.expect(told == 1, "alice is told that her claim has ended")
	s.bob.call("acc_release", args{"resource": "file:README.md"})
}

func (s *story) finish() {
	s.does("alice", "finishes: the lexer is done, the parser is not")
	sent := s.alice.call("acc_finish", args{"goal": "Split lexer and parser", "status": "partial",
		"completed": []string{"src/lexer.go stands alone"}, "remaining": []string{"src/parser.go still reads characters"},
		"blockers": []string{}, "clientMessageId": "split-1"})
	s.handoff = sent.text("message", "messageId")
	s.told("handoff recorded at commit %.10s on %s", sent.text("message", "handoff", "git", "commit"), sent.text("message", "handoff", "git", "branch"))
	s.alice.leave()
	status := s.bob.call("acc_status", nil)
	for _, p := range status.list("participants") {
		if p.text("participantId") == "alice" {
			s.told("bob sees: alice is %s, and %d claim is left, his own", p.text("presence"), len(status.list("claims")))
			s.expect(p.text("presence") == "offline", "alice has left")
		}
	}
	s.expect(len(status.list("claims")) == 1, "alice's claims went with her")
}

func (s *story) resume() {
	s.codex = s.join("codex")
	inbox := s.codex.call("acc_inbox", nil).list("items")
	s.does("codex", "joins; the inbox of a newcomer is empty, so it looks into the history")
	s.expect(len(inbox) == 0, "a newcomer has no mail")
	handoffs := s.codex.call("acc_sync", args{"scope": "history", "kind": "handoff"}).list("items")
	s.expect(len(handoffs) == 1 && handoffs[0].text("messageId") == s.handoff, "codex finds alice's handoff")
	for _, h := range handoffs {
		s.told("handoff from %s: %s (%s)", h.text("fromParticipantId"), h.text("subject"), h.text("trust"))
	}
	note := s.codex.call("acc_sync", args{"scope": "history", "messageId": s.handoff}).at("items", 0, "handoff")
	s.does("codex", "reads it in full")
	s.told("status: %s", note.text("status"))
	for _, part := range []string{"completed", "remaining"} {
		for _, item := range note.list(part) {
			s.told("%s: %s", part, item.text())
		}
	}
	s.takeUp(note.text("remaining", 0))
}

// takeUp has codex go on where alice stopped, and tell bob.
func (s *story) takeUp(remaining string) {
	s.does("codex", "takes up the rest, and the files")
	s.codex.call("acc_work", args{"summary": "Go on: " + remaining, "mode": "edit", "resourceHints": aliceFiles})
	claims := s.codex.call("acc_claim", args{"action": "acquire", "resources": aliceFiles, "reason": "going on from " + s.handoff}).list("claims")
	s.told("%d claims, both free since alice left", len(claims))
	s.expect(len(claims) == len(aliceFiles), "codex gets both files")
	s.codex.call("acc_request", args{"toParticipantId": "bob", "title": "Please check the guide when the parser is done"})
	letters := s.bob.call("acc_inbox", nil).list("items")
	s.does("bob", "has %d open letters, the newest from codex: %s", len(letters), firstSubject(letters))
}

func firstSubject(letters []value) string {
	if len(letters) == 0 {
		return "none"
	}
	return fmt.Sprintf("%q", letters[0].text("message", "subject"))
}
