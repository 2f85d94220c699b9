package mcpserver_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"acc/tools/mcpserver"
)

func TestEndOfInput(t *testing.T) {
	connect(t, func(p *peer) { // no bytes at all
		if err := p.end(); err != nil {
			t.Error(err)
		}
		p.silence()
	})
	connect(t, func(p *peer) { // printf … | acc-mcp, without a last newline
		p.raw(initialize("2025-11-25", "test") + "\n" + initialized + "\n" + callTool("1", "echo_object", `{"text":"a"}`) + "\n" + callTool("2", "echo_object", `{"text":"b"}`))
		if err := p.end(); err != nil {
			t.Error(err)
		}
		p.expect(initializeAnswer("2025-11-25"), echoAnswer("1", "a"), echoAnswer("2", "b"))
	})
	connect(t, func(p *peer) { // in the middle of a line
		p.raw(ping("1")[:12])
		if err := p.end(); err != nil {
			t.Error(err)
		}
		p.expect(failure("null", -32700, "the line is not one JSON value"))
	})
}

// What is under way when input ends, or a signal comes, is finished first.
func TestEndFinishesWhatIsUnderWay(t *testing.T) {
	ends := map[string]func(p *peer){
		"end of input": func(p *peer) { p.stdin.Close() },
		"signal":       func(p *peer) { p.stop() },
	}
	for name, begin := range ends {
		t.Run(name, func(t *testing.T) {
			connect(t, func(p *peer) {
				p.legacy("2025-11-25", "test")
				p.send(callTool("1", "slow", `{"text":"one"}`), callTool("2", "echo_object", `{"text":"two"}`))
				begin(p)
				synctest.Wait()
				time.Sleep(700 * time.Millisecond) // of the bubble's clock
				p.release <- "late"
				if err := <-p.done; err != nil {
					t.Error(err)
				}
				p.expect(slowAnswer("1", "late"), echoAnswer("2", "two"))
			})
		})
	}
}

func TestEndIsBounded(t *testing.T) {
	connect(t, func(p *peer) { // a call that heeds its context
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "slow", `{"text":"one"}`), callTool("2", "echo_object", `{"text":"two"}`))
		begin := time.Now()
		if err := p.end(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("took %v", took)
		}
		got := []string{p.next(), p.next()}
		slices.Sort(got) // the refusal may come first
		if !strings.Contains(got[0], `"id":1,"result":{`) || !strings.Contains(got[0], `"isError":true`) {
			t.Errorf("got %s", got[0])
		}
		if want := failure("2", -32603, "the server ends; this call was not run"); got[1] != want {
			t.Errorf("got %s, want %s", got[1], want)
		}
		if want := []string{"one", "one cancelled"}; !slices.Equal(p.ran, want) {
			t.Errorf("ran %q, want %q", p.ran, want)
		}
	})
	connect(t, func(p *peer) { // one that does not
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "stuck", `{}`))
		begin := time.Now()
		if err := p.end(); err == nil {
			t.Error("a call was left behind without an error")
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestNothingIsReadAfterASignal(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "slow", `{"text":"one"}`))
		p.stop()
		synctest.Wait()
		p.send(callTool("2", "echo_object", `{"text":"two"}`), "garbage")
		p.release <- "x"
		if err := <-p.done; err != nil {
			t.Error(err)
		}
		p.expect(slowAnswer("1", "x"))
		p.silence()
	})
}

func TestBrokenStdout(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "slow", `{"text":"one"}`), callTool("2", "echo_object", `{"text":"two"}`))
		p.stdout.Close()
		begin := time.Now()
		p.send(ping("3"))
		if err := <-p.done; err == nil || !strings.Contains(err.Error(), "stdout") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(begin); took > 200*time.Millisecond {
			t.Errorf("took %v", took)
		}
		if want := []string{"one", "one cancelled"}; !slices.Equal(p.ran, want) {
			t.Errorf("ran %q, want %q", p.ran, want)
		}
	})
}

func TestBrokenStdin(t *testing.T) {
	connect(t, func(p *peer) {
		p.stdin.CloseWithError(io.ErrClosedPipe)
		if err := <-p.done; err == nil || !strings.Contains(err.Error(), "stdin") {
			t.Errorf("got %v", err)
		}
	})
}

// A client that does not read its answers does not keep the process alive.
func TestStuckStdoutIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- mcpserver.Serve(t.Context(), (&peer{log: &bytes.Buffer{}}).config(), inR, outW) }()
		go func() { _, _ = inW.Write([]byte(ping("1") + "\n")); inW.Close() }()
		if err := <-done; err == nil {
			t.Error("an answer was left behind without an error")
		}
		outR.Close()
	})
}
