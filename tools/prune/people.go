package prune

import (
	"acc/fsstore"
	"acc/schema"
)

// mail plans which messages go, and then which participants nothing refers to
// any more. Messages are read only where one of the two depends on them.
func (p *plan) mail(w fsstore.Workspace, gone map[string]bool) error {
	candidates := p.unused(gone)
	if p.st.before == 0 && len(candidates) == 0 {
		return nil
	}
	m := &mail{st: p.st, known: map[string]bool{}, published: w.Published(), handoffs: map[string]bool{},
		status: map[string]schema.DecisionStatus{}, standing: map[string]bool{}}
	for _, one := range p.st.participants {
		m.known[one.ParticipantID] = true
	}
	for id, s := range p.st.sessions {
		if s.HandoffID != nil && !gone[id] {
			m.handoffs[*s.HandoffID] = true
		}
	}
	waiting, err := p.st.store.Unpublished()
	if err != nil {
		return err
	}
	for _, one := range waiting {
		m.published[one.MessageID] = true
	}
	if err := m.read(); err != nil {
		return err
	}
	removed := map[string]bool{}
	if p.st.before > 0 {
		var settled []schema.Message
		settled, p.kept = m.settled()
		for _, message := range settled {
			removed[message.MessageID] = true
			p.mails = append(p.mails, p.dropMessage(message))
		}
	}
	p.dropUnused(candidates, m, removed)
	return nil
}

func (p *plan) dropMessage(message schema.Message) step {
	receipts := p.st.holdings[message.MessageID]
	return step{aMessage, message.MessageID, func(tx *fsstore.Tx) error {
		tx.DeleteMessage(&message, receipts)
		return nil
	}}
}

// unused are the participants without a session or a claim that stays.
func (p *plan) unused(gone map[string]bool) []schema.Participant {
	used := map[string]bool{}
	for id, s := range p.st.sessions {
		used[s.ParticipantID] = used[s.ParticipantID] || !gone[id]
	}
	for _, c := range p.st.claims {
		used[c.OwnerParticipantID] = used[c.OwnerParticipantID] || c.LiveAt(p.st.now.Time)
	}
	var candidates []schema.Participant
	for _, one := range p.st.participants {
		if !used[one.ParticipantID] && p.old(one.CreatedAt.Time) {
			candidates = append(candidates, one)
		}
	}
	return candidates
}

// dropUnused plans the end of the participants that no message that stays
// names, and that hold no receipt. A damaged message might name anybody.
func (p *plan) dropUnused(candidates []schema.Participant, m *mail, removed map[string]bool) {
	if m.damaged > 0 {
		return
	}
	used := map[string]bool{}
	for i := range m.all {
		if message := &m.all[i]; !removed[message.MessageID] {
			used[message.FromParticipantID] = true
			for _, to := range message.ToParticipantIDs {
				used[to] = true
			}
		}
	}
	for id, holdings := range p.st.holdings {
		for _, h := range holdings {
			used[h.Participant] = used[h.Participant] || !removed[id]
		}
	}
	for _, one := range candidates {
		if id := one.ParticipantID; !used[id] {
			p.people = append(p.people, step{aParticipant, id, func(tx *fsstore.Tx) error {
				tx.DeleteParticipant(id)
				return nil
			}})
		}
	}
}
