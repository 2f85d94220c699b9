//go:build unix

package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"acc/fsstore"
	"acc/tools/coordination"
)

// This binary is also the adapters of the tests that need processes: it plays
// the part that partVar names.
const (
	partVar     = "ACC_TEST_PART"
	roomVar     = "ACC_TEST_ROOM"
	commandVar  = "ACC_TEST_COMMAND"
	watchlessOf = "/proc/sys/user/max_inotify_instances"
)

func TestMain(m *testing.M) {
	switch os.Getenv(partVar) {
	case "adapter":
		playAdapter()
	case "watchless":
		if err := os.WriteFile(watchlessOf, []byte("0"), 0); err != nil {
			fmt.Fprintln(os.Stderr, "NO LIMIT:", err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stderr, "limited")
		playAdapter()
	default:
		os.Exit(m.Run())
	}
}

// playAdapter serves bob in the room, with a command, until it is told to end.
func playAdapter() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	w, err := fsstore.Locate(os.Getenv(roomVar))
	if err == nil {
		log := slog.New(slog.NewTextHandler(os.Stderr, nil))
		err = New(Config{
			Room: coordination.Config{Workspace: w, ParticipantID: "bob", Env: fsstore.RealEnv(log)}, Log: log,
			Transport: Exec{Command: os.Getenv(commandVar), Output: os.Stderr}, Report: printed{},
		}).Run(ctx, context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// printed is a report as lines of JSON.
type printed struct{}

func (printed) Outcome(o Outcome) { _ = json.NewEncoder(os.Stdout).Encode(o) }
func (printed) Note(text string)  { fmt.Fprintln(os.Stderr, text) }
