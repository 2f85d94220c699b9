package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
	"acc/tools/coordination"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func fixedPage() *printer { return &printer{now: noon, ticking: true} }

// roomOf is a room with alice, who holds a claim, and bob.
func roomOf(happened ...coordination.Happening) coordination.Look {
	id, intent := "workspace_01m8pr5a78fk3fkj27ht4phet5", "split\x1b[2J the parser"
	return coordination.Look{
		Cursor: "0000000000000042", Happened: happened,
		Status: coordination.Status{
			WorkspaceID: &id, Root: "/project",
			Participants: []coordination.ParticipantRow{
				{ParticipantID: "alice", Presence: coordination.Online, Harness: "codex", Branch: "feature-a", Intent: &intent},
				{ParticipantID: "bob", Presence: coordination.Stale, Unretrieved: coordination.Unretrieved{Queued: 2}},
			},
			Claims: []coordination.ClaimRow{{
				ClaimID: "claim_01m8pr5a94nn791byzh9mcnr92", Resource: "file:src/parser.go", OwnerParticipantID: "alice",
				Mode: schema.Exclusive, ExpiresAt: schema.At(noon.Add(29*time.Minute + 58*time.Second)),
			}},
		},
	}
}

func joined(n int) coordination.Happening {
	return coordination.Happening{
		Type: schema.EventParticipantJoined, ParticipantID: fmt.Sprintf("p%d", n), OccurredAt: schema.At(noon.Add(time.Duration(n) * time.Second)),
	}
}

func TestPage(t *testing.T) {
	s := &screen{last: roomOf(), events: []coordination.Happening{joined(1), joined(2)}}
	want := strings.Split(`acc watch  /project  12:00:00, q leaves

People
  alice  online  codex  feature-a            split<U+001B>[2J the parser
  bob    stale                     2 unread

Claims
  file:src/parser.go  alice    29:58 left  claim_01m8pr5a94nn791byzh9mcnr92

What happened
2026-11-30 12:00:01  p1 joined the room
2026-11-30 12:00:02  p2 joined the room`, "\n")
	if diff := cmp.Diff(want, s.page(fixedPage(), 24)); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
	// Where it is tight, the newest events stay, and then the state.
	page := s.page(fixedPage(), 11)
	if len(page) != 11 || !strings.HasSuffix(page[10], "p2 joined the room") {
		t.Errorf("on 11 lines: %q", page)
	}
	if page := s.page(fixedPage(), 3); len(page) != 3 || page[2] != "People" {
		t.Errorf("on 3 lines: %q", page)
	}
}

func TestPageWithoutARoom(t *testing.T) {
	s := &screen{last: coordination.Look{Status: coordination.Status{Root: "/project"}}, notice: "try\x07 later"}
	want := []string{"acc watch  /project  12:00:00, q leaves", "try<U+0007> later", "There is no room here yet; waiting for one."}
	if diff := cmp.Diff(want, s.page(fixedPage(), 24)); diff != "" {
		t.Errorf("the page (-want +got):\n%s", diff)
	}
}
