package guard

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"acc/fsstore"
	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// maxCheck is what a check of 1,000 staged files against 100 claims may take.
const maxCheck = 100 * time.Millisecond

// BenchmarkCheck opens the room, asks git what is staged, and checks it. It
// fails when its best run takes too long.
func BenchmarkCheck(b *testing.B) {
	repo := gittest.NewRepo(b, filepath.Join(b.TempDir(), "repo"))
	for i := range 1000 {
		gittest.PutFile(b, filepath.Join(repo, "internal", fmt.Sprintf("pkg%02d", i%50), "deep", fmt.Sprintf("file%d.go", i)), "package p\n")
	}
	gittest.Run(b, repo, "add", ".")
	w, err := fsstore.Locate(repo)
	if err != nil {
		b.Fatal(err)
	}
	hold(b, w, 100)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		room := coordination.NewRoom(coordination.Config{Workspace: w, Env: env()})
		res, err := Check(context.Background(), Request{Workspace: w, Room: room, Dir: repo, Staged: true})
		if err != nil || res.Checked != 1000 || len(res.Blocked) != 100 {
			b.Fatalf("%d checked, %d blocked, %v", res.Checked, len(res.Blocked), err)
		}
		if err := room.Close(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	if best := slices.Min(took); best > maxCheck {
		b.Errorf("a check takes %s, want at most %s", best, maxCheck)
	}
}

// hold claims every tenth file.
func hold(tb testing.TB, w fsstore.Workspace, n int) {
	tb.Helper()
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: "alice", Env: env()})
	defer room.Close()
	session, err := room.Attach(context.Background(), tools.Caller{})
	if err != nil {
		tb.Fatal(err)
	}
	store, err := fsstore.Open(w.Root, env())
	if err != nil {
		tb.Fatal(err)
	}
	defer store.Close()
	err = store.Update(context.Background(), func(tx *fsstore.Tx) error {
		for i := range n {
			id, err := tx.NewID(schema.IDClaim)
			if err != nil {
				return err
			}
			c := &schema.Claim{
				SchemaVersion: schema.Version, ClaimID: id, OwnerSessionID: session.SessionID, OwnerParticipantID: "alice",
				Resource: schema.Resource(fmt.Sprintf("file:internal/pkg%02d/deep/file%d.go", i*10%50, i*10)), Mode: schema.Exclusive,
				Enforcement: schema.Advisory, AcquiredAt: schema.At(tx.Now()), ExpiresAt: schema.At(tx.Now().Add(time.Hour)),
			}
			if err := tx.PutClaim(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func env() fsstore.Env { return fsstore.RealEnv(slog.New(slog.DiscardHandler)) }
