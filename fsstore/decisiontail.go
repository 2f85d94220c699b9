package fsstore

import (
	"bytes"
	"slices"
	"strings"

	"acc/schema"
)

// Whether a decision was replaced is asked of open mail, by every command and
// every hook, and open mail is young. So the index of decisions is read from
// its end, and only back to the decision that is asked for: what changes it
// stands behind it. That holds for decisions that came with the code, too; see
// relink.

// decisionTail is the end of the index, as far back as it was needed.
type decisionTail struct {
	from, end int64
	seen      map[string]bool // decisions with a line in it
	replaced  map[string]bool // decisions that a line in it changes
}

// tailChunk is how much of the index is read at a time. It holds many lines.
const tailChunk = 64 << 10

// DecisionReplaced reports whether a decision has a successor: another one
// that replaces or withdraws it. It costs no more than the decisions that are
// younger than it.
func (v *View) DecisionReplaced(id string) (bool, error) {
	g := &v.store.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.links == nil && g.tail.reach(v, id) {
		return g.tail.replaced[id], nil
	}
	if err := g.refresh(v); err != nil {
		return false, err
	}
	return !g.isHead(id), nil
}

// reach reads back to the line of a decision, or to the beginning. It is false
// where the index is not as it should be, which the whole graph then explains.
func (t *decisionTail) reach(v *View, id string) bool {
	end := v.head.State.GraphEnd
	if end < t.end || t.seen == nil {
		*t = decisionTail{from: end, end: end, seen: map[string]bool{}, replaced: map[string]bool{}}
	}
	if end > t.end {
		if _, ok := t.read(v, t.end, end); !ok {
			return false
		}
		t.end = end
	}
	for !t.seen[id] && t.from > 0 {
		from, ok := t.read(v, max(0, t.from-tailChunk), t.from)
		if !ok {
			return false
		}
		t.from = from
	}
	return true
}

// read takes in the lines between two places of the index. A line that began
// before is left out; begin is where the first one that is in starts.
func (t *decisionTail) read(v *View, off, end int64) (begin int64, ok bool) {
	data, err := v.readLog(decisionsLog, off, int(end-off))
	if err != nil || int64(len(data)) != end-off || !bytes.HasSuffix(data, []byte("\n")) {
		return 0, false
	}
	if off > 0 && off < t.from {
		cut := bytes.IndexByte(data, '\n') + 1
		if cut == len(data) {
			return 0, false
		}
		data, off = data[cut:], off+int64(cut)
	}
	for line := range strings.Lines(string(data)) {
		link, ok := plainLink(line)
		if !ok {
			return 0, false
		}
		t.add(link)
	}
	return off, true
}

func (t *decisionTail) add(link schema.DecisionLink) {
	t.seen[link.MessageID] = true
	for _, id := range link.MessageIDs {
		t.replaced[id] = true
	}
}

// relink writes the lines of decisions once more that change one and came
// before it, so that they stand behind it.
func (tx *Tx) relink(id string) error {
	successors, err := tx.DecisionSuccessors(id)
	if err != nil {
		return err
	}
	g := &tx.store.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	var links []schema.DecisionLink
	for _, s := range successors {
		links = append(links, g.links[s])
	}
	for _, m := range tx.imported {
		if c := m.DecisionChange; c != nil && slices.Contains(c.MessageIDs, id) {
			links = append(links, *linkOf(m))
		}
	}
	for i := range links {
		if err := tx.addLink(&links[i]); err != nil {
			return err
		}
	}
	return nil
}
