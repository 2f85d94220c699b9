package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// patience is how long a fact may take to become true.
const patience = 30 * time.Second

// world is a room with alice, who writes, and bob, who is written to.
type world struct {
	t     testing.TB
	dir   string
	alice *coordination.Room
	bob   coordination.Attached
}

func newWorld(t testing.TB) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir}
	w.bob = w.attach("bob")
	w.alice = w.room(coordination.Config{ParticipantID: "alice"})
	return w
}

// config completes a configuration for this room.
func (w *world) config(cfg coordination.Config) coordination.Config {
	w.t.Helper()
	var err error
	if cfg.Workspace, err = fsstore.Locate(w.dir); err != nil {
		w.t.Fatal(err)
	}
	if cfg.Env.Now == nil {
		cfg.Env = fsstore.RealEnv(slog.New(slog.NewTextHandler(io.Discard, nil)))
	}
	return cfg
}

func (w *world) room(cfg coordination.Config) *coordination.Room {
	w.t.Helper()
	room := coordination.NewRoom(w.config(cfg))
	w.t.Cleanup(func() { _ = room.Close() })
	return room
}

// attach opens one more session of a participant.
func (w *world) attach(name string) coordination.Attached {
	w.t.Helper()
	env := fsstore.RealEnv(slog.New(slog.NewTextHandler(io.Discard, nil)))
	env.Process = fsstore.Process{Host: env.Process.Host}
	out, err := w.room(coordination.Config{ParticipantID: name, Env: env}).Attach(w.t.Context(), tools.Caller{Harness: "cli"})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// pair is the room as a session sees it.
func (w *world) pair(s coordination.Attached) *coordination.Room {
	return w.room(coordination.Config{Credentials: &coordination.Credentials{SessionID: s.SessionID, Generation: s.Generation}})
}

// call calls a tool, which must succeed.
func (w *world) call(room *coordination.Room, tool, args string, into any) {
	w.t.Helper()
	registry := &tools.Registry{}
	registry.Add(coordination.Tools(room), nil)
	called, _ := registry.Tool(tool)
	value, err := called.Call(w.t.Context(), tools.Caller{Harness: "cli"}, json.RawMessage(args))
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	data, err := json.Marshal(value)
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// ask has alice send bob a question, and gives what she was told.
func (w *world) ask(subject string) coordination.Sent {
	w.t.Helper()
	var sent coordination.Sent
	w.call(w.alice, "acc_message", fmt.Sprintf(`{"to":["bob"],"subject":%q,"body":"b","kind":"question"}`, subject), &sent)
	return sent
}

// told holds what the sender was told of the one recipient.
func (w *world) told(sent coordination.Sent, outcome schema.ReceiptState, code schema.DeliveryError) {
	w.t.Helper()
	if d := sent.Delivery[0]; d.Outcome != outcome || d.ErrorCode != code {
		w.t.Errorf("the sender was told %s %q, want %s %q", d.Outcome, d.ErrorCode, outcome, code)
	}
}

func (w *world) policy(p schema.DeliveryPolicy) {
	w.t.Helper()
	if err := w.pair(w.bob).SetLivePolicy(w.t.Context(), tools.Caller{}, p); err != nil {
		w.t.Fatal(err)
	}
}

// receipts are bob's open receipts by message.
func (w *world) receipts() map[string]schema.Receipt {
	w.t.Helper()
	s, err := fsstore.Open(w.dir, fsstore.RealEnv(slog.New(slog.DiscardHandler)))
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	all := map[string]schema.Receipt{}
	err = s.View(context.Background(), func(v *fsstore.View) error {
		entries, err := v.Inbox("bob")
		for _, e := range entries {
			r, err := v.OpenReceipt("bob", e)
			if err != nil {
				return err
			}
			all[e.MessageID] = r
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// heard is a report that a test can wait for.
type heard struct {
	t        testing.TB
	outcomes chan Outcome
	mu       sync.Mutex
	notes    []string
	news     chan struct{}
}

func (h *heard) Outcome(o Outcome) { h.outcomes <- o }

func (h *heard) Note(text string) {
	h.mu.Lock()
	h.notes = append(h.notes, text)
	h.mu.Unlock()
	select {
	case h.news <- struct{}{}:
	default:
	}
}

// outcome is the next one.
func (h *heard) outcome(kind string, id string, code schema.DeliveryError) Outcome {
	h.t.Helper()
	select {
	case o := <-h.outcomes:
		if o.Type != kind || o.MessageID != id || o.ErrorCode != code {
			h.t.Errorf("%s %s %q, want %s %s %q", o.Type, o.MessageID, o.ErrorCode, kind, id, code)
		}
		return o
	case <-time.After(patience):
		h.t.Fatalf("no outcome; noted: %q", h.notes)
		return Outcome{}
	}
}

// note waits for a note that holds a text.
func (h *heard) note(part string) {
	h.t.Helper()
	limit := time.After(patience)
	for {
		h.mu.Lock()
		text := strings.Join(h.notes, "\n")
		h.mu.Unlock()
		if strings.Contains(text, part) {
			return
		}
		select {
		case <-h.news:
		case <-limit:
			h.t.Fatalf("nobody noted %q, but:\n%s", part, text)
		}
	}
}

// adapter is one that runs in this process.
type adapter struct {
	*heard
	ended chan error
	stop  context.CancelFunc
	kill  context.CancelFunc
}

// serve starts an adapter; change completes its configuration.
func (w *world) serve(change func(*Config)) *adapter {
	w.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	abort, kill := context.WithCancel(context.Background())
	a := &adapter{&heard{t: w.t, outcomes: make(chan Outcome, 1000), news: make(chan struct{}, 1)}, make(chan error, 1), stop, kill}
	cfg := Config{Room: w.config(coordination.Config{ParticipantID: "bob"}), Report: a.heard}
	change(&cfg)
	go func() { a.ended <- New(cfg).Run(ctx, abort) }()
	w.t.Cleanup(func() {
		stop()
		kill()
		<-a.ended
	})
	return a
}

// end waits for the adapter to end by itself.
func (a *adapter) end() {
	a.t.Helper()
	select {
	case err := <-a.ended:
		if err != nil {
			a.t.Errorf("it ended with %v", err)
		}
		a.ended <- nil
	case <-time.After(patience):
		a.t.Fatal("it does not end")
	}
}

// hand is a transport that a test plays.
type hand struct {
	given chan coordination.Letter
	takes chan schema.DeliveryError
}

func newHand() *hand {
	return &hand{make(chan coordination.Letter, 1), make(chan schema.DeliveryError, 1)}
}

func (*hand) Name() string  { return "hand" }
func (*hand) Label() string { return "a hand" }

func (h *hand) Offer(ctx context.Context, l coordination.Letter) schema.DeliveryError {
	select {
	case h.given <- l:
	case <-ctx.Done():
		return schema.TransportError
	}
	select {
	case code := <-h.takes:
		return code
	case <-ctx.Done():
		return schema.TransportError
	}
}

// next waits for the next message that is handed over.
func (h *hand) next(t testing.TB, id string) {
	t.Helper()
	select {
	case l := <-h.given:
		if l.Message.MessageID != id {
			t.Errorf("%q is handed over, want %s", l.Message.Subject, id)
		}
	case <-time.After(patience):
		t.Fatal("nothing is handed over")
	}
}

// until waits for a fact.
func (w *world) until(what string, fact func() bool) {
	w.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(patience); !fact(); {
		select {
		case <-tick.C:
		case <-limit:
			w.t.Fatalf("it never came to that: %s", what)
		}
	}
}
