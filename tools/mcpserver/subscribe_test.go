package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"acc/tools/mcpserver"
)

// watched is the resource acc://inbox of the tests, which changes on demand.
type watched struct {
	changed chan struct{}
	running atomic.Int32 // watches now
	begun   atomic.Int32 // watches ever
	eager   bool         // a watch begins with a signal
}

func (w *watched) watch(ctx context.Context) (<-chan struct{}, error) {
	w.changed = make(chan struct{})
	w.running.Add(1)
	w.begun.Add(1)
	signals := make(chan struct{}, 1)
	if w.eager {
		signals <- struct{}{}
	}
	go func(changed <-chan struct{}) {
		defer close(signals)
		defer w.running.Add(-1)
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
			select {
			case signals <- struct{}{}:
			default:
			}
		}
	}(w.changed)
	return signals, nil
}

// change changes the resource, whether or not it is watched.
func (p *peer) change() {
	p.t.Helper()
	synctest.Wait()
	if p.watched.running.Load() > 0 {
		p.watched.changed <- struct{}{}
	}
	synctest.Wait()
}

// watches wants so many watches to run.
func (p *peer) watches(want int32) {
	p.t.Helper()
	if got := p.watched.running.Load(); got != want {
		p.t.Errorf("%d watches run, want %d", got, want)
	}
}

const inboxUpdated = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"acc://inbox"}}`

func subscribe(id, uri string) string { return request(id, "resources/subscribe", `{"uri":"`+uri+`"}`) }
func unsubscribe(id, uri string) string {
	return request(id, "resources/unsubscribe", `{"uri":"`+uri+`"}`)
}

func TestSubscribe(t *testing.T) {
	for _, revision := range []string{"2025-06-18", "2025-11-25"} {
		connect(t, func(p *peer) {
			p.legacy(revision, "test")
			p.send(request("1", "resources/read", `{"uri":"acc://inbox"}`), unsubscribe("2", "acc://inbox"))
			p.next()
			p.expect(pong("2"))
			p.watches(0) // nobody has subscribed
			p.send(subscribe("3", "acc://inbox"), subscribe("4", "acc://inbox"))
			p.expect(pong("3"), pong("4"))
			p.silence()
			p.watches(1)
			for range 2 {
				p.change()
				p.expect(inboxUpdated) // once, though it subscribed twice
				p.silence()
			}
			p.send(unsubscribe("5", "acc://inbox"))
			p.expect(pong("5"))
			p.watches(0)
			p.change()
			p.silence()
			p.send(subscribe("6", "acc://inbox"))
			p.expect(pong("6"))
			p.change()
			p.expect(inboxUpdated)
			if err := p.end(); err != nil {
				t.Error(err)
			}
			p.watches(0)
			p.silence()
		})
	}
}

// A subscription takes its turn: what a client reads after it, without waiting
// for its answer, is read while the watch runs.
func TestSubscribeKeepsTheOrder(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(callTool("1", "slow", `{"text":"one"}`), subscribe("2", "acc://inbox"), unsubscribe("3", "acc://inbox"),
			subscribe("4", "acc://inbox"), callTool("5", "echo_object", `{"text":"two"}`))
		p.watches(0)
		p.release <- "1"
		p.expect(slowAnswer("1", "1"), pong("2"), pong("3"), pong("4"), echoAnswer("5", "two"))
		p.watches(1)
	})
}

func TestSubscribeRefusals(t *testing.T) {
	unknown := "there is no such resource; resources/list has them all"
	unsignalled := "changes of this resource are not signalled; read it again when you need it"
	tests := []struct {
		name, method, params string
		code                 int
		message              string
	}{
		{"unknown", "resources/subscribe", `{"uri":"acc://nope"}`, -32002, unknown},
		{"unknown, unsubscribe", "resources/unsubscribe", `{"uri":"acc://nope"}`, -32002, unknown},
		{"control character", "resources/subscribe", `{"uri":"acc://\u0000"}`, -32002, unknown},
		{"no uri", "resources/subscribe", `{}`, -32002, unknown},
		{"no params", "resources/subscribe", ``, -32002, unknown},
		{"a number", "resources/subscribe", `{"uri":5}`, -32602, "uri must be a string"},
		{"not watched", "resources/subscribe", `{"uri":"acc://roster"}`, -32602, unsignalled},
		{"not watched, unsubscribe", "resources/unsubscribe", `{"uri":"acc://roster"}`, -32602, unsignalled},
		{"modern", "resources/subscribe", `{"uri":"acc://inbox",` + meta("2026-07-28") + `}`, -32601, "this method is not served"},
		{"modern, unsubscribe", "resources/unsubscribe", `{"uri":"acc://inbox",` + meta("2026-07-28") + `}`, -32601, "this method is not served"},
	}
	connect(t, func(p *peer) {
		p.send(subscribe("1", "acc://inbox"))
		p.expect(failure("1", -32600, "send initialize first"))
		p.legacy("2025-11-25", "test")
		for _, tt := range tests {
			p.send(request("1", tt.method, tt.params))
			if got, want := p.next(), failure("1", tt.code, tt.message); got != want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
			}
		}
		p.send(subscribe("1", "acc://unwatchable"))
		if got := p.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no watch.","data":{`) {
			t.Errorf("a watch that fails: %s", got)
		}
		p.watches(0)
	})
}

func listenTo(id string, uris ...string) string {
	return request(id, "subscriptions/listen",
		`{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["`+strings.Join(uris, `","`)+`"]},`+meta("2026-07-28")+`}`)
}

func listening(id, uris string) string {
	return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"notifications":{` + uris + `}}}`
}

func updatedFor(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"uri":"acc://inbox"}}`
}

func listenEnd(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"acc","version":"1.0.0"},"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

const inboxHonoured = `"resourceSubscriptions":["acc://inbox"]`

func TestListenToResources(t *testing.T) {
	connect(t, func(p *peer) {
		for _, bad := range []string{`"acc://inbox"`, `[5]`, `{}`, `true`} {
			p.send(request("1", "subscriptions/listen", `{"notifications":{"resourceSubscriptions":`+bad+`},`+meta("2026-07-28")+`}`))
			p.expect(failure("1", -32602, "resourceSubscriptions must be an array of strings"))
		}
		p.send(listenTo("1", "acc://roster", "acc://nope", "acc://unwatchable"))
		p.expect(listening("1", ""))
		p.watches(0)
		p.send(listenTo("2.5", "acc://roster", "acc://inbox", "acc://nope", "acc://inbox"))
		p.expect(listening("2.5", inboxHonoured))
		p.change()
		p.expect(updatedFor("2.5"))
		p.send(listenTo(`"b"`, "acc://inbox"))
		p.expect(listening(`"b"`, inboxHonoured))
		p.watches(1) // two streams, one watch
		p.change()
		p.expect(updatedFor("2.5"), updatedFor(`"b"`))
		p.send(cancelled("2.5"))
		p.change()
		p.expect(updatedFor(`"b"`))
		p.silence()
		p.send(cancelled(`"b"`))
		p.watches(0)
		p.change()
		p.silence()
	})
}

// Each era gets its own notices on a connection that both use.
func TestBothErasSubscribe(t *testing.T) {
	connect(t, func(p *peer) {
		p.legacy("2025-11-25", "test")
		p.send(subscribe("1", "acc://inbox"), listenTo("2", "acc://inbox"))
		p.next()
		p.next()
		p.change()
		p.expect(inboxUpdated, updatedFor("2"))
		p.send(unsubscribe("3", "acc://inbox"))
		p.expect(pong("3"))
		p.change()
		p.expect(updatedFor("2"))
		if err := p.end(); err != nil { // and the stream ends with its result
			t.Error(err)
		}
		p.expect(listenEnd("2"))
		p.silence()
		p.watches(0)
	})
}

// The acknowledgement comes first, also when the watch signals at once and when
// the id was that of another stream a moment ago.
func TestAcknowledgementComesFirst(t *testing.T) {
	connect(t, func(p *peer) {
		p.watched.eager = true
		p.send(listenTo("1", "acc://inbox"))
		p.expect(listening("1", inboxHonoured), updatedFor("1"))
		p.send(cancelled("1"), listenTo("1", "acc://inbox"))
		p.expect(listening("1", inboxHonoured))
		if p.watched.begun.Load() == 2 { // else the first watch went on for both
			p.expect(updatedFor("1"))
		}
		p.silence()
	})
}

// While nobody reads what the server says, signals become one; and a server
// that cannot say them ends all the same.
func TestSignalsAreCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{t: t, log: &bytes.Buffer{}}
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- mcpserver.Serve(t.Context(), p.config(), inR, outW) }()
		say := func(lines ...string) { _, _ = inW.Write([]byte(strings.Join(lines, "\n") + "\n")) }
		r := bufio.NewReader(outR)
		hear := func(want string) {
			t.Helper()
			if got, err := r.ReadString('\n'); err != nil || got != want+"\n" {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		}
		go say(initialize("2025-11-25", "test"), initialized, subscribe("1", "acc://inbox"))
		hear(initializeAnswer("2025-11-25"))
		hear(pong("1"))
		for range 100 {
			p.change()
		}
		hear(inboxUpdated) // the one that was on its way
		hear(inboxUpdated) // and one for all the others
		go say(ping("2"))
		hear(pong("2"))
		p.change()
		begin := time.Now()
		inW.Close()
		<-done
		if took := time.Since(begin); took > time.Second {
			t.Errorf("took %v", took)
		}
		outR.Close()
		synctest.Wait()
		p.watches(0)
	})
}
