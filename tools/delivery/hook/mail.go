package hook

import (
	"context"
	"slices"

	"acc/schema"
	"acc/tools/coordination"
)

// mail fills a page with letters.
type mail struct {
	page  *page
	spare int      // bytes that letters leave for what comes after them
	whole int      // the longest letter that any page has room for
	named []string // ids of those that are longer, and named in place of it
	first string   // the id of the first that found no room on this page
}

func newMail(participant string, p *page) *mail {
	return &mail{page: p, spare: spareWaiting, whole: newPage(participant, turnHead).left - spareWaiting - 1}
}

// take is asked for one message after the other until the page is full.
func (m *mail) take(l coordination.Letter) (take, more bool) {
	id := l.Message.MessageID
	block := letter(&l.Message)
	switch {
	case len(block) > m.whole && m.page.add(named(&l.Message), m.spare):
		m.named = append(m.named, id)
		return false, true
	case len(block) <= m.whole && m.page.add(block, m.spare):
		return true, true
	}
	m.first = id
	return false, false
}

// onPage are the ids of all messages that a page shows or names.
func onPage(parcel *coordination.Parcel, m *mail) []string {
	ids := slices.Clone(m.named)
	for _, l := range parcel.Letters {
		ids = append(ids, l.Message.MessageID)
	}
	return ids
}

// with adds what is not there yet.
func with(ids, more []string) []string {
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// collect puts mail on the page, in the order in which it is offered. What is
// in skip is passed over.
func (c *call) collect(ctx context.Context, m *mail, policy schema.DeliveryPolicy, skip []string) (*coordination.Parcel, error) {
	parcel, err := c.Room.Collect(ctx, c.caller, coordination.Pick{
		Policy: policy, Take: m.take, Skip: func(id string) bool { return slices.Contains(skip, id) },
	})
	if err != nil {
		return nil, err
	}
	if n := parcel.Left - len(m.named); n > 0 && m.first != "" {
		m.page.add(waiting(n, m.first), 0)
	}
	return parcel, nil
}
