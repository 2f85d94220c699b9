package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"acc/schema"
	"acc/tools"
	"acc/tools/mcpserver"
)

// peer is the client's end of one connection. Everything runs in a bubble, so
// a wait for an answer that never comes fails at once, and time costs nothing.
type peer struct {
	t       *testing.T
	stdin   *io.PipeWriter
	stdout  *io.PipeReader
	lines   chan string
	done    chan error
	stop    context.CancelFunc
	log     *bytes.Buffer // read it after end
	ran     []string      // tools, in the order in which they began
	release chan string   // what slow waits for; the text is its answer
	stuck   chan struct{} // what stuck waits for, and nothing else
	watched watched
}

func connect(t *testing.T, f func(p *peer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ctx, stop := context.WithCancel(t.Context())
		p := &peer{
			t: t, stdin: inW, stdout: outR, stop: stop,
			lines: make(chan string, 10000), done: make(chan error, 1),
			release: make(chan string), stuck: make(chan struct{}), log: &bytes.Buffer{},
		}
		go func() {
			err := mcpserver.Serve(ctx, p.config(), inR, outW)
			outW.Close()
			p.done <- err
		}()
		go p.readAll()
		f(p)
		stop()
		inW.Close()
		outR.Close()
		close(p.stuck)
		synctest.Wait()
	})
}

func (p *peer) readAll() {
	r := bufio.NewReader(p.stdout)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			close(p.lines)
			return
		}
		p.lines <- strings.TrimSuffix(line, "\n")
	}
}

func (p *peer) config() mcpserver.Config {
	r := &tools.Registry{}
	r.Add(p.tools(), p.resources())
	return mcpserver.Config{
		Name: "acc", Version: "1.0.0", Instructions: "Poll <often>.", Registry: r,
		Experimental: map[string]any{"acc": map[string]bool{"guards": false}},
		Logger:       slog.New(slog.NewTextHandler(p.log, nil)),
	}
}

type textInput struct {
	Text string `json:"text" acc:"text" jsonschema:"required,description=What to echo"`
}

type noInput struct{}

func (p *peer) tools() []tools.Tool {
	read := tools.Annotations{ReadOnly: true, Idempotent: true}
	return []tools.Tool{
		tools.Define("echo_object", "Echo", "Echoes <one> text.", read,
			func(_ context.Context, c tools.Caller, in textInput) (any, error) {
				p.ran = append(p.ran, in.Text)
				return map[string]any{"text": in.Text, "harness": c.Harness, "version": c.Version}, nil
			}),
		tools.Define("echo_array", "Echo", "Echoes a list.", read,
			func(_ context.Context, _ tools.Caller, in textInput) (any, error) { return []string{in.Text}, nil }),
		tools.Define("slow", "Slow", "Waits.", tools.Annotations{},
			func(ctx context.Context, _ tools.Caller, in textInput) (any, error) {
				p.ran = append(p.ran, in.Text)
				select {
				case text := <-p.release:
					return map[string]string{"text": text}, nil
				case <-ctx.Done():
					p.ran = append(p.ran, in.Text+" cancelled")
					return nil, ctx.Err()
				}
			}),
		tools.Define("stuck", "Stuck", "Ignores cancellation.", tools.Annotations{Destructive: true},
			func(context.Context, tools.Caller, noInput) (any, error) { <-p.stuck; return nil, nil }),
		tools.Define("fail", "Fail", "Refuses.", read,
			func(context.Context, tools.Caller, noInput) (any, error) {
				return nil, schema.Fail(schema.ReasonClaimConflict, "bob holds it; ask bob.").
					With("conflicts", []string{"a"}).Because(errors.New("secret cause"))
			}),
		tools.Define("fail_big", "Fail", "Refuses at length.", read,
			func(context.Context, tools.Caller, noInput) (any, error) {
				return nil, schema.Fail(schema.ReasonClaimConflict, "%s", strings.Repeat("💥", 2000)).
					With("conflicts", strings.Repeat("c", 5000)).With("list", strings.Repeat("x", 3000)).With("field", "a")
			}),
		tools.Define("fail_plain", "Fail", "Fails.", read,
			func(context.Context, tools.Caller, noInput) (any, error) {
				return nil, fmt.Errorf("open /root/secret: %w", io.ErrUnexpectedEOF)
			}),
		tools.Define("unencodable", "Fail", "Returns what is no JSON.", read,
			func(context.Context, tools.Caller, noInput) (any, error) { return func() {}, nil }),
		tools.Define("nothing", "Nothing", "Returns null.", read,
			func(context.Context, tools.Caller, noInput) (any, error) { return nil, nil }),
		tools.Define("panics", "Panic", "Panics.", read,
			func(context.Context, tools.Caller, noInput) (any, error) { panic("boom in a tool") }),
	}
}

func (p *peer) resources() []tools.Resource {
	return []tools.Resource{
		{URI: "acc://roster", Name: "roster", Title: "Roster", Description: "Who is <here>.",
			Read: func(_ context.Context, c tools.Caller) (any, error) { return []string{c.Harness}, nil }},
		{URI: "acc://damaged", Name: "damaged",
			Read: func(context.Context, tools.Caller) (any, error) {
				return nil, schema.Fail(schema.ReasonRecordDamaged, "the record is damaged.").With("id", "m1")
			}},
		{URI: "acc://inbox", Name: "inbox",
			Read:  func(context.Context, tools.Caller) (any, error) { return []string{}, nil },
			Watch: p.watched.watch},
		{URI: "acc://unwatchable", Name: "unwatchable",
			Read: func(context.Context, tools.Caller) (any, error) { return nil, nil },
			Watch: func(context.Context) (<-chan struct{}, error) {
				return nil, schema.Fail(schema.ReasonStoreFailed, "no watch.")
			}},
		{URI: "acc://panics", Name: "panics",
			Read: func(context.Context, tools.Caller) (any, error) { panic("boom in a resource") }},
	}
}

// send writes lines, each in one piece.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	p.raw(strings.Join(lines, "\n") + "\n")
}

// raw writes bytes as they are. Bytes that the server does not want any more
// are lost.
func (p *peer) raw(s string) {
	p.t.Helper()
	go func() { _, _ = p.stdin.Write([]byte(s)) }()
	synctest.Wait()
}

// expect reads as many lines as are given and compares them byte for byte.
func (p *peer) expect(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if got := p.next(); got != w {
			p.t.Errorf("\n got %s\nwant %s", got, w)
		}
	}
}

// silence checks that nothing more has been written.
func (p *peer) silence() {
	p.t.Helper()
	synctest.Wait()
	select {
	case line, open := <-p.lines:
		if open {
			p.t.Errorf("unexpected line: %s", line)
		}
	default:
	}
}

func (p *peer) next() string {
	p.t.Helper()
	synctest.Wait()
	select {
	case line := <-p.lines:
		return line
	default:
		p.t.Fatal("no answer came")
		return ""
	}
}

// end closes stdin and returns what Serve returned.
func (p *peer) end() error {
	p.stdin.Close()
	return <-p.done
}

// legacy opens the initialized era and swallows the answer.
func (p *peer) legacy(version, name string) {
	p.t.Helper()
	p.send(initialize(version, name), initialized)
	if got := p.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":`) {
		p.t.Fatalf("initialize: %s", got)
	}
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

func initialize(version, name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":%q,"version":"7"}}}`, version, name)
}

// request is a line; params may be "".
func request(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
}

func ping(id string) string { return request(id, "ping", "") }

func pong(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

func callTool(id, name, arguments string) string {
	return request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
}

func cancelled(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"r"}}`
}

func failure(id string, code int, message string) string {
	m, _ := json.Marshal(message)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, m)
}

// toolAnswer is the line of an answer whose text and structured content are the
// same object.
func toolAnswer(id, object string, isError bool) string {
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(object), "", "  "); err != nil {
		panic(err)
	}
	text, _ := json.Marshal(indented.String())
	suffix := ""
	if isError {
		suffix = `,"isError":true`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}],"structuredContent":%s%s}}`, id, text, object, suffix)
}

func echoAnswer(id, text string) string {
	return toolAnswer(id, `{"harness":"test","text":"`+text+`","version":"7"}`, false)
}

// meta is the _meta member of a request of 2026-07-28.
func meta(version string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"modern","version":"9"}}`
}

const serverMeta = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"acc","version":"1.0.0"}}`
