package coordination

import (
	"flag"
	"testing"
	"time"

	"acc/schema"

	"pgregory.net/rapid"
)

// TestModel plays random rooms against a model that was written from the
// contract: everything that a call answers and everything that anybody sees
// after it must be what the model says. More plays: -rapid.checks=1000; longer
// ones: -rapid.steps=200.
func TestModel(t *testing.T) {
	fewer(t, "rapid.checks", "60")
	fewer(t, "rapid.steps", "40")
	rapid.Check(t, func(rt *rapid.T) {
		p := newPlay(t, rt)
		defer p.end()
		rt.Repeat(p.actions())
	})
}

// fewer lowers a number of rapid's, unless it was asked for.
func fewer(t *testing.T, name, value string) {
	t.Helper()
	f, given := flag.Lookup(name), false
	flag.Visit(func(other *flag.Flag) { given = given || other == f })
	if given {
		return
	}
	was := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
}

// What a play is made of. Short lists let things meet.
var (
	someNames     = []string{"alice", "bob", "carol"}
	someReaders   = []string{"alice", "bob", "carol", "nobody"}
	someGround    = []string{"file:a", "file:a/**", "file:a/b", "file:ab", "file:**", "db:x", "db:x/**"}
	someKeys      = []string{"", "", "k1", "k2"}
	someLeases    = []int{0, 1, 60, 3600}
	someClocks    = []time.Duration{time.Second, time.Minute, 4 * time.Minute, time.Hour, 25 * time.Hour, -time.Second, -2 * time.Minute, -time.Hour}
	someKinds     = []schema.MessageKind{schema.Note, schema.Question, schema.Request, schema.Decision}
	someHistories = []args{{}, {"kind": "decision"}, {"kind": "decision", "current": true}, {"kind": "note"}}
)

func draw[T any](t *rapid.T, label string, from []T) T { return rapid.SampledFrom(from).Draw(t, label) }

func (p *play) who(t *rapid.T) *mProcess {
	if len(p.processes) == 0 {
		return p.start(draw(t, "who", someNames))
	}
	return draw(t, "process", p.processes)
}

// anyMail is a message of the room; without one the action does not apply.
func (p *play) anyMail(t *rapid.T) *mMail {
	if len(p.mail) == 0 {
		t.Skip("no mail")
	}
	return draw(t, "mail", p.mail)
}

// openMail is a process and a message in its inbox.
func (p *play) openMail(t *rapid.T) (*mProcess, *mMail) {
	process := p.who(t)
	open := p.inbox(process.who)
	if len(open) == 0 {
		t.Skip("no open mail")
	}
	return process, draw(t, "mail", open)
}

func (p *play) readers(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom(someReaders[:3]), 0, 2).Draw(t, "to")
}

func (p *play) decisions(t *rapid.T) []string {
	all := p.history("decision", false)
	if len(all) == 0 {
		t.Skip("no decision")
	}
	targets := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 2, func(d *mMail) string { return d.MessageID }).Draw(t, "targets")
	ids := []string{}
	for _, d := range targets {
		ids = append(ids, d.MessageID)
	}
	return ids
}

func (p *play) actions() map[string]func(*rapid.T) {
	all := map[string]func(*rapid.T){"": p.check}
	for _, some := range []map[string]func(*rapid.T){p.mailActions(), p.claimActions(), p.lifeActions(), p.readActions()} {
		for name, action := range some {
			all[name] = func(t *rapid.T) {
				p.t = t
				action(t)
			}
		}
	}
	return all
}

func (p *play) mailActions() map[string]func(*rapid.T) {
	send := func(t *rapid.T) {
		l := letter{
			to: p.readers(t), kind: draw(t, "kind", someKinds), subject: draw(t, "subject", []string{"s", "t"}), key: draw(t, "key", someKeys),
		}
		if l.kind == schema.Decision && rapid.Bool().Draw(t, "to acknowledge") {
			l.obligation = schema.OweAcknowledge
		}
		p.message(p.who(t), l)
	}
	return map[string]func(*rapid.T){
		"message": send, "message again": send,
		"stranger": func(t *rapid.T) { p.request(p.who(t), draw(t, "to", someReaders), "s", draw(t, "key", someKeys)) },
		"decide": func(t *rapid.T) {
			l := letter{to: p.readers(t), kind: schema.Decision, subject: "s", key: draw(t, "key", someKeys)}
			if targets := p.decisions(t); rapid.Bool().Draw(t, "withdraw") {
				l.withdraws = targets
			} else {
				l.supersedes = targets
			}
			p.message(p.who(t), l)
		},
		"wrong target": func(t *rapid.T) {
			p.message(p.who(t), letter{kind: schema.Decision, subject: "s", supersedes: []string{p.anyMail(t).MessageID}})
		},
		"reply":     func(t *rapid.T) { p.reply(p.who(t), p.anyMail(t), draw(t, "key", someKeys)) },
		"answer":    func(t *rapid.T) { process, mail := p.openMail(t); p.reply(process, mail, draw(t, "key", someKeys)) },
		"ack":       func(t *rapid.T) { p.ack(p.who(t), p.anyMail(t)) },
		"settle":    func(t *rapid.T) { process, mail := p.openMail(t); p.ack(process, mail) },
		"read":      func(t *rapid.T) { p.read(p.who(t), p.anyMail(t)) },
		"read open": func(t *rapid.T) { process, mail := p.openMail(t); p.read(process, mail) },
		"exact":     func(t *rapid.T) { p.exact(p.who(t), p.anyMail(t)) },
	}
}

func (p *play) claimActions() map[string]func(*rapid.T) {
	acquire := func(t *rapid.T) {
		ground := rapid.SliceOfNDistinct(rapid.SampledFrom(someGround), 1, 3, rapid.ID[string]).Draw(t, "ground")
		p.acquire(p.who(t), ground, draw(t, "mode", []string{"exclusive", "shared"}), draw(t, "reason", []string{"", "r"}), draw(t, "lease", someLeases))
	}
	claim := func(t *rapid.T) *mClaim {
		if len(p.claims) == 0 {
			t.Skip("no claim")
		}
		return draw(t, "claim", p.claims)
	}
	return map[string]func(*rapid.T){
		"acquire": acquire, "acquire again": acquire,
		"outlast":     func(t *rapid.T) { p.outlast(t, claim(t)) },
		"renew own":   func(t *rapid.T) { c := claim(t); p.renew(p.servedBy(t, c.owner.who), c, draw(t, "lease", someLeases)) },
		"renew":       func(t *rapid.T) { p.renew(p.who(t), claim(t), draw(t, "lease", someLeases)) },
		"release":     func(t *rapid.T) { p.release(p.who(t), []*mClaim{claim(t)}) },
		"release all": func(t *rapid.T) { p.releaseAll(p.who(t)) },
		"work": func(t *rapid.T) {
			hints := rapid.SliceOfNDistinct(rapid.SampledFrom(someGround), 0, 2, rapid.ID[string]).Draw(t, "hints")
			p.work(p.who(t), "s", draw(t, "state", []string{"active", "done"}), hints)
		},
		"clear": func(t *rapid.T) { p.clear(p.who(t)) },
	}
}

// servedBy is a process of a participant.
func (p *play) servedBy(t *rapid.T, who string) *mProcess {
	own := filter(p.processes, func(process *mProcess) bool { return process.who == who })
	if len(own) == 0 {
		t.Skip("nobody is there")
	}
	return draw(t, "process", own)
}

// outlast lets a lease run out, and somebody take its ground before, perhaps,
// the clock is set back.
func (p *play) outlast(t *rapid.T, c *mClaim) {
	if !p.live(c) {
		t.Skip("it is over")
	}
	p.pass(c.ExpiresAt.Sub(p.now))
	p.acquire(p.who(t), []string{string(c.Resource)}, "exclusive", "", 0)
	if rapid.Bool().Draw(t, "back") {
		p.pass(-time.Second)
	}
}

func (p *play) lifeActions() map[string]func(*rapid.T) {
	finish := func(t *rapid.T) {
		p.finish(p.who(t), draw(t, "to", append([]string{""}, someReaders...)), draw(t, "goal", []string{"s", "t"}), draw(t, "key", someKeys))
	}
	pass := func(t *rapid.T) { p.pass(draw(t, "clock", someClocks)) }
	return map[string]func(*rapid.T){
		"finish": finish, "pass": pass, "pass again": pass,
		"start": func(t *rapid.T) {
			if len(p.processes) > 4 {
				t.Skip("enough of them")
			}
			p.status(p.start(draw(t, "who", someNames)))
		},
		"stop":    func(t *rapid.T) { p.stop(p.who(t), rapid.Bool().Draw(t, "kill")) },
		"restart": func(t *rapid.T) { process := p.who(t); p.stop(process, false); p.start(process.who) },
		"rebuild": func(t *rapid.T) {
			if rapid.IntRange(0, 3).Draw(t, "seldom") > 0 {
				t.Skip("not now")
			}
			p.rebuild()
		},
	}
}

func (p *play) readActions() map[string]func(*rapid.T) {
	turn := func(t *rapid.T) {
		alive := filter(p.walks, func(w *pageWalk) bool { return w.process.alive })
		if len(alive) == 0 {
			t.Skip("nobody is on the way")
		}
		p.turn(draw(t, "walk", alive))
	}
	walk := func(w *pageWalk) {
		p.walks = append(p.walks, w)
		p.turn(w)
	}
	return map[string]func(*rapid.T){
		"status": func(t *rapid.T) { p.status(p.who(t)) },
		"sync":   func(t *rapid.T) { p.sync(p.who(t)) },
		"inbox": func(t *rapid.T) {
			walk(&pageWalk{process: p.who(t), tool: "acc_inbox", limit: rapid.IntRange(1, 3).Draw(t, "limit")})
		},
		"history": func(t *rapid.T) {
			f := args{"scope": "history"}
			for name, value := range draw(t, "filter", someHistories) {
				f[name] = value
			}
			walk(&pageWalk{process: p.who(t), tool: "acc_sync", filter: f, limit: rapid.IntRange(1, 3).Draw(t, "limit")})
		},
		"turn": turn, "turn again": turn,
	}
}
