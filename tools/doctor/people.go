package doctor

import (
	"maps"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// clients says which programs act in the room.
func (e *examination) clients() {
	open := map[string]int{}
	for _, s := range e.sessions {
		if s.State == schema.SessionOpen {
			open[schema.Visible(s.Harness, 60)]++
		}
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(open)) {
		all = append(all, some(open[name], "session")+" of "+name)
	}
	if len(all) > 0 {
		e.report.ok("open: %s", strings.Join(all, ", "))
	}
}

// twins reports participants whose names differ in letter case only. The room
// makes none; where they come from, a file system that folds case mixes them.
func (e *examination) twins() {
	first := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(e.participants)) {
		folded := strings.ToLower(id)
		if other, twin := first[folded]; twin {
			e.report.add(Warning, inRoom("participants/"+id+".json"), "it differs from "+other+" in letter case only",
				"configure one of the two clients with another id")
			continue
		}
		first[folded] = id
	}
}

// people holds sessions, intents and signs of life against each other.
func (e *examination) people() {
	e.clients()
	e.twins()
	for _, id := range slices.Sorted(maps.Keys(e.sessions)) {
		s := e.sessions[id]
		if !e.participants[s.ParticipantID] {
			e.report.add(Warning, inRoom("sessions/"+s.SessionID+".json"), "its participant "+s.ParticipantID+" is not known",
				"attach as "+s.ParticipantID+" again; mail to it is refused until then")
		}
	}
	dead, live, cut := 0, 0, 0
	for _, item := range e.items {
		switch record := item.Record.(type) {
		case *schema.Intent:
			if s := e.sessions[record.SessionID]; s == nil || s.State != schema.SessionOpen {
				e.report.add(Note, inRoom(item.Name), "the intent of a session that is over", "acc prune --apply removes it")
			}
		case *schema.Presence:
			if e.over(record.SessionID) || e.cfg.Env.DeadSign(record) {
				dead++
			}
		case *schema.Binding:
			if e.over(record.SessionID) || e.cfg.Env.DeadAdapter(record) {
				cut++
			} else if record.LeaseUntil.After(e.now) {
				live++
			}
		}
	}
	if live > 0 {
		e.report.ok("%s", some(live, "live adapter"))
	}
	if cut > 0 {
		e.report.add(Note, inRoom("run/bindings"), some(cut, "adapter")+" that died, or led to a session that is over", byRepair).mendable()
	}
	if dead > 0 {
		e.report.add(Note, inRoom("presence"), some(dead, "sign")+" of life of processes that are gone", byRepair).mendable()
	}
}

func (e *examination) over(sessionID string) bool {
	s := e.sessions[sessionID]
	return s == nil || s.State != schema.SessionOpen
}

// claims reports live claims behind which nobody is any more.
func (e *examination) claims() {
	signs := map[string][]*schema.Presence{}
	for _, item := range e.items {
		if sign, ok := item.Record.(*schema.Presence); ok {
			signs[sign.SessionID] = append(signs[sign.SessionID], sign)
		}
	}
	live, past := 0, 0
	for _, item := range e.items {
		c, ok := item.Record.(*schema.Claim)
		switch {
		case !ok:
		case !c.LiveAt(e.now):
			past++
		default:
			live++
			e.holder(item, c, signs[c.OwnerSessionID])
		}
	}
	if past > 0 {
		e.report.add(Note, inRoom("claims"), some(past, "claim")+" past the lease", "acc prune --apply removes them; they are in nobody's way")
	}
	e.report.ok("%s live", some(live, "claim"))
}

func (e *examination) holder(item fsstore.Item, c *schema.Claim, signs []*schema.Presence) {
	free := "it ends by itself at " + c.ExpiresAt.String() + "; a person can end it with acc release " + c.ClaimID +
		" --authority human --reason TEXT"
	switch {
	case e.over(c.OwnerSessionID):
		e.report.add(Warning, inRoom(item.Name), "it belongs to a session that is over", free)
	case e.gone(signs):
		e.report.add(Note, inRoom(item.Name), c.OwnerParticipantID+" holds "+schema.Visible(string(c.Resource), 200)+
			" and its process is gone", free)
	}
}

// gone reports whether all that is known of a session is that its processes
// are dead.
func (e *examination) gone(signs []*schema.Presence) bool {
	for _, s := range signs {
		if !e.cfg.Env.DeadSign(s) {
			return false
		}
	}
	return len(signs) > 0
}
