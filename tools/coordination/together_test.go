package coordination

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"acc/schema"
)

// together calls the same tool from several rooms at once and gives the
// errors in the order of the rooms.
func together(rooms []*client, times int, tool string, args func(room, turn int) string) [][]error {
	errs := make([][]error, len(rooms))
	var wait sync.WaitGroup
	for i, c := range rooms {
		errs[i] = make([]error, times)
		wait.Go(func() {
			for turn := range times {
				_, errs[i][turn] = c.call(tool, args(i, turn))
			}
		})
	}
	wait.Wait()
	return errs
}

func TestEightClaimAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rooms []*client
	for i := range 8 {
		rooms = append(rooms, w.start(fmt.Sprintf("agent-%d", i)))
	}
	won := 0
	for _, errs := range together(rooms, 1, "acc_claim", func(int, int) string { return `{"action":"acquire","resource":"file:a"}` }) {
		switch {
		case errs[0] == nil:
			won++
		case !schema.HasReason(errs[0], schema.ReasonClaimConflict):
			t.Error(errs[0])
		}
	}
	equal(t, "holders", won, 1)
	equal(t, "claims", len(rooms[0].ok("acc_status", `{}`).list("claims")), 1)
}

func TestManySendAtOnce(t *testing.T) {
	t.Parallel()
	const senders, each = 8, 10
	w := newWorld(t)
	bob := w.join("bob")
	var rooms []*client
	for i := range senders {
		rooms = append(rooms, w.start(fmt.Sprintf("agent-%d", i)))
	}
	for _, errs := range together(rooms, each, "acc_message", func(room, turn int) string {
		return fmt.Sprintf(`{"to":["bob"],"subject":"%d of %d","body":"b","clientMessageId":"%d"}`, turn, room, turn)
	}) {
		for _, err := range errs {
			if err != nil {
				t.Error(err)
			}
		}
	}
	ids, _ := walk(bob, "acc_inbox", `{"limit":500}`, "message.messageId", nothing)
	equal(t, "messages", len(ids), senders*each)
	slices.Sort(ids)
	equal(t, "different ones", len(slices.Compact(ids)), senders*each)
	status := bob.ok("acc_status", `{}`)
	status.want("counts.messages", fmt.Sprint(senders*each))
	status.want("counts.unretrieved", fmt.Sprint(senders*each))
	// joined and opened for each participant, sent for each message
	equal(t, "events", bob.cursor(), schema.FormatCursor(2*(senders+1)+senders*each))
}

// TestOneKeyAtOnce: two processes that retry the same send make one message.
func TestOneKeyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bob := w.join("bob")
	rooms := []*client{w.start("alice"), w.start("alice"), w.start("alice")}
	together(rooms, 3, "acc_message", func(int, int) string {
		return `{"to":["bob"],"subject":"s","body":"b","clientMessageId":"k"}`
	})
	equal(t, "inbox", len(bob.ok("acc_inbox", `{}`).list("items")), 1)
	equal(t, "sessions", len(bob.ok("acc_sync", `{}`).list("roster")), 2)
}
