package main

import (
	"context"
	"io"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"acc/fsstore"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
	"acc/tools/mcpserver"
)

// serverName is how the server introduces itself. Clients build tool names
// from it, so it is short.
const serverName = "acc"

// serve answers the client until stdin ends or a signal comes; both finish
// what is under way.
func serve(cfg config, stdin io.Reader, stdout io.Writer) int {
	// A client that goes away breaks stdout. That is an error of a write, not
	// a signal that kills the process in the middle of one.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	room := coordination.NewRoom(coordination.Config{
		Workspace: cfg.workspace, ParticipantID: cfg.participant, Env: fsstore.RealEnv(cfg.log),
	})
	stopImporting := keepImporting(room)
	var registry tools.Registry
	registry.Add(coordination.Tools(room), coordination.Resources(room))
	err := mcpserver.Serve(ctx, mcpserver.Config{
		Name: serverName, Version: version(), Instructions: coordination.Instructions,
		Registry: &registry, Experimental: coordination.Declaration(), Logger: cfg.log,
		Caller: func(name, version string, meta []byte) tools.Caller {
			return client.Caller(cfg.env, name, version, meta)
		},
	}, stdin, stdout)
	stopImporting()
	if closeErr := room.Close(); closeErr != nil {
		cfg.log.Warn("the room was not closed cleanly; the next process to open it checks it", "error", closeErr)
	}
	if err != nil {
		cfg.log.Info("the connection ended", "error", err)
		return 1
	}
	return 0
}

// importEnd is how long the end of the process waits for an import that is
// under way. What it does not finish the next process does.
const importEnd = 200 * time.Millisecond

// keepImporting lets the room take in what Git brings, from the first tool call
// until the returned function is called.
func keepImporting(room *coordination.Room) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		room.KeepImporting(ctx, fsstore.WatchPoll)
	}()
	return func() {
		cancel()
		select {
		case <-done:
		case <-time.After(importEnd):
		}
	}
}

// version is the one the build was made from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.1.0-dev"
	}
	return info.Main.Version
}
