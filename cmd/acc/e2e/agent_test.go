package e2e

import (
	"time"

	"acc/golden/e2e/drive"
	"acc/golden/e2e/model"
)

// agent is a client at work in a room, with acc installed.
type agent struct {
	*drive.Agent
	room *room
}

// start gives the agent a prompt in a new session, and its model a script.
func (a agent) start(prompt string, script ...model.Step) *model.Server {
	a.room.t.Helper()
	return a.run(a.Start, prompt, script)
}

// resume goes on with the last session.
func (a agent) resume(prompt string, script ...model.Step) *model.Server {
	a.room.t.Helper()
	return a.run(a.Resume, prompt, script)
}

func (a agent) run(how func(url, prompt string) (drive.Run, error), prompt string, script []model.Step) *model.Server {
	t := a.room.t
	t.Helper()
	m := model.Start(t, script...)
	done, err := how(m.URL, prompt)
	if err != nil {
		t.Fatalf("%s cannot be started: %v", a.Name, err)
	}
	turns := len(m.Seen())
	t.Logf("%s %s: %q took %s, %d turns", a.Name, a.Version, prompt, done.Took.Round(time.Millisecond), turns)
	if done.Code != 0 || turns == 0 {
		t.Fatalf("%s ended with %d after %d turns; the model refused %q\n%s", a.Name, done.Code, turns, m.Failures(), done.Output)
	}
	return m
}

// acc is the turn in which the model calls a tool of acc.
func (a agent) acc(tool string, args map[string]any) []model.Block { return use(a.Acc(tool, args)) }

func use(c drive.Call) []model.Block { return model.Use(model.Call(c)) }

func done() model.Step { return model.Reply(model.Say("done")) }
