package main

import (
	"context"
	"io"
	"os/signal"
	"runtime/debug"
	"syscall"

	"acc/fsstore"
	"acc/tools"
	"acc/tools/coordination"
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
	var registry tools.Registry
	registry.Add(coordination.Tools(room), coordination.Resources(room))
	err := mcpserver.Serve(ctx, mcpserver.Config{
		Name: serverName, Version: version(), Instructions: coordination.Instructions,
		Registry: &registry, Experimental: coordination.Declaration(), Logger: cfg.log,
	}, stdin, stdout)
	if closeErr := room.Close(); closeErr != nil {
		cfg.log.Warn("the room was not closed cleanly; the next process to open it checks it", "error", closeErr)
	}
	if err != nil {
		cfg.log.Info("the connection ended", "error", err)
		return 1
	}
	return 0
}

// version is the one the build was made from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.1.0-dev"
	}
	return info.Main.Version
}
