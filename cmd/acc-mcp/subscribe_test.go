package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// subscriber is a server whose client has subscribed to acc://inbox in the way
// of a revision. Its participant is known to nobody yet.
type subscriber struct {
	*server
	revision string
	notice   string // what a signal looks like
}

const listenID = `"stream"`

func openSubscriber(t testing.TB, revision, root string) *subscriber {
	t.Helper()
	s := &subscriber{start(t, launch{participant: "bob", workspace: root}), revision,
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"acc://inbox"}}`}
	if revision == rev2026 {
		s.notice = strings.Replace(s.notice, `"uri"`, `"_meta":{"io.modelcontextprotocol/subscriptionId":`+listenID+`},"uri"`, 1)
	} else {
		s.initialize(revision)
	}
	return s
}

func (s *subscriber) subscribe() {
	s.t.Helper()
	if s.revision == rev2026 {
		s.send(modern(listenID, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["acc://inbox","acc://roster"]}`))
		s.hears(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` +
			listenID + `},"notifications":{"resourceSubscriptions":["acc://inbox"]}}}`)
		return
	}
	s.send(request("1", "resources/subscribe", `{"uri":"acc://inbox"}`))
	s.hears(`{"jsonrpc":"2.0","id":1,"result":{}}`)
}

func (s *subscriber) unsubscribe() {
	s.t.Helper()
	if s.revision == rev2026 {
		s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + listenID + `}}`)
		s.inOrder() // it has no answer; what is answered after it was read after it
		return
	}
	s.send(request("2", "resources/unsubscribe", `{"uri":"acc://inbox"}`))
	s.hears(`{"jsonrpc":"2.0","id":2,"result":{}}`)
}

func (s *subscriber) hears(want string) {
	s.t.Helper()
	if got := s.next(); got != want {
		s.t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// inOrder asks something, whose answer must be the next line.
func (s *subscriber) inOrder() {
	s.t.Helper()
	s.send(modern(`"next"`, "resources/list", ""))
	if got := s.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"next"`) {
		s.t.Errorf("there is a line too many: %s", got)
	}
}

// tool calls a tool, without waiting for the answer.
func (s *subscriber) tool(name, arguments string) {
	s.t.Helper()
	s.send(modern(`"call"`, "tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)))
}

func eachRevision(t *testing.T, f func(t *testing.T, revision string)) {
	for _, revision := range []string{rev2506, rev2511, rev2026} {
		t.Run(revision, func(t *testing.T) { t.Parallel(); f(t, revision) })
	}
}

// TestSubscription: another process sends, the client is told, and nothing
// else has happened.
func TestSubscription(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		root := repository(t)
		join(t, "bob", root).call("acc_status", nil) // known, with an empty inbox
		alice := join(t, "alice", root)
		alice.call("acc_status", nil)
		before := tree(t, root)
		s := openSubscriber(t, revision, root)
		s.subscribe()
		unchanged(t, root, before)

		id := alice.note([]string{"bob"}, "hello")
		s.hears(s.notice)
		alice.call("acc_claim", args{"action": "acquire", "resource": "file:a"})
		alice.call("acc_status", nil)
		if got := filepath.Base(one(t, root, ".acc/inbox/bob/*.json")); !strings.HasSuffix(got, ".queued.json") {
			t.Errorf("after the signal the receipt is %s", got)
		}
		s.tool("acc_inbox", `{"messageId":"`+id+`"}`) // the client's own read is a change too
		lines := []string{s.next(), s.next()}
		if lines[0] != s.notice && lines[1] != s.notice {
			t.Errorf("no signal of its own read: %q", lines)
		}
		s.unsubscribe()
		alice.note([]string{"bob"}, "not signalled")
		s.inOrder()
		s.end()
		if rest := s.rest(); len(rest) > 0 {
			t.Errorf("after unsubscribing: %q", rest)
		}
	})
}

// TestSubscriptionBeforeTheRoom subscribes where there is no room, and makes
// none: neither then nor at the end.
func TestSubscriptionBeforeTheRoom(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		root := repository(t)
		idle := openSubscriber(t, revision, root)
		idle.subscribe()
		s := openSubscriber(t, revision, root)
		s.subscribe()
		s.stdin.Close()
		if code := s.wait(soon); code != 0 || s.stderr() != "" {
			t.Errorf("exit status %d, stderr %q", code, s.stderr())
		}
		rest := s.rest()
		if want := revision == rev2026; want != (len(rest) == 1) {
			t.Errorf("at the end: %q", rest)
		} else if want && !strings.Contains(rest[0], `"resultType":"complete"`) {
			t.Errorf("the stream ends with %s", rest[0])
		}
		if got := rooms(t, root); got != nil {
			t.Errorf("subscribing made %v", got)
		}
		join(t, "bob", root).call("acc_status", nil)
		join(t, "alice", root).note([]string{"bob"}, "hello")
		idle.hears(idle.notice)
	})
}

// TestSubscriptionLeavesNothing: there is no watch before the first
// subscription, and of one that is over nothing is left.
func TestSubscriptionLeavesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: only Linux shows what a process has open")
	}
	eachRevision(t, func(t *testing.T, revision string) {
		root := repository(t)
		alice := join(t, "alice", root)
		join(t, "bob", root).call("acc_status", nil)
		s := openSubscriber(t, revision, root)
		s.inOrder()
		s.holds(false)
		for range 3 {
			s.subscribe()
			s.holds(true)
			alice.note([]string{"bob"}, "hello")
			s.hears(s.notice)
			s.unsubscribe()
			if revision == rev2026 { // nothing says when it is over
				for deadline := time.Now().Add(patient); s.watching() && time.Now().Before(deadline); {
					runtime.Gosched()
				}
			}
			s.holds(false)
		}
	})
}

func (s *subscriber) holds(want bool) {
	s.t.Helper()
	if got := s.watching(); got != want {
		s.t.Errorf("watch or files of the room open: %v, want %v", got, want)
	}
}

// watching reports whether the process has a watch, or anything in the room.
func (s *subscriber) watching() bool {
	dir := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		target, _ := os.Readlink(filepath.Join(dir, e.Name()))
		if strings.Contains(target, "inotify") || strings.Contains(target, "/.acc") {
			return true
		}
	}
	return false
}

// BenchmarkSignal is how long after a send has been answered its recipient's
// client reads the notification; the answer comes right after the commit. Mail
// comes one at a time: of a burst, all but the first are signalled together.
func BenchmarkSignal(b *testing.B) {
	const pause = 50 * time.Millisecond
	root := repository(b)
	s := openSubscriber(b, rev2511, root)
	s.tool("acc_status", `{}`)
	s.next()
	s.subscribe()
	alice := join(b, "alice", root)
	var sum, worst time.Duration
	for b.Loop() {
		b.StopTimer()
		<-time.After(pause)
		b.StartTimer()
		alice.note([]string{"bob"}, "hello")
		sent := time.Now()
		s.hears(s.notice)
		took := time.Since(sent)
		sum, worst = sum+took, max(worst, took)
	}
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms-after-answer")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
}
