package main

import "strings"

func (s *story) meet() {
	s.alice, s.bob = s.join("alice"), s.join("bob")
	for _, a := range []*actor{s.alice, s.bob} {
		s.does(a.name, "starts and asks who is here")
		var here []string
		for _, p := range a.call("acc_status", nil).list("participants") {
			here = append(here, p.text("participantId")+" ("+p.text("presence")+")")
		}
		s.told("%s", strings.Join(here, ", "))
		s.expect(strings.Contains(strings.Join(here, " "), a.name+" (online)"), "%s sees that %s is here", a.name, a.name)
	}
}

// aliceFiles are what alice works on, and codex after her.
var aliceFiles = []string{"file:src/lexer.go", "file:src/parser.go"}

func (s *story) claim() {
	s.does("alice", "announces: Split lexer and parser")
	s.alice.call("acc_work", args{"summary": "Split lexer and parser", "mode": "edit", "resourceHints": aliceFiles})
	s.does("alice", "claims %s", strings.Join(aliceFiles, " and "))
	claims := s.alice.call("acc_claim", args{"action": "acquire", "resources": aliceFiles, "reason": "splitting the two"}).list("claims")
	s.expect(len(claims) == len(aliceFiles), "alice gets both claims")
	for _, c := range claims {
		s.told("%s, %s, until %s", c.text("resource"), c.text("mode"), c.text("expiresAt"))
	}
	for _, p := range s.bob.call("acc_status", nil).list("participants") {
		if p.text("participantId") == "alice" {
			s.does("bob", "looks at the room: alice is %s, doing: %s", p.text("presence"), p.text("intent"))
		}
	}
}

func (s *story) conflict() {
	s.does("bob", "claims file:src/parser.go")
	refusal := s.bob.refused("claim_conflict", "acc_claim", args{"action": "acquire", "resource": "file:src/parser.go"})
	holder := refusal.at("details", "conflicts", 0, "holders", 0)
	s.told("refused: %s holds it (%s), because: %s", holder.text("ownerParticipantId"), holder.text("ownerPresence"), holder.text("reason"))
	s.expect(holder.text("ownerParticipantId") == "alice", "the conflict names alice")
	s.does("bob", "claims file:docs/** instead")
	got := s.bob.call("acc_claim", args{"action": "acquire", "resource": "file:docs/**", "reason": "the guide"})
	s.told("%s is bob's", got.text("resource"))
}

func (s *story) talk() {
	s.does("bob", "asks alice: Does Parse keep its name?")
	sent := s.bob.call("acc_message", args{"to": []string{"alice"}, "kind": "question",
		"subject": "Does Parse keep its name?", "body": "I am writing the guide.\nIt says calc.Parse in three places."})
	s.question = sent.text("message", "messageId")
	s.told("recorded; for alice it is %s", sent.text("delivery", 0, "outcome"))

	page := s.alice.call("acc_inbox", nil).list("items")
	s.expect(len(page) == 1, "alice finds one letter")
	s.does("alice", "polls her inbox, some time later")
	for _, item := range page {
		s.told("%s from %s: %s (asks for: %s)", item.text("message", "kind"), item.text("message", "fromParticipantId"),
			item.text("message", "subject"), item.text("message", "obligation"))
	}
	read := s.alice.call("acc_inbox", args{"messageId": s.question}).at(0)
	s.does("alice", "reads it: %q", read.text("message", "body"))
	s.does("alice", "answers: Yes, and it returns an error now.")
	answer := s.alice.call("acc_reply", args{"messageId": s.question, "body": "Yes, and it returns an error now."})
	s.told("the question is %s, the answer is on its way", answer.text("receipt", "state"))

	s.bobHears(answer.text("message", "messageId"))
}

// bobHears has bob find the answer, and see what became of his question.
func (s *story) bobHears(answer string) {
	read := s.bob.call("acc_inbox", args{"messageId": answer}).at(0)
	s.does("bob", "finds the answer: %q", read.text("message", "body"))
	s.expect(read.text("message", "inReplyTo") == s.question, "the answer belongs to the question")
	state := s.bob.call("acc_sync", args{"scope": "history", "messageId": s.question}).text("receipts", 0, "state")
	s.does("bob", "looks up his question: alice has %s it", state)
	s.expect(state == "acknowledged", "an answer acknowledges the question")
}

func (s *story) decide() {
	s.does("alice", "decides, for the whole room: Errors are strings")
	first := s.alice.call("acc_message", args{"to": []string{}, "kind": "decision", "subject": "Errors are strings",
		"body": "Parse returns its error as a string."}).text("message", "messageId")
	s.does("bob", "replaces it: Errors are values")
	s.bob.call("acc_message", args{"to": []string{}, "kind": "decision", "subject": "Errors are values",
		"body": "Parse returns an error value, as the rest of Go does.", "supersedes": []string{first}})
	current := s.alice.call("acc_sync", args{"scope": "history", "kind": "decision", "current": true}).list("items")
	s.expect(len(current) == 1, "one decision stands")
	for _, d := range current {
		s.does("alice", "asks what stands: %s (by %s)", d.text("subject"), d.text("fromParticipantId"))
	}
	status := s.alice.call("acc_sync", args{"scope": "history", "messageId": first}).text("decisionStatus", "state")
	s.told("the first one is kept, and is %s", status)
	s.expect(status == "superseded", "the first decision is superseded")
}
