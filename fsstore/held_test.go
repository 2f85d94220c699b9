package fsstore

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestSignsOfLifeBesideTransactions: what is written without the lock does not
// land in a directory that was only kept open for a transaction.
func TestSignsOfLifeBesideTransactions(t *testing.T) {
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	done := make(chan struct{})
	var beats sync.WaitGroup
	for range 4 {
		beats.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := s.Heartbeat(me.SessionID); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 300 {
		send(t, s, me, note("bob"))
		view(t, s, func(v *View) error { return readInbox(v, "bob", 2) })
	}
	close(done)
	beats.Wait()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), s.tempPrefix) {
			t.Errorf("%s was left", strings.TrimPrefix(path, dir+string(os.PathSeparator)))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
