package main_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// worker is a client that does everything there is to do, at random, and
// knows what it was told has happened.
type worker struct {
	*server
	name, peer string
	root       string
	random     *rand.Rand
	cursor     string
	calls      int

	sent     []string          // messages, replies and handoffs
	acked    []string          // messages to this worker
	held     map[string]string // resource → claim
	finished int               // sessions
	visits   int               // second processes
}

func newWorker(t testing.TB, root string, number, of int) *worker {
	t.Helper()
	w := &worker{
		name: workerName(number), peer: workerName((number + 1) % of), root: root, held: map[string]string{},
		random: rand.New(rand.NewPCG(uint64(number), 1)),
	}
	w.server = connect(t, launch{participant: w.name, workspace: root, long: true, env: []string{"GOTRACEBACK=all"}})
	w.do("acc_status", nil)
	return w
}

func workerName(number int) string { return fmt.Sprintf("worker-%d", number) }

// acts are what a worker does, and how often. They settle about as much mail as
// they send.
func acts() []struct {
	weight int
	act    func(*worker)
} {
	return []struct {
		weight int
		act    func(*worker)
	}{
		{40, (*worker).post},
		{20, (*worker).ask},
		{40, (*worker).readMail},
		{20, (*worker).claim},
		{16, (*worker).renew},
		{20, (*worker).release},
		{20, func(w *worker) { w.do("acc_status", nil) }},
		{20, (*worker).sync},
		{8, func(w *worker) { w.do("acc_sync", args{"scope": "history", "limit": 5}) }},
		{12, func(w *worker) { w.do("acc_work", args{"summary": fmt.Sprint("step ", w.calls), "mode": "edit"}) }},
		{1, (*worker).finishSession},
		{1, (*worker).visit},
	}
}

// step does one thing.
func (w *worker) step() {
	w.t.Helper()
	total := 0
	for _, a := range acts() {
		total += a.weight
	}
	pick := w.random.IntN(total)
	for _, a := range acts() {
		if pick -= a.weight; pick < 0 {
			a.act(w)
			return
		}
	}
}

func (w *worker) do(tool string, arguments any) object {
	w.t.Helper()
	w.calls++
	return w.call(tool, arguments)
}

func (w *worker) sends(tool string, arguments args) {
	w.t.Helper()
	w.sent = append(w.sent, text(w.t, w.do(tool, arguments), "message", "messageId"))
}

// post sends a note or a question, and now and then a decision that wants to be
// acknowledged.
func (w *worker) post() {
	letter := args{"to": []string{w.peer}, "subject": "s", "body": "b"}
	switch pick := w.random.IntN(100); {
	case pick == 0:
		letter["kind"], letter["obligation"] = "decision", "acknowledge"
	case pick < 30:
		letter["kind"] = "question"
	}
	w.sends("acc_message", letter)
}

func (w *worker) ask() {
	w.sends("acc_request", args{"toParticipantId": w.peer, "title": "please", "clientMessageId": fmt.Sprint(w.name, "-", w.calls)})
}

// readMail settles the first few open letters.
func (w *worker) readMail() {
	for _, item := range list(w.t, w.do("acc_inbox", args{"limit": 3}), "items") {
		id := text(w.t, item, "message", "messageId")
		w.read(id)
		if text(w.t, item, "message", "obligation") == "reply" {
			w.sends("acc_reply", args{"messageId": id, "body": "done"})
		} else {
			w.do("acc_ack", args{"messageId": id})
		}
		w.acked = append(w.acked, id)
	}
}

func (w *worker) read(id string) {
	w.calls++
	if r := w.try("acc_inbox", args{"messageId": id}); r.IsError {
		w.t.Fatalf("reading %s: %s", id, r.Content[0].Text)
	}
}

// claim takes one of a few files, which another may have.
func (w *worker) claim() {
	resource := fmt.Sprintf("file:src/%d.go", w.random.IntN(8))
	w.calls++
	var value object
	r := w.try("acc_claim", args{"action": "acquire", "resource": resource})
	w.decode([]byte(r.Content[0].Text), &value)
	switch {
	case !r.IsError:
		w.held[resource] = text(w.t, value, "claimId")
	case text(w.t, value, "error", "reason") != "claim_conflict":
		w.t.Fatalf("a claim: %s", r.Content[0].Text)
	}
}

// anyHeld is a resource that this worker holds, "" for none.
func (w *worker) anyHeld() string {
	if len(w.held) == 0 {
		return ""
	}
	return slices.Sorted(maps.Keys(w.held))[w.random.IntN(len(w.held))]
}

func (w *worker) renew() {
	if resource := w.anyHeld(); resource != "" {
		w.do("acc_claim", args{"action": "renew", "claimId": w.held[resource]})
	}
}

func (w *worker) release() {
	if resource := w.anyHeld(); resource != "" {
		w.do("acc_release", args{"resource": resource})
		delete(w.held, resource)
	}
}

// sync reads what happened since; the log has no gap.
func (w *worker) sync() {
	arguments := args{"limit": 100}
	if w.cursor != "" {
		arguments["cursor"] = w.cursor
	}
	answer := w.do("acc_sync", arguments)
	expect := w.cursor
	for _, event := range list(w.t, answer, "events") {
		cursor := text(w.t, event, "cursor")
		if expect != "" && cursor != following(expect) {
			w.t.Errorf("event %s follows %s", cursor, expect)
		}
		expect = cursor
	}
	w.cursor = text(w.t, answer, "cursor")
}

// following is the cursor of the next event.
func following(cursor string) string {
	n, _ := strconv.ParseInt(cursor, 10, 64)
	return fmt.Sprintf("%016d", n+1)
}

// finishSession ends the session; the next call opens another.
func (w *worker) finishSession() {
	w.sends("acc_finish", args{"goal": "a shift", "status": "complete", "toParticipantId": w.peer})
	clear(w.held)
	w.finished++
	w.do("acc_status", nil)
}

// visit opens the room in a second process of the same participant, which
// looks around and ends.
func (w *worker) visit() {
	s := connect(w.t, launch{participant: w.name, workspace: w.root, long: true})
	s.call("acc_status", nil)
	w.sent = append(w.sent, s.note([]string{w.peer}, "from a visit"))
	s.end()
	w.calls += 2
	w.visits++
}
