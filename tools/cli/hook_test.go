package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("deep inside") }

type fails struct{}

func (fails) Read([]byte) (int, error) { return 0, os.ErrClosed }

// Whatever happens to a hook, its client goes on: status 0, no answer, and one
// line that shows nothing of the inside.
func TestHookFailsOpen(t *testing.T) {
	never, end := io.Pipe() // a client that never closes the stdin of its hook
	defer end.Close()
	for name, test := range map[string]struct {
		stdin io.Reader
		want  string
	}{
		"a panic":          {panics{}, "something unexpected failed; the agent goes on without acc."},
		"no input":         {fails{}, "the input could not be read."},
		"endless input":    {never, "it took longer than 5s; the agent goes on without acc."},
		"an empty input":   {strings.NewReader(""), "the input is not the JSON object that the client writes."},
		"escapes in names": {strings.NewReader(`{"session_id":"` + "\x1b" + `[2J"}`), "the input is not the JSON object that the client writes."},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			var out, errs bytes.Buffer
			app := &App{In: test.stdin, Out: &out, Err: &errs, Env: func(string) string { return "" }}
			if status := app.run(ctx, []string{"hook", "claude", "before-tool"}); status != 0 {
				t.Errorf("status %d", status)
			}
			if want := "acc hook: " + test.want + "\n"; errs.String() != want || out.Len() > 0 {
				t.Errorf("stdout %q, stderr %q, want %q", out.String(), errs.String(), want)
			}
		})
	}
}
