package fsstore

import (
	"crypto/rand"
	"io"
	"log/slog"
	"os"
	"time"

	"acc/fsstore/vfs"
)

// Env is where time, randomness and the liveness of processes enter. Rules
// see nothing else of the outside, so tests run them with fixed ones.
type Env struct {
	Now  func() time.Time
	Rand io.Reader
	// Process describes the running process; Alive reports whether the process
	// of that id and start time still runs on this host.
	Process Process
	Alive   func(Process) bool
	// Log takes what an operator should know: damaged files, failed syncs.
	Log *slog.Logger
	// Disk puts another disk in the place of the room's directory. It is nil
	// in every program; tests let theirs fail. Locks, and the checkouts that
	// something is published to, stay on the real one.
	Disk func(vfs.Dir) vfs.Dir
}

// Process identifies a process on a host beyond the reuse of its id.
type Process struct {
	Host  string
	PID   int
	Start string // in the operating system's own unit, "" when unknown
}

// RealEnv is the environment of a running program.
func RealEnv(log *slog.Logger) Env {
	host, _ := os.Hostname()
	return Env{
		Now:     time.Now,
		Rand:    rand.Reader,
		Process: Process{Host: host, PID: os.Getpid(), Start: processStart(os.Getpid())},
		Alive:   func(p Process) bool { return p.Start != "" && processStart(p.PID) == p.Start },
		Log:     log,
	}
}
