package prune

import (
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// mail is every message, gathered so that what belongs together stays or goes
// together: the messages of a thread, and the decisions of a group.
type mail struct {
	st        *state
	known     map[string]bool // participants
	published map[string]bool
	handoffs  map[string]bool // of sessions that stay
	all       []schema.Message
	status    map[string]schema.DecisionStatus
	standing  map[string]bool // groups in which a decision stands
	damaged   int
}

func (m *mail) read() error {
	for _, ref := range m.st.refs {
		message, err := m.st.view.MessageByRef(ref)
		if err != nil {
			m.damaged++
			continue
		}
		m.all = append(m.all, message)
		if message.Kind != schema.Decision {
			continue
		}
		status, err := m.st.view.DecisionStatus(message.MessageID)
		if err != nil {
			return err
		}
		m.status[message.MessageID] = status
		if status.State != schema.DecisionWithdrawn {
			m.standing[status.GroupID] = true
		}
	}
	return nil
}

// bundle names what a message stays or goes with.
func (m *mail) bundle(message *schema.Message) string {
	if status, ok := m.status[message.ThreadID]; ok {
		return status.GroupID
	}
	return message.ThreadID
}

// settled picks the messages that may go, and counts those that stay although
// they are old.
func (m *mail) settled() (gone []schema.Message, kept Kept) {
	stays := map[string]bool{}
	for i := range m.all {
		if m.new(&m.all[i]) || m.reason(&m.all[i], &Kept{}) != nil {
			stays[m.bundle(&m.all[i])] = true
		}
	}
	kept.Damaged = m.damaged
	for i := range m.all {
		message := &m.all[i]
		switch {
		case !stays[m.bundle(message)]:
			gone = append(gone, *message)
		case m.new(message):
		default:
			count := m.reason(message, &kept)
			if count == nil {
				count = &kept.Threads
			}
			*count++
		}
	}
	return gone, kept
}

// new reports whether a message came with an event that stays. Its time counts
// too: an event may be damaged.
func (m *mail) new(message *schema.Message) bool {
	since := m.st.since
	return m.st.recent[message.MessageID] || !since.IsZero() && message.WorkspaceID == m.st.view.Workspace().WorkspaceID &&
		message.SentAt.After(since.Time)
}

// reason is the count of kept that a message stays for, nil when nothing keeps
// it.
func (m *mail) reason(message *schema.Message, kept *Kept) *int {
	switch {
	case m.owed(message):
		return &kept.Owed
	case m.standing[m.status[message.MessageID].GroupID]:
		return &kept.Decisions
	case m.published[message.MessageID]:
		return &kept.Published
	case m.handoffs[message.MessageID]:
		return &kept.Sessions
	}
	return nil
}

// owed reports whether a known recipient has still to read or to answer a
// message. One that was replaced is owed to nobody. A receipt that is lost
// counts as open: nobody knows that it was settled.
func (m *mail) owed(message *schema.Message) bool {
	if status, isDecision := m.status[message.MessageID]; isDecision && !status.IsHead {
		return false
	}
	holdings := m.st.holdings[message.MessageID]
	for _, h := range holdings {
		if h.Open != nil && m.known[h.Participant] {
			return true
		}
	}
	for _, to := range message.ToParticipantIDs {
		held := slices.ContainsFunc(holdings, func(h fsstore.Holding) bool { return h.Participant == to })
		if m.known[to] && !held {
			return true
		}
	}
	return false
}
