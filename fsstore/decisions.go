package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"acc/schema"
)

// decisionGraph is the in-memory form of index/decisions.jsonl: which decision
// replaces or withdraws which. The log only grows, so a process reads each
// line once. All walks are iterative: a chain may be thousands long.
type decisionGraph struct {
	mu    sync.Mutex
	read  int64
	nodes map[string]*node
	group map[string]*group // by any member; emptied when the graph grows
}

type node struct {
	link     schema.DecisionLink
	children []string
}

type group struct {
	heads     []string
	id        string
	standing  bool // some head is a position, not a withdrawal
	headCount int
}

// DecisionStatus derives where a decision stands in its group.
func (v *View) DecisionStatus(id string) (schema.DecisionStatus, error) {
	g := &v.store.graph
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.refresh(v); err != nil {
		return schema.DecisionStatus{}, err
	}
	n, ok := g.nodes[id]
	if !ok {
		// Not in the index: a decision nobody linked to anything.
		return schema.DecisionStatus{State: schema.DecisionCurrent, IsHead: true, HeadCount: 1, CurrentMessageID: &id, GroupID: id}, nil
	}
	return g.status(id, n), nil
}

func (g *decisionGraph) status(id string, n *node) schema.DecisionStatus {
	grp := g.groupOf(id)
	st := schema.DecisionStatus{
		State: schema.DecisionCurrent, IsHead: len(n.children) == 0,
		Conflicted: grp.headCount > 1, HeadCount: grp.headCount, GroupID: grp.id,
	}
	switch {
	case st.IsHead && n.link.Action == schema.Withdraw:
		st.State = schema.DecisionWithdrawn
	case !st.IsHead && grp.standing:
		st.State = schema.DecisionSuperseded
	case !st.IsHead:
		st.State = schema.DecisionWithdrawn
	}
	if grp.headCount == 1 {
		st.CurrentMessageID = &grp.heads[0]
	}
	return st
}

// groupOf walks everything that is linked to a decision, in either direction.
func (g *decisionGraph) groupOf(id string) *group {
	if grp, ok := g.group[id]; ok {
		return grp
	}
	grp := &group{}
	queue, seen := []string{id}, map[string]bool{id: true}
	var roots []string
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		n := g.nodes[at]
		g.group[at] = grp
		if len(n.children) == 0 {
			grp.heads = append(grp.heads, at)
			grp.standing = grp.standing || n.link.Action != schema.Withdraw
		}
		known := slices.DeleteFunc(slices.Clone(n.link.MessageIDs), func(id string) bool { return g.nodes[id] == nil })
		if len(known) == 0 {
			roots = append(roots, at)
		}
		for _, next := range slices.Concat(n.children, known) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	grp.headCount = len(grp.heads)
	slices.Sort(grp.heads)
	grp.id = slices.Min(roots)
	return grp
}

// refresh reads what the log gained since the last time.
func (g *decisionGraph) refresh(v *View) error {
	end := v.head.State.GraphEnd
	if end < g.read || g.nodes == nil {
		g.nodes, g.group, g.read = map[string]*node{}, map[string]*group{}, 0
	}
	if end == g.read {
		return nil
	}
	data, err := v.store.disk.ReadAt(decisionsLog, g.read, int(end-g.read))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("read the decisions index", err)
	}
	for line := range bytes.Lines(data) {
		var link schema.DecisionLink
		if err := schema.Decode(line, &link); err != nil {
			v.store.damage.report(decisionsLog, err)
			continue
		}
		g.add(link)
	}
	g.read = end
	return nil
}

func (g *decisionGraph) add(link schema.DecisionLink) {
	clear(g.group)
	g.nodes[link.MessageID] = &node{link: link}
	for _, parent := range link.MessageIDs {
		if n := g.nodes[parent]; n != nil {
			n.children = append(n.children, link.MessageID)
		}
	}
}

// addDecision extends the index.
func (tx *Tx) addDecision(m *schema.Message) error {
	line, err := schema.EncodeLine(linkOf(m))
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
