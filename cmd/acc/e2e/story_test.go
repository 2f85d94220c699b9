package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"acc/golden/e2e/model"
)

var messageID = regexp.MustCompile(`message_[0-9a-z]{26}`)

// TestStory is two agents in one repository with nobody between them. Where
// Codex is not installed, a second Claude Code takes its part.
func TestStory(t *testing.T) {
	found := wanted(t)
	first, ok := firstOf(found, "claude")
	if !ok {
		t.Skip("*** NOT RUN: the story needs Claude Code; make e2e CLIENTS=claude,codex ***")
	}
	second, ok := firstOf(found, "codex")
	if !ok {
		second = first
	}
	r := newRoom(t)
	s := story{t, r, r.agent(first, "bob", "user"), r.agent(second, "carol", "user")}
	if err := os.WriteFile(r.path("auth.txt"), []byte("hash with md5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.carolWasHere()
	s.bobAsks()
	s.carolAnswersAndIsRefused()
	s.bobReadsAndFinishes()
	s.carolBeginsWithTheHandoff()
}

type story struct {
	t *testing.T
	*room
	bob, carol agent
}

func (s story) carolWasHere() {
	s.carol.start("look around", done())
}

func (s story) bobAsks() {
	s.bob.start("ask carol which hash we take",
		model.Reply(s.bob.acc("acc_claim", map[string]any{"action": "acquire", "resource": "file:auth.txt", "reason": "I replace md5"})),
		model.Reply(s.bob.acc("acc_message", map[string]any{
			"to": []string{"carol"}, "kind": "question", "subject": "Which hash?", "body": "Shall we take argon2 or bcrypt?",
		})),
		done())
	s.oneSession("bob")
}

func (s story) carolAnswersAndIsRefused() {
	reply := func(seen model.Seen) []model.Block {
		return s.carol.acc("acc_reply", map[string]any{
			"messageId": messageID.FindString(seen.New()), "body": "Take argon2, it is in the library.",
		})
	}
	steps := []model.Step{reply}
	for _, call := range s.carol.Change(s.path("auth.txt"), "hash with md5", "hash with bcrypt") {
		steps = append(steps, model.Reply(use(call)))
	}
	m := s.carol.resume("go on", append(steps, done())...)
	s.shows("carol's next turn", m.Turn(0), "Which hash?", "Shall we take argon2 or bcrypt?")
	s.shows("carol, when she was refused,", m.Turn(len(steps)), "bob", "I replace md5")
	if got := s.file("auth.txt"); got != "hash with md5\n" {
		s.t.Errorf("auth.txt, which bob claims, holds %q", got)
	}
	s.oneSession("carol")
}

func (s story) bobReadsAndFinishes() {
	m := s.bob.resume("go on",
		model.Reply(s.bob.acc("acc_finish", map[string]any{
			"goal": "replace md5", "status": "partial", "remaining": []string{"write the migration"},
		})),
		done())
	s.shows("bob's next turn", m.Turn(0), "Take argon2, it is in the library.")
	var status struct{ Claims []struct{ Resource string } }
	s.read(&status, "status")
	if len(status.Claims) != 0 {
		s.t.Errorf("bob has finished, and %v is claimed", status.Claims)
	}
}

func (s story) carolBeginsWithTheHandoff() {
	m := s.carol.start("begin the day", done())
	s.shows("carol's new session", m.Turn(0), "replace md5", "write the migration")
	var log struct {
		Items []struct{ Kind, FromParticipantID string }
	}
	s.read(&log, "log")
	var kinds []string
	for _, m := range log.Items {
		kinds = append(kinds, m.FromParticipantID+" "+m.Kind)
	}
	if got, want := strings.Join(kinds, ", "), "bob handoff, carol answer, bob question"; got != want {
		s.t.Errorf("the room remembers %s, want %s", got, want)
	}
}

func (s story) shows(who, text string, want ...string) {
	s.t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			s.t.Errorf("%s does not show %q; it shows\n%s", who, w, text)
		}
	}
}
