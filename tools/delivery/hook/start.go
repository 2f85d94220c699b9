package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

const startHead = "Your session starts here. acc_status says more of what follows.\n"

// start attaches or resumes the client's session, and tells it what there is
// to know: who else is here, what others hold, what waits, what was left.
func (c *call) start(ctx context.Context) error {
	if err := c.begin(ctx); err != nil || c.Policy == schema.DeliverNothing || !c.tested.Capabilities.Context.Startup {
		return err
	}
	b, err := c.Room.Brief(ctx, c.caller)
	if err != nil {
		return err
	}
	p := newPage(c.Participant, startHead)
	if !b.Solo {
		for _, block := range []string{people(b), claims(b, c.Now)} {
			if block != "" {
				p.add(block, spareMail)
			}
		}
	}
	changed := handoffs(p, &b)
	m := newMail(c.Participant, p)
	m.spare += len(attention(b, nil)) // it only gets shorter
	parcel, err := c.collect(ctx, m, c.Policy, c.remembered(b.Shown))
	if err != nil {
		return err
	}
	defer parcel.Close()
	if left := attention(b, onPage(parcel, m)); left != "" {
		p.add(left, 0)
	}
	b.Shown.Named = with(b.Shown.Named, m.named)
	return c.show(ctx, parcel, client.Answer{Context: p.text()}, b.Shown, changed || len(m.named) > 0)
}

// begin attaches or resumes the session. A client that has only compacted what
// its model knows goes on as before.
func (c *call) begin(ctx context.Context) error {
	if c.Input.Source == client.SourceCompact {
		return c.alive(ctx)
	}
	v, err := c.Room.Begin(ctx, c.caller, c.Input.Source == client.SourceClear)
	if err != nil {
		return err
	}
	return c.bind(ctx, v)
}

// remembered is mail that the model has been told of and still knows of.
func (c *call) remembered(shown schema.Shown) []string {
	if c.Input.Source == client.SourceResume {
		return shown.Named
	}
	return nil
}

// handoffs puts the new handoffs to the room on the page, newest first, and
// reports whether there are any.
func handoffs(p *page, b *coordination.Brief) bool {
	for i := range b.Handoffs {
		m := &b.Handoffs[i]
		if block := letter(m); !p.add(block, spareMail) {
			p.add(fmt.Sprintf("A handoff from %s did not fit here. Read it with acc show %s\n", m.FromParticipantID, m.MessageID), spareMail)
		}
		b.Shown.Handoff = max(b.Shown.Handoff, m.MessageID)
	}
	return len(b.Handoffs) > 0
}

// spareMail is what handoffs leave for mail, which can also come with the
// first turn.
const spareMail = 400

// maxRows is how many people, claims and pieces of attention a page lists.
const maxRows = 8

// people says who else is here.
func people(b coordination.Brief) string {
	return rows("Others here:", b.Others, func(p coordination.ParticipantRow) string {
		text := fmt.Sprintf("%s (%s)", p.ParticipantID, p.Presence)
		if p.Branch != "" {
			text += " on branch " + words(p.Branch, 60)
		}
		if p.Intent != nil {
			text += ", at work on " + words(*p.Intent, 160)
		}
		return text
	})
}

// claims says what others hold.
func claims(b coordination.Brief, now time.Time) string {
	return rows("Held by others:", b.Claims, func(c coordination.ClaimRow) string {
		return fmt.Sprintf("%s by %s (%s, %s), %s",
			line(string(c.Resource), 160), c.OwnerParticipantID, c.Mode, c.Enforcement, tools.Left(c.ExpiresAt.Sub(now)))
	})
}

// attention is what waits for the caller beside the mail that is on the page.
func attention(b coordination.Brief, shown []string) string {
	if b.Solo {
		return ""
	}
	left := slices.DeleteFunc(slices.Clone(b.Attention), func(a coordination.Attention) bool {
		return slices.Contains(shown, a.SourceID)
	})
	return rows("Waiting for you:", left, func(a coordination.Attention) string { return line(a.Summary, 300) })
}

// rows lists at most maxRows things under a title, one a line; "" for none.
func rows[T any](title string, list []T, text func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title + "\n")
	for i, v := range list {
		if i == maxRows {
			fmt.Fprintf(&b, "- and %d more; acc_status has all\n", len(list)-i)
			break
		}
		b.WriteString("- " + text(v) + "\n")
	}
	return b.String()
}
