package main

import (
	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"
)

// held is the lock that a script holds, found by heldKey.
type held struct{ lock *flock.Flock }

type heldKey struct{}

// hold makes every command that needs the room wait, as a busy one does.
func hold(ts *testscript.TestScript, _ bool, _ []string) {
	lock := flock.New(ts.MkAbs(".acc/run/lock"))
	taken, err := lock.TryLock()
	ts.Check(err)
	if !taken {
		ts.Fatalf("the room is busy")
	}
	ts.Defer(func() { _ = lock.Close() })
	ts.Value(heldKey{}).(*held).lock = lock
}

func letGo(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Value(heldKey{}).(*held).lock.Close())
}
