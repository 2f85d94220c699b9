package scale

import (
	"fmt"
	"path/filepath"
	"testing"

	"acc/fsstore/roomgen"
	"acc/schema"
)

// notes is a room of notes between two people.
func notes(messages int) roomgen.Config {
	return roomgen.Config{Participants: 2, Messages: messages, Kinds: map[schema.MessageKind]int{schema.Note: 1}, Seed: 1}
}

// BenchmarkDay measures what grows with one day: a page of history lists the
// day that it shows. The floor is one listing of that day.
func BenchmarkDay(b *testing.B) {
	for _, size := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("messages=%d", size), func(b *testing.B) {
			dir, _ := generate(b, notes(size))
			days, err := filepath.Glob(filepath.Join(dir, ".acc", "messages", "*"))
			if err != nil || len(days) != 1 {
				b.Fatalf("the days are %v, %v", days, err)
			}
			alice := join(b, dir, "alice")
			step{
				name: "history_page", floor: listingOf(b, days[0]), do: alice.does(b, "acc_sync", always(`{"scope":"history"}`)),
			}.measure(b)
		})
	}
}

// BenchmarkOpen measures what grows with open mail, which two people share. It
// is not history: whoever reads mail makes it go.
func BenchmarkOpen(b *testing.B) {
	for _, open := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("open=%d", open), func(b *testing.B) {
			cfg := notes(10_000)
			cfg.Open, cfg.MostOpen = 1, open
			dir, _ := generate(b, cfg)
			alice, list := join(b, dir, "alice"), listing(b)
			for _, s := range []step{
				{name: "status", floor: list, do: alice.does(b, "acc_status", always(`{}`))},
				{name: "inbox_page", floor: list, do: alice.does(b, "acc_inbox", always(`{"limit":20}`))},
			} {
				s.measure(b)
			}
		})
	}
}
