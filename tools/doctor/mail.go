package doctor

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// mail holds receipts and messages against each other.
func (e *examination) mail() {
	strangers := map[string]int{}
	for _, item := range e.items {
		if r, ok := item.Record.(*schema.Receipt); ok {
			e.receipt(item, r, strangers)
		}
	}
	for _, who := range slices.Sorted(maps.Keys(strangers)) {
		e.report.add(Warning, inRoom("inbox/"+who), some(strangers[who], "open receipt")+" of "+who+", who is not known here",
			"acc attach --participant "+who+" makes it known, or move the folder away")
	}
	for _, id := range slices.Sorted(maps.Keys(e.messages)) {
		e.addressees(id, e.messages[id])
	}
	e.report.ok("%s", some(len(e.messages), "message"))
}

func (e *examination) receipt(item fsstore.Item, r *schema.Receipt, strangers map[string]int) {
	m := e.messages[r.MessageID]
	open := strings.HasPrefix(item.Name, "inbox/")
	if !e.participants[r.RecipientParticipantID] && open {
		strangers[r.RecipientParticipantID]++
	}
	switch {
	case m == nil && e.bad > 0:
		e.report.add(Note, inRoom(item.Name), "the receipt of a message that is missing or damaged", "restore the message")
		return
	case m == nil:
		e.report.add(Warning, inRoom(item.Name), "the receipt of a message that is not there", "restore the message, or move the receipt away")
		return
	case m.receipts[r.RecipientParticipantID]:
		e.report.add(Warning, inRoom(item.Name), "a second receipt of the same message for the same recipient", "move the one that says less away")
	case open && !fitsName(path.Base(item.Name), m):
		e.report.add(Warning, inRoom(item.Name), "its name says another kind or obligation than the message", "move it away and ask its author to send it again")
	case !open && r.State.Pending(m.obligation):
		e.report.add(Warning, inRoom(item.Name), "it lies among the settled receipts, and something is still owed", "move it away and ask its author to send it again")
	case len(m.to) > 0 && !slices.Contains(m.to, r.RecipientParticipantID) && m.kind != schema.Decision:
		e.report.add(Warning, inRoom(item.Name), "the message is not addressed to "+r.RecipientParticipantID, "move the receipt away")
	}
	m.receipts[r.RecipientParticipantID] = true
}

// fitsName compares the name of an open receipt with its message.
func fitsName(base string, m *letter) bool {
	part := strings.Split(base, ".")
	return len(part) == 5 && part[1] == string(m.kind) && part[2] == string(m.obligation)
}

// addressees looks for recipients of a message that will never hear of it.
func (e *examination) addressees(id string, m *letter) {
	for _, to := range m.to {
		if m.own && e.participants[to] && !m.receipts[to] {
			e.report.add(Warning, "", "message "+id+" is addressed to "+to+", and there is no receipt of it", "ask "+m.from+" to send it again")
		}
	}
}

// index holds what is derived against what it is derived from.
func (e *examination) index() {
	stale := e.staleKeys()
	for id, missing := range e.unlinked() {
		if missing {
			stale = append(stale, "decision "+id)
		}
	}
	if len(stale) > 0 {
		slices.Sort(stale)
		e.report.add(Warning, inRoom("index"), fmt.Sprintf("%d of its entries missing or wrong, the first %s", len(stale), stale[0]), byRepair).mendable()
		return
	}
	e.report.ok("the index is complete")
}

// staleKeys are keys that name no message of theirs, and messages that are
// filed under no key.
func (e *examination) staleKeys() (stale []string) {
	filed := map[string]bool{}
	for _, item := range e.keys {
		k := item.Record.(*schema.Key)
		m := e.messages[k.MessageID]
		if m == nil || m.key != k.ClientMessageID || path.Base(path.Dir(item.Name)) != m.from {
			if e.bad == 0 {
				stale = append(stale, "key of "+k.MessageID)
			}
			continue
		}
		filed[k.MessageID] = true
	}
	for id, m := range e.messages {
		if m.own && m.key != fsstore.GeneratedKey(id) && !filed[id] {
			stale = append(stale, "message "+id)
		}
	}
	return stale
}

// unlinked tells for each decision whether the index lacks it.
func (e *examination) unlinked() map[string]bool {
	missing := map[string]bool{}
	for id, m := range e.messages {
		if m.kind == schema.Decision {
			missing[id] = true
		}
	}
	links, _ := e.room.Links()
	for _, link := range links {
		delete(missing, link.MessageID)
	}
	return missing
}
