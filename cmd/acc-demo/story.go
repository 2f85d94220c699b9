package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// story is the telling of one story. The first thing that comes out otherwise
// is kept in err, and nothing happens after it.
type story struct {
	*narrator
	ctx    context.Context
	server string
	root   string
	stderr io.Writer
	actors []*actor
	err    error

	alice, bob, codex *actor
	question          string // the id of bob's question
	handoff           string // the id of alice's handoff
}

func (s *story) fail(format string, args ...any) {
	if s.err == nil {
		s.err, s.silent = fmt.Errorf(format, args...), true
	}
}

// expect fails the story unless a thing is as it is told.
func (s *story) expect(holds bool, format string, args ...any) {
	if !holds {
		s.fail("this did not come out as told: "+format, args...)
	}
}

// close ends the processes that are still there.
func (s *story) close() {
	for _, a := range s.actors {
		a.leave()
	}
}

// tell tells the story, chapter by chapter.
func (s *story) tell() {
	s.line("Agents share a repository through plain files in .acc/. This is the real acc-mcp,")
	s.line("one process for each of them, in a scratch repository:")
	s.line("  %s", s.root)
	for _, chapter := range []struct {
		title string
		tell  func(*story)
	}{
		{"Two agents in one repository", (*story).meet},
		{"alice says what she is doing, and claims two files at once", (*story).claim},
		{"bob wants one of them", (*story).conflict},
		{"bob asks, alice answers", (*story).talk},
		{"A decision, and the one that replaces it", (*story).decide},
		{"A claim ends by itself", (*story).expire},
		{"alice stops half-way and leaves a handoff", (*story).finish},
		{"codex comes later and goes on", (*story).resume},
		{"What is left on the disk", (*story).show},
	} {
		if s.err != nil {
			return
		}
		s.heading(chapter.title)
		chapter.tell(s)
	}
}

// patience is how long a fact may take to become true.
const patience = 20 * time.Second

// until asks again and again until a fact is true.
func (s *story) until(what string, holds func() bool) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for s.err == nil && !holds() {
		select {
		case <-tick.C:
		case <-limit:
			s.fail("waited %v in vain: %s", patience, what)
		}
	}
}

// show ends the story with the files.
func (s *story) show() {
	s.close()
	file, err := messageFile(s.root, s.question)
	if err != nil {
		s.fail("the question is not on the disk: %v", err)
		return
	}
	s.line("$ tree .acc")
	if err := s.showTree(filepath.Join(s.root, ".acc")); err != nil {
		s.fail("%v", err)
	}
	s.line("\n$ cat %s", file)
	if err := s.showFile(s.root, file); err != nil {
		s.fail("%v", err)
	}
	if s.err == nil {
		s.line("\nAll of it came out as told. Look around, it stays there:")
		s.line("  cd %s", s.root)
		s.line("  ls .acc/inbox/bob                 bob's open mail")
		s.line("  cat .acc/events/*.jsonl           what happened, in order")
		s.line("  git status --short                what Git sees of it")
		s.line("Then docs/start.md says how to put acc-mcp into your own client.")
	}
}
