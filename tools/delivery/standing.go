package delivery

import (
	"fmt"
	"strings"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// standing says in a sentence what the adapter does now, and what to do about
// it where somebody has to.
func (a *Adapter) standing(s coordination.Standing) string {
	switch s.Post {
	case coordination.Serves:
		return fmt.Sprintf("serving %s (%s) with %s; policy %s", s.ParticipantID, s.SessionID, a.cfg.Transport.Label(), policy(s))
	case coordination.Waits:
		if len(s.Known) > 0 {
			return stranger(s.ParticipantID, s.Known)
		}
		return s.ParticipantID + " has no open session; waiting for one."
	case coordination.Taken:
		return fmt.Sprintf("another adapter serves %s (%s); waiting to take over.", s.ParticipantID, s.SessionID)
	case coordination.Ambiguous:
		return fmt.Sprintf("%s has several sessions that could take the mail, and nothing is offered: %s. Name one with --session and --generation, or --as.",
			s.ParticipantID, strings.Join(s.Sessions, ", "))
	}
	return "the session of " + s.ParticipantID + " has ended, and the adapter ends with it."
}

// stranger says that nobody has that name, and which ones there are.
func stranger(name string, known []string) string {
	hint := ""
	if meant := tools.CloseName(name, known); meant != "" {
		hint = fmt.Sprintf(" Did you mean %q?", meant)
	}
	const most = 20 // keeps the line short in a room of many
	return fmt.Sprintf("nobody here is named %q.%s Known: %s. Waiting for %s to come.",
		name, hint, strings.Join(known[:min(len(known), most)], ", "), name)
}

// policy says what the recipient lets through, and how to change that.
func policy(s coordination.Standing) string {
	change := func(to schema.DeliveryPolicy) string {
		return fmt.Sprintf(" To change that: acc deliver policy %s --participant %s", to, s.ParticipantID)
	}
	switch s.Policy {
	case schema.DeliverActionable:
		return "actionable: mail that asks for an answer or an acknowledgement." + change(schema.DeliverAll)
	case schema.DeliverAll:
		return "all: every message." + change(schema.DeliverNothing)
	}
	return "off: nothing is handed over." + change(schema.DeliverActionable)
}
