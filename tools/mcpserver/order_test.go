package mcpserver_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"acc/tools/mcpserver"
)

func slowAnswer(id, text string) string { return toolAnswer(id, `{"text":"`+text+`"}`, false) }

func TestIDsComeBackByteForByte(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		for _, id := range []string{
			`0`, `-1`, `1.5`, `1e2`, `1E+2`, `1.0`, `9007199254740993`, `123456789012345678901234567890`, `1e999`,
			`""`, `"a"`, `"\u0061"`, `"\ud800"`, `"<é>"`, `"null"`,
		} {
			p.send(ping(id))
			p.expect(pong(id))
			p.send(callTool(id, "echo_object", `{"text":"a"}`))
			p.expect(echoAnswer(id, "a"))
		}
	})
}

func TestDuplicateIDInFlight(t *testing.T) {
	tests := []struct{ first, second string }{
		{`2`, `2`}, {`2`, `2.0`}, {`200`, `2e2`}, {`1.5`, `1.5`}, {`"a"`, `"\u0061"`}, {`9007199254740993`, `9007199254740993`},
	}
	for _, tt := range tests {
		connect(t, func(p *peer) {
			p.legacy("2025-11-25", "test")
			p.send(callTool(tt.first, "slow", `{"text":"a"}`), callTool(tt.second, "echo_object", `{"text":"b"}`))
			p.expect(failure("null", -32600, "the id is in use by a request under way"))
			p.release <- "done"
			p.expect(slowAnswer(tt.first, "done"))
			if len(p.ran) != 1 {
				t.Errorf("%v: these ran: %q", tt, p.ran)
			}
			p.send(callTool(tt.first, "echo_object", `{"text":"c"}`)) // and the id is free again
			p.expect(echoAnswer(tt.first, "c"))
		})
	}
	connect(t, func(p *peer) { // a number and a string are different ids
		p.legacy("2025-11-25", "test")
		p.send(callTool(`2`, "slow", `{"text":"a"}`), ping(`"2"`), ping(`9007199254740992`), ping(`9007199254740993`))
		got := []string{p.next(), p.next(), p.next()}
		for _, want := range []string{pong(`"2"`), pong(`9007199254740992`), pong(`9007199254740993`)} {
			if !slices.Contains(got, want) {
				t.Errorf("%s is missing in %q", want, got)
			}
		}
		p.release <- "a"
	})
}

// eager is a client that uses an id again while the answer is being written.
type eager struct {
	io.Writer
	again func()
}

func (e *eager) Write(b []byte) (int, error) {
	if again := e.again; again != nil && bytes.Contains(b, []byte(`"id":7`)) {
		e.again = nil
		again()
	}
	return e.Writer.Write(b)
}

func TestIDIsFreeOnceTheAnswerGoesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{t: t, log: &bytes.Buffer{}}
		inR, inW := io.Pipe()
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() {
			done <- mcpserver.Serve(t.Context(), p.config(), inR, &eager{&out, func() {
				fmt.Fprintln(inW, ping(`7`))
				fmt.Fprintln(inW) // read only when the line before it was taken
			}})
		}()
		fmt.Fprintln(inW, ping(`7`))
		synctest.Wait()
		inW.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got, want := out.String(), pong(`7`)+"\n"+pong(`7`)+"\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestCallsRunInOrderOfArrival(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(
			callTool("1", "slow", `{"text":"one"}`),
			callTool("2", "echo_object", `{"text":"two"}`),
			request("3", "resources/read", `{"uri":"acc://roster"}`),
			callTool("4", "nope", `{}`),
			callTool("5", "slow", `{"text":"five"}`),
			request("6", "tools/call", `{"name":"echo_object","arguments":{"text":"six"},`+meta("2026-07-28")+`}`),
			ping("7"),
		)
		p.expect(pong("7")) // a ping overtakes
		p.send(request("8", "prompts/list", ""))
		p.expect(`{"jsonrpc":"2.0","id":8,"result":{"prompts":[]}}`) // so does a list
		if want := []string{"one"}; !slices.Equal(p.ran, want) {
			t.Errorf("ran %q, want %q", p.ran, want)
		}
		p.silence()
		p.release <- "1"
		p.expect(slowAnswer("1", "1"), echoAnswer("2", "two"),
			`{"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"acc://roster","mimeType":"application/json","text":"[\n  \"test\"\n]"}]}}`,
			failure("4", -32602, "there is no tool of that name; tools/list has them all"))
		p.silence()
		p.release <- "5"
		p.expect(slowAnswer("5", "5"))
		if got := p.next(); !strings.Contains(got, `"id":6,`) {
			t.Errorf("got %s", got)
		}
		if want := []string{"one", "two", "five", "six"}; !slices.Equal(p.ran, want) {
			t.Errorf("ran %q, want %q", p.ran, want)
		}
	})
}

func TestManyCallsKeepTheirOrder(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		const n = 3000 // more than are held: the rest waits in the pipe
		lines := []string{callTool("0", "slow", `{"text":"first"}`)}
		for i := 1; i < n; i++ {
			lines = append(lines, callTool(fmt.Sprint(i), "echo_object", `{"text":"x"}`))
		}
		p.send(lines...)
		p.release <- "go"
		p.expect(slowAnswer("0", "go"))
		for i := 1; i < n; i++ {
			p.expect(echoAnswer(fmt.Sprint(i), "x"))
		}
	})
}

func TestCancel(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(
			callTool("1", "slow", `{"text":"one"}`),
			callTool("2", "echo_object", `{"text":"two"}`),
			callTool(`"3"`, "echo_object", `{"text":"three"}`),
			cancelled("2"), // held back: never runs
		)
		p.silence()
		p.send(cancelled("1.0")) // runs: its context ends, and nobody wants its answer
		p.expect(echoAnswer(`"3"`, "three"))
		if want := []string{"one", "one cancelled", "three"}; !slices.Equal(p.ran, want) {
			t.Errorf("ran %q, want %q", p.ran, want)
		}
		for _, idle := range []string{
			cancelled("1"), cancelled(`"3"`), cancelled("77"), cancelled("null"), cancelled("{}"),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		} {
			p.send(idle)
		}
		p.silence()
		p.send(callTool("1", "echo_object", `{"text":"again"}`))
		p.expect(echoAnswer("1", "again"))
	})
}

// A tool that ignores its cancellation keeps its turn, so that the next write
// does not overtake it; its id is free all the same.
func TestCancelledCallKeepsItsTurn(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "stuck", `{}`))
		p.send(cancelled("1"), callTool("1", "echo_object", `{"text":"a"}`))
		p.silence()
		p.stuck <- struct{}{}
		synctest.Wait()
		p.expect(echoAnswer("1", "a"))
		p.silence()
	})
}
