package coordination

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"acc/schema"
	"acc/tools"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// play holds a real room and the model of it, and takes both through the same
// steps.
type play struct {
	*model
	t         *rapid.T
	world     *world
	processes []*mProcess
	observer  *client // nobody: it looks and leaves nothing
	cursor    int64   // the last event that was compared
	latest    string  // the newest id of a message
	walks     []*pageWalk
}

func newPlay(outer *testing.T, t *rapid.T) *play {
	w := newWorld(outer)
	w.now = time.Date(2020, 3, 1, 12, 0, 0, 0, time.UTC) // files are younger: nothing is swept
	p := &play{model: &model{now: w.now}, t: t, world: w}
	p.observer = w.start("")
	p.status(p.start("alice"))
	p.status(p.start("bob"))
	return p
}

// end gives back what the room holds, so that many plays fit into one test.
func (p *play) end() {
	for _, process := range p.processes {
		_ = process.client.room.Close()
	}
	_ = p.observer.room.Close()
	_ = os.RemoveAll(p.world.dir)
}

func (p *play) start(who string) *mProcess {
	process := &mProcess{who: who, alive: true, client: p.world.start(who)}
	p.processes = append(p.processes, process)
	return process
}

func (p *play) pass(d time.Duration) {
	p.now = p.now.Add(d)
	p.world.now = p.now
	p.t.Logf("the clock goes to %s", schema.At(p.now))
}

// stop ends a process in order, or kills it.
func (p *play) stop(process *mProcess, kill bool) {
	p.t.Logf("%s ends, killed %v", process.name(), kill)
	process.alive = false
	p.processes = slices.DeleteFunc(p.processes, func(other *mProcess) bool { return other == process })
	if kill {
		process.client.kill()
		if s := process.client.room.store; s != nil {
			_ = s.Close() // the kernel takes its locks back; the sign of life stays
		}
		return
	}
	if process.session != nil {
		delete(process.session.signs, process)
	}
	if err := process.client.room.Close(); err != nil {
		p.t.Fatal(err)
	}
	process.client.kill()
}

// rebuild ends all processes and removes what is made from the records.
func (p *play) rebuild() {
	for len(p.processes) > 0 {
		p.stop(p.processes[0], false)
	}
	if err := p.observer.room.Close(); err != nil {
		p.t.Fatal(err)
	}
	for _, derived := range []string{"run", "index"} {
		if err := os.RemoveAll(filepath.Join(p.world.dir, ".acc", derived)); err != nil {
			p.t.Fatal(err)
		}
	}
	p.t.Logf("run/ and index/ are removed")
	p.status(p.start("alice"))
}

func (p *mProcess) name() string { return fmt.Sprintf("%s(%d)", p.who, p.client.pid) }

func (w *pageWalk) GoString() string { return w.process.name() + " " + w.tool }

// args are the arguments of a call; empty ones are left out.
type args map[string]any

func (a args) text() string {
	for name, value := range a {
		switch v := value.(type) {
		case string:
			if v == "" {
				delete(a, name)
			}
		case []string:
			if v == nil {
				delete(a, name)
			}
		case int:
			if v == 0 {
				delete(a, name)
			}
		}
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// call makes a call that must end with a reason, "" for success, and decodes
// the answer as a client does.
func (p *play) call(who *client, tool string, a args, want schema.Reason, into any) {
	p.t.Helper()
	text := a.text()
	label := who.name
	if label != "" {
		label = fmt.Sprintf("%s(%d)", who.name, who.pid)
		p.t.Logf("%s %s %s: %s", label, tool, text, orOK(want))
	}
	t, _ := who.registry.Tool(tool)
	value, err := t.Call(context.Background(), tools.Caller{Harness: who.harness}, json.RawMessage(text))
	got := schema.Reason("")
	if err != nil {
		got = schema.AsError(err).Reason
	}
	if got != want {
		p.t.Fatalf("%s %s %s ends with %q, want %q: %v", label, tool, text, got, want, err)
	}
	if err != nil || into == nil {
		return
	}
	data, err := schema.Format(value)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func orOK(want schema.Reason) schema.Reason {
	if want == "" {
		return "ok"
	}
	return want
}

// same compares what a call answered, or what anybody sees, with the model.
func same[T any](p *play, what string, want, got T) {
	p.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Fatalf("%s (-model +room):\n%s", what, diff)
	}
}

// learn reads the events of the step, fills in the id of a session that it
// opened, and compares them. Their order within one step is the room's affair.
func (p *play) learn() {
	p.t.Helper()
	var d Delta
	p.call(p.observer, "acc_sync", args{"cursor": schema.FormatCursor(p.cursor), "limit": 500}, "", &d)
	for _, e := range d.Events {
		p.cursor++
		if e.Cursor != schema.FormatCursor(p.cursor) {
			p.t.Fatalf("event %s where %d is due", e.Cursor, p.cursor)
		}
		if s := p.speaks(e.Payload.ParticipantID); e.Type == schema.EventSessionOpened && s != nil && s.id == "" {
			s.id = e.ActorSessionID
		}
	}
	var want, got []string
	for _, e := range p.events {
		if e.subject != nil {
			e.payload.SessionID = e.subject.id
		}
		want = append(want, describe(e.kind, e.actor.id, e.payload))
	}
	for _, e := range d.Events {
		got = append(got, describe(e.Type, e.ActorSessionID, e.Payload))
	}
	p.events = nil
	slices.Sort(want)
	slices.Sort(got)
	same(p, "events", want, got)
}

func describe(kind schema.EventType, actor string, payload schema.Payload) string {
	return fmt.Sprintf("%s by %s: %+v", kind, actor, payload)
}

// check compares everything that anybody can see. It is nobody who looks.
func (p *play) check(*rapid.T) {
	p.learn()
	var full Delta
	p.call(p.observer, "acc_sync", args{"scope": "full", "cursor": schema.FormatCursor(p.cursor)}, "", &full)
	p.checkSnapshot(full.Snapshot)
	var status Status
	p.call(p.observer, "acc_status", args{}, "", &status)
	status.WorkspaceID = nil
	same(p, "status", p.overview(nil), status)
	p.checkGround()
}

func (p *play) checkSnapshot(got *Snapshot) {
	names := []string{}
	for _, participant := range got.Participants {
		names = append(names, participant.ParticipantID)
	}
	same(p, "participants", p.names(), names)

	intents := []schema.Intent{}
	for _, s := range p.sessions {
		if s.intent != nil {
			i := *s.intent
			i.SessionID = s.id
			intents = append(intents, i)
		}
	}
	same(p, "intents", sorted(intents, func(i schema.Intent) string { return i.SessionID }),
		sorted(got.Intents, func(i schema.Intent) string { return i.SessionID }))

	claims := []schema.Claim{}
	for _, c := range p.ground() {
		claims = append(claims, c.Claim)
	}
	byClaim := func(c schema.Claim) string { return c.ClaimID }
	same(p, "claims", sorted(claims, byClaim), sorted(got.Claims, byClaim))

	messages, receipts := []schema.Message{}, []schema.Receipt{}
	for _, mail := range slices.Backward(p.mail) {
		messages = append(messages, mail.Message)
		for _, r := range mail.receipts {
			receipts = append(receipts, *r)
		}
	}
	same(p, "messages", messages, got.Messages)
	byReceipt := func(r schema.Receipt) string { return r.RecipientParticipantID + r.MessageID }
	same(p, "receipts", sorted(receipts, byReceipt), sorted(got.Receipts, byReceipt))
	p.checkSessions(got.Sessions)
}

func (p *play) checkSessions(got []SessionView) {
	type session struct{ ID, Who, State, Started, Closed, Handoff string }
	var want, have []session
	for _, s := range p.sessions {
		one := session{ID: s.id, Who: s.who, State: "open", Started: schema.At(s.started).String()}
		if !s.open {
			one.State, one.Closed, one.Handoff = "closed", schema.At(s.closed).String(), s.handoff.MessageID
		}
		want = append(want, one)
	}
	for _, s := range got {
		one := session{ID: s.SessionID, Who: s.ParticipantID, State: string(s.State), Started: s.StartedAt.String()}
		if s.ClosedAt != nil && s.HandoffID != nil {
			one.Closed, one.Handoff = s.ClosedAt.String(), *s.HandoffID
		}
		have = append(have, one)
	}
	byID := func(s session) string { return s.ID }
	same(p, "sessions", sorted(want, byID), sorted(have, byID))
}

// checkGround holds the one promise of claims against the model itself: no two
// sessions hold the same ground unless both share it.
func (p *play) checkGround() {
	live := filter(p.ground(), p.live)
	for i, a := range live {
		for _, b := range live[:i] {
			if a.owner != b.owner && overlaps(a.Resource, b.Resource) && (a.Mode == schema.Exclusive || b.Mode == schema.Exclusive) {
				p.t.Fatalf("%s and %s hold the same ground: %s, %s", a.owner.who, b.owner.who, a.Resource, b.Resource)
			}
		}
	}
}

// overview is the answer of acc_status to a session, or to nobody. Attention
// is compared apart.
func (p *play) overview(me *mSession) Status {
	s := Status{
		Root: p.world.dir, Protection: ProtectionNone, Participants: []ParticipantRow{}, Claims: []ClaimRow{},
		DeliveryBindings: []Binding{}, Attention: []Attention{}, Counts: Counts{Messages: int64(len(p.mail))},
	}
	if me != nil {
		s.ParticipantID, s.SessionID = &me.who, &me.id
	}
	for _, name := range p.names() {
		row := p.row(name)
		s.Participants = append(s.Participants, row)
		s.Counts.Unretrieved += row.Unretrieved.Queued + row.Unretrieved.Offered
		switch row.Presence {
		case Online:
			s.Counts.Live++
		case Stale:
			s.Counts.Stale++
		}
	}
	for _, c := range filter(p.ground(), p.live) {
		s.Protection = ProtectionAdvisory
		s.Claims = append(s.Claims, ClaimRow{
			ClaimID: c.ClaimID, Resource: c.Resource, Mode: c.Mode, Enforcement: schema.Advisory,
			OwnerSessionID: c.owner.id, OwnerParticipantID: c.owner.who, ExpiresAt: c.ExpiresAt,
		})
	}
	s.Claims = sorted(s.Claims, func(c ClaimRow) string { return c.ClaimID })
	s.Counts.Claims = len(s.Claims)
	return s
}

func (p *play) row(name string) ParticipantRow {
	s := p.speaks(name)
	row := ParticipantRow{
		ParticipantID: name, SessionID: &s.id, Harness: "claude-code", CheckoutRoot: p.world.dir,
		Enforcement: schema.Advisory, Lifecycle: schema.Manual, Presence: p.presence(s),
	}
	if s.intent != nil {
		row.Intent = &s.intent.Summary
	}
	for _, mail := range p.inbox(name) {
		if mail.receipts[name].State == schema.Queued {
			row.Unretrieved.Queued++
		}
	}
	return row
}

func sorted[T any](list []T, key func(T) string) []T {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return list
}
