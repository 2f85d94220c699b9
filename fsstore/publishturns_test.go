package fsstore

import (
	"sync"
	"testing"
)

// TestPublishingTakesTurns has the same process look for what was left while it
// publishes: what an author's transaction published is there when it returns.
func TestPublishingTakesTurns(t *testing.T) {
	g := newSite(t)
	linked := g.worktree("feature")
	stop := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				g.s.PublishLeft(t.Context())
			}
		}
	})
	for range 30 {
		if m := g.handoff("alice", linked); !exists(publishedFile(linked, m)) {
			t.Errorf("%s was not published when its transaction had returned", m.MessageID)
		}
	}
	close(stop)
	looking.Wait()
}
