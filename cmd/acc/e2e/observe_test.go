package e2e

import (
	"html"
	"slices"
	"strings"
	"testing"

	"acc/golden/e2e/drive"
	"acc/golden/e2e/model"
	"acc/schema"
	"acc/tools/delivery/client"
)

// observation is a client in a room in which alice sends mail and guards a
// file, and what its hooks and its model saw.
type observation struct {
	*room
	agent agent
	seen  schema.Capabilities
	hold  bool
}

func observe(t *testing.T, installed drive.Installed) client.Tested {
	t.Helper()
	r := newRoom(t)
	o := observation{room: r, agent: r.agent(installed, installed.ID, "project")}
	r.record()
	session := o.firstSession()
	o.alice("claim", "--guarded", "guarded.txt", "--reason", "the release is being cut")
	o.secondTurn(session)
	o.newSession()
	return client.Tested{Client: installed.ID, Version: installed.Version, Capabilities: o.seen, Hold: o.hold}
}

// firstSession begins and ends; it returns what the client calls it.
func (o *observation) firstSession() string {
	o.agent.start("begin", model.Reply(o.agent.acc("acc_status", nil)), done())
	o.oneSession(o.agent.ID)
	hooks := o.hooks()
	_, ended := find(hooks, func(h hookCall) bool { return h.event() == client.SessionEnd })
	start, started := find(hooks, func(h hookCall) bool { return h.event() == client.SessionStart })
	o.seen.Lifecycle.SessionStart, o.seen.Lifecycle.SessionEnd = started, ended
	return start.input().Session
}

// secondTurn resumes the session. A question comes when it has begun, before
// its first turn. The model then tries the guarded file, and there is more mail
// in the middle of its work and at its end.
func (o *observation) secondTurn(session string) {
	question, note := "Shall we take argon2 or bcrypt?", "The tests are green again."
	o.after(client.SessionStart, o.question(question)...)
	steps := []model.Step{
		model.Reply(use(o.agent.Write(o.path("guarded.txt"), "mine"))),
		func(model.Seen) []model.Block {
			o.alice("message", "--to", o.agent.ID, "--subject", "News", "--body", note)
			return use(o.agent.Write(o.path("free.txt"), "free"))
		},
	}
	if o.agent.ShellPatches() {
		steps = append(steps, model.Reply(use(o.agent.ShellPatch(o.path("guarded.txt"), "mine"))))
	}
	steps = append(steps, model.Reply(o.agent.acc("acc_status", nil)), func(model.Seen) []model.Block {
		o.acc(o.question("When will you be done?")...)
		return model.Say("done")
	})
	m := o.agent.resume("go on", append(steps, done())...)
	hooks := o.hooks()
	_, resumed := find(hooks, func(h hookCall) bool {
		return h.event() == client.SessionStart && h.input().Source == "resume" && h.input().Session == session
	})
	o.seen.Lifecycle.Resume = resumed
	turn, _ := find(hooks, func(h hookCall) bool { return h.event() == client.BeforeTurn })
	o.seen.Context.BeforeTurn = shown(m.Turn(0), turn.answer().context)
	o.seen.Context.SafePoint = strings.Contains(m.Turn(2), note)
	o.seen.Delivery.NextTurn = o.seen.Context.BeforeTurn && o.receipt(o.agent.ID, sentIn(hooks, question)) == "offered"
	o.guards(hooks, m)
	stop, _ := find(hooks, func(h hookCall) bool { return h.answer().hold != "" })
	o.hold = shown(m.Turn(len(steps)), stop.answer().hold)
	o.oneSession(o.agent.ID)
}

// guards holds that the free file was written, or a refusal says nothing.
func (o *observation) guards(hooks []hookCall, m *model.Server) {
	if !strings.HasPrefix(o.file("free.txt"), "free") {
		o.t.Errorf("%s did not write free.txt, which nobody claims", o.agent.Name)
	}
	refused := func(turn int) bool {
		_, said := find(hooks, func(h hookCall) bool { return shown(m.Turn(turn), h.answer().deny) })
		return said && o.file("guarded.txt") == ""
	}
	o.seen.Guards.BeforeWrite = refused(1)
	o.seen.Guards.BeforeShell = o.agent.ShellPatches() && refused(3)
}

// newSession begins with mail and a claim in the room.
func (o *observation) newSession() {
	m := o.agent.start("another day", model.Reply(o.agent.acc("acc_status", nil)), done())
	start, _ := find(o.hooks(), func(h hookCall) bool { return h.event() == client.SessionStart })
	o.seen.Context.Startup = shown(m.Turn(0), start.answer().context)
	if o.seen.Lifecycle.SessionEnd { // else the old one may be there still
		o.oneSession(o.agent.ID)
	}
}

// question are the arguments with which alice asks the agent something.
func (o *observation) question(body string) []string {
	return []string{
		"--json", "--as", "alice", "message", "--to", o.agent.ID, "--kind", "question", "--subject", "A question", "--body", body,
	}
}

// sentIn is the id of the message with that body that was sent among hooks.
func sentIn(hooks []hookCall, body string) string {
	sent, _ := find(hooks, func(h hookCall) bool { return slices.Contains(h.Args, body) })
	return messageID.FindString(sent.Out)
}

// shown reports whether what a hook said reached the model word for word. Some
// clients write it as the text of an element.
func shown(turn, said string) bool {
	said = html.UnescapeString(strings.TrimSpace(said))
	return said != "" && strings.Contains(html.UnescapeString(turn), said)
}

func find(hooks []hookCall, is func(hookCall) bool) (hookCall, bool) {
	i := slices.IndexFunc(hooks, is)
	if i < 0 {
		return hookCall{}, false
	}
	return hooks[i], true
}
