package fsstore

import "acc/schema"

// Holding is the receipt of a message at one recipient, by its name alone.
type Holding struct {
	Participant string
	MessageID   string
	Open        *InboxEntry // nil once it is settled
}

func (h Holding) name() string {
	if h.Open != nil {
		return h.Open.name(h.Participant)
	}
	return receiptName(h.Participant, h.MessageID)
}

// Holdings lists every receipt there is by message, those of unknown
// participants too. It opens no file.
func (v *View) Holdings() (map[string][]Holding, error) {
	held := map[string][]Holding{}
	add := func(h Holding) { held[h.MessageID] = append(held[h.MessageID], h) }
	err := v.eachOwner(inboxDir, func(owner string) error {
		open, err := v.Inbox(owner)
		for i, e := range open {
			add(Holding{owner, e.MessageID, &open[i]})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return held, v.eachOwner(receiptsDir, func(owner string) error {
		names, err := v.names(receiptFolder(owner), parsesAs(schema.IDMessage))
		for _, base := range names {
			id, _ := parseID(schema.IDMessage, base)
			add(Holding{owner, id, nil})
		}
		return err
	})
}

// eachOwner calls fn for the directories that belong to a participant.
func (v *View) eachOwner(dir string, fn func(owner string) error) error {
	entries, err := v.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || !schema.ValidParticipantID(e.Name()) {
			continue
		}
		if err := fn(e.Name()); err != nil {
			return err
		}
	}
	return nil
}
