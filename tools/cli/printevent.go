package cli

import (
	"fmt"

	"acc/schema"
	"acc/tools/coordination"
)

// state is the room in short, before what happens in it.
func (p *printer) state(look coordination.Look) {
	s := look.Status
	if s.WorkspaceID == nil {
		p.line("There is no room in %s yet; waiting for one.", visible(s.Root))
		return
	}
	p.line("%s, after event %s", p.paint(bold, visible(s.Root)), look.Cursor)
	p.participants(s.Participants)
	if len(s.Claims) > 0 {
		p.claims(s.Claims)
	}
}

// event is one event on a line.
func (p *printer) event(h coordination.Happening) {
	p.line("%s  %s", p.when(h.OccurredAt.Time), p.words(h))
}

// words say what happened.
func (p *printer) words(h coordination.Happening) string {
	who := h.ParticipantID
	if who == "" {
		who = h.SessionID
	}
	switch {
	case h.Payload.ClaimID != "":
		return p.claimEvent(who, h)
	case h.Message != nil && h.Type != schema.EventSessionClosed:
		return p.mailEvent(who, h)
	}
	return p.peopleEvent(who, h)
}

func (p *printer) peopleEvent(who string, h coordination.Happening) string {
	switch h.Type {
	case schema.EventParticipantJoined:
		return who + " joined the room"
	case schema.EventSessionOpened:
		if s := h.Session; s != nil && s.Branch != "" {
			return fmt.Sprintf("%s is here (%s on %s)", who, visible(s.Harness), visible(s.Branch))
		}
		return who + " is here"
	case schema.EventSessionClosed:
		if h.Payload.MessageID != "" {
			return who + " left, with handoff " + p.paint(dim, h.Payload.MessageID)
		}
		return who + " left"
	case schema.EventIntentSet:
		if h.Intent != nil {
			return fmt.Sprintf("%s: %s (%s, %s)", who, visible(h.Intent.Summary), h.Intent.Mode, h.Intent.State)
		}
		return who + " announced work"
	case schema.EventIntentCleared:
		return who + " took its intent back"
	}
	return fmt.Sprintf("%s: %s %s", who, h.Type, payloadWords(h.Payload))
}

func (p *printer) claimEvent(who string, h coordination.Happening) string {
	ground, holder, why := p.paint(dim, h.Payload.ClaimID), "its holder", ""
	if c := h.Claim; c != nil {
		ground, holder, why = p.paint(bold, visible(string(c.Resource))), c.OwnerParticipantID, because(text(c.Reason))
	}
	switch h.Type {
	case schema.EventClaimAcquired:
		return fmt.Sprintf("%s claimed %s%s%s", who, ground, p.lease(h.Claim), why)
	case schema.EventClaimRenewed:
		return fmt.Sprintf("%s renewed %s%s", who, ground, p.lease(h.Claim))
	case schema.EventClaimReleased:
		return fmt.Sprintf("%s released %s", who, ground)
	case schema.EventClaimExpired:
		return fmt.Sprintf("the lease of %s on %s ended", holder, ground)
	case schema.EventClaimForced:
		if f := h.Forced; f != nil {
			ground, holder, why = p.paint(bold, visible(string(f.Resource))), f.OwnerParticipantID, because(f.Reason)
		}
		return fmt.Sprintf("%s took %s from %s%s", who, ground, holder, why)
	}
	return fmt.Sprintf("%s: %s %s", who, h.Type, ground)
}

func (p *printer) lease(c *schema.Claim) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(" (%s, until %s)", c.Mode, p.when(c.ExpiresAt.Time))
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + visible(reason)
}

func (p *printer) mailEvent(who string, h coordination.Happening) string {
	m := h.Message
	subject, id := p.paint(bold, visible(m.Subject)), p.paint(dim, m.MessageID)
	switch h.Type {
	case schema.EventMessageSent:
		return fmt.Sprintf("%s  %s  %s  %s", p.route(*m), m.Kind, subject, id)
	case schema.EventReceiptOffered, schema.EventReceiptRetrieved, schema.EventReceiptAcked:
		if h.Payload.ParticipantID != "" {
			who = h.Payload.ParticipantID
		}
		return fmt.Sprintf("%s: %s of %s is %s  %s", who, m.Kind, m.FromParticipantID, h.Payload.State, id)
	}
	what := string(h.Type)
	if h.Type == schema.EventMessageImported {
		what = "came with the code"
	}
	return fmt.Sprintf("%s: %s  %s  %s  %s", what, p.route(*m), m.Kind, subject, id)
}
