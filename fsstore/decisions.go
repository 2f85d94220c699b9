package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"acc/schema"
)

// decisionGraph is the in-memory form of index/decisions.jsonl: which decision
// replaces or withdraws which. The log only grows, so a process reads each
// line once. All walks are iterative: a chain may be thousands long, and a
// room that was edited by hand may even hold a ring.
type decisionGraph struct {
	mu    sync.Mutex
	read  int64
	links map[string]schema.DecisionLink
	// successors may be known before the decision that they change is: one
	// that came with the code is read in the order in which it came.
	successors map[string][]string
	group      map[string]*group // by any member; emptied when the graph grows
	tail       decisionTail      // what is read while nothing needs the whole
}

type group struct {
	heads    []string
	id       string
	standing bool // some head is a position, not a withdrawal
}

// DecisionStatus derives where a decision stands in its group.
func (v *View) DecisionStatus(id string) (schema.DecisionStatus, error) {
	g := &v.store.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.refresh(v); err != nil {
		return schema.DecisionStatus{}, err
	}
	if _, ok := g.links[id]; !ok {
		// Not in the index: a decision nobody linked to anything.
		return schema.DecisionStatus{State: schema.DecisionCurrent, IsHead: true, HeadCount: 1, CurrentMessageID: &id, GroupID: id}, nil
	}
	return g.status(id), nil
}

// DecisionSuccessors are the decisions that replace or withdraw one, in the
// order in which the room learned of them.
func (v *View) DecisionSuccessors(id string) ([]string, error) {
	g := &v.store.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.refresh(v); err != nil {
		return nil, err
	}
	return slices.Clone(g.successors[id]), nil
}

func (g *decisionGraph) status(id string) schema.DecisionStatus {
	grp := g.groupOf(id)
	st := schema.DecisionStatus{
		State: schema.DecisionCurrent, IsHead: g.isHead(id),
		Conflicted: len(grp.heads) > 1, HeadCount: len(grp.heads), GroupID: grp.id,
	}
	switch {
	case st.IsHead && g.links[id].Action == schema.Withdraw:
		st.State = schema.DecisionWithdrawn
	case !st.IsHead && grp.standing:
		st.State = schema.DecisionSuperseded
	case !st.IsHead:
		st.State = schema.DecisionWithdrawn
	}
	if len(grp.heads) == 1 {
		head := grp.heads[0]
		st.CurrentMessageID = &head
	}
	return st
}

func (g *decisionGraph) isHead(id string) bool { return len(g.successors[id]) == 0 }

// groupOf walks everything that is linked to a decision, in either direction.
func (g *decisionGraph) groupOf(id string) *group {
	if grp, ok := g.group[id]; ok {
		return grp
	}
	grp := &group{}
	members := g.linked(id)
	var roots []string
	for _, at := range members {
		g.group[at] = grp
		if g.isHead(at) {
			grp.heads = append(grp.heads, at)
			grp.standing = grp.standing || g.links[at].Action != schema.Withdraw
		}
		if len(g.predecessors(at)) == 0 {
			roots = append(roots, at)
		}
	}
	if len(roots) == 0 {
		roots = members // a ring has no beginning
	}
	slices.Sort(grp.heads)
	grp.id = slices.Min(roots)
	return grp
}

// linked are all decisions of a group, the given one first.
func (g *decisionGraph) linked(id string) []string {
	members, seen := []string{id}, map[string]bool{id: true}
	for i := 0; i < len(members); i++ {
		for _, next := range slices.Concat(g.successors[members[i]], g.predecessors(members[i])) {
			if !seen[next] {
				seen[next] = true
				members = append(members, next)
			}
		}
	}
	return members
}

// predecessors are the known decisions that one changes.
func (g *decisionGraph) predecessors(id string) []string {
	return slices.DeleteFunc(slices.Clone(g.links[id].MessageIDs), func(id string) bool {
		_, known := g.links[id]
		return !known
	})
}

// graphChunk is how much of the index is read at a time. It holds many lines.
const graphChunk = 1 << 20

// refresh reads what the log gained since the last time.
func (g *decisionGraph) refresh(v *View) error {
	end := v.head.State.GraphEnd
	if end < g.read || g.links == nil {
		g.links, g.successors, g.group, g.read = map[string]schema.DecisionLink{}, map[string][]string{}, map[string]*group{}, 0
	}
	if end == g.read {
		return nil
	}
	for off := g.read; off < end; {
		data, err := v.readLog(decisionsLog, off, int(min(end-off, graphChunk)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotRegular) {
			return ioError("read the decisions index", err)
		}
		used := int64(bytes.LastIndexByte(data, '\n') + 1)
		if used == 0 {
			v.store.damage.report(decisionsLog, errors.New("it does not end where it did; remove .acc/index/ and it is made again"))
			break
		}
		g.grow(bytes.Count(data[:used], []byte("\n")))
		for line := range strings.Lines(string(data[:used])) {
			g.addLine(v, line)
		}
		off += used
	}
	g.read = end
	return nil
}

// grow makes an empty graph ready for as many lines.
func (g *decisionGraph) grow(lines int) {
	if len(g.links) == 0 {
		g.links, g.successors = make(map[string]schema.DecisionLink, lines), make(map[string][]string, lines)
	}
}

func (g *decisionGraph) addLine(v *View, line string) {
	link, ok := plainLink(line)
	if !ok {
		link = schema.DecisionLink{}
		if err := schema.Decode([]byte(line), &link); err != nil {
			v.store.damage.report(decisionsLog, err)
			return
		}
	}
	g.add(link)
}

func (g *decisionGraph) add(link schema.DecisionLink) {
	if _, known := g.links[link.MessageID]; known {
		return
	}
	clear(g.group)
	g.links[link.MessageID] = link
	for _, changed := range link.MessageIDs {
		g.successors[changed] = append(g.successors[changed], link.MessageID)
	}
}

// addDecision extends the index.
func (tx *Tx) addDecision(m *schema.Message) error {
	return tx.addLink(linkOf(m))
}

func (tx *Tx) addLink(link *schema.DecisionLink) error {
	line, err := schema.EncodeLine(link)
	if err != nil {
		return err
	}
	tx.appendLog(decisionsLog, tx.next.GraphEnd, line)
	tx.next.GraphEnd += int64(len(line))
	return nil
}

func linkOf(m *schema.Message) *schema.DecisionLink {
	link := &schema.DecisionLink{SchemaVersion: schema.Version, MessageID: m.MessageID}
	if c := m.DecisionChange; c != nil {
		link.Action, link.MessageIDs = c.Action, c.MessageIDs
	}
	return link
}
