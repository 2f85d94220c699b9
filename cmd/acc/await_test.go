package main

import (
	"os"
	"regexp"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a fact may take to become true.
const patience = 20 * time.Second

// await waits until a file that another process writes holds a match.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE PATTERN")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	name, limit := ts.MkAbs(args[0]), time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		data, _ := os.ReadFile(name)
		if pattern.Match(data) {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			ts.Fatalf("%s never matched %q; it holds:\n%s", args[0], args[1], data)
		}
	}
}
