package hook

import (
	"fmt"
	"strings"

	"acc/schema"
)

// letter is one message in full. Its head line is ours; what its sender wrote
// follows behind marks.
func letter(m *schema.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s from %s to %s%s\n", m.Kind, m.MessageID, m.FromParticipantID, audience(m), asks(m))
	if m.InReplyTo != nil {
		fmt.Fprintf(&b, "In answer to %s\n", *m.InReplyTo)
	}
	if c := m.DecisionChange; c != nil {
		fmt.Fprintf(&b, "It %ss %s\n", c.Action, strings.Join(c.MessageIDs, ", "))
	}
	if m.Subject != m.Body { // of a handoff, the goal is both
		b.WriteString("Subject: " + words(m.Subject, Budget) + "\n")
	}
	b.WriteString(quoted(m.Body))
	if m.Handoff != nil {
		note(&b, m.Handoff)
	}
	if len(m.Artifacts) > 0 {
		items(&b, "Artifacts", m.Artifacts)
	}
	return b.String()
}

// note is what a finished session left, beside the words of the message.
func note(b *strings.Builder, h *schema.HandoffNote) {
	fmt.Fprintf(b, "Status: %s\n", h.Status)
	items(b, "Completed", h.Completed)
	items(b, "Remaining", h.Remaining)
	items(b, "Blockers", h.Blockers)
	items(b, "Verification", h.Verification)
	if g := h.Git; g != nil {
		b.WriteString("Code:")
		if g.Branch != "" {
			b.WriteString(" branch " + words(g.Branch, 200))
		}
		if g.Commit != "" {
			b.WriteString(" commit " + g.Commit)
		}
		if g.Dirty {
			b.WriteString(", with changes that were not committed")
		}
		b.WriteString("\n")
	}
}

func items(b *strings.Builder, name string, list []string) {
	if len(list) == 0 {
		return
	}
	b.WriteString(name + ":\n")
	for _, item := range list {
		b.WriteString(quoted("- " + item))
	}
}

// audience is whom a message was sent to; its reader is one of them.
func audience(m *schema.Message) string {
	switch n := len(m.ToParticipantIDs); n {
	case 0:
		return "the room"
	case 1:
		return "you"
	default:
		return fmt.Sprintf("you and %d more", n-1)
	}
}

// asks says what a message asks of its reader, and the tool that does it.
func asks(m *schema.Message) string {
	switch m.Obligation {
	case schema.OweReply:
		return fmt.Sprintf(`: you owe a reply. Answer with acc_reply {"messageId":"%s","body":"…"}`, m.MessageID)
	case schema.OweAcknowledge:
		return fmt.Sprintf(`: you owe an acknowledgement. Give it with acc_ack {"messageId":"%s"}`, m.MessageID)
	}
	return ": nothing is owed"
}

// named stands for a message that is too long for any page.
func named(m *schema.Message) string {
	owed := ""
	if m.Obligation != schema.OweNothing {
		owed = ", which asks for an answer,"
	}
	return fmt.Sprintf("A %s from %s%s is too long to be shown here. Read it with acc_inbox {\"messageId\":\"%s\"}\n",
		m.Kind, m.FromParticipantID, owed, m.MessageID)
}

// waiting says what did not find room, and how to see it now.
func waiting(n int, first string) string {
	if first == "" {
		return fmt.Sprintf("%d more wait in acc_inbox.\n", n)
	}
	return fmt.Sprintf("%d more wait for your next turns. The first of them is read with acc_inbox {\"messageId\":\"%s\"}\n", n, first)
}

// spareWaiting is room for that line.
const spareWaiting = 160
