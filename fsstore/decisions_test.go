package fsstore

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/schema"
)

// graphOf builds the index of decisions from "b<a" (b replaces a), "b!a"
// (withdraws) and "a" (a decision), in that order. Names are one letter.
func graphOf(lines ...string) *decisionGraph {
	g := &decisionGraph{links: map[string]schema.DecisionLink{}, successors: map[string][]string{}, group: map[string]*group{}}
	for _, l := range lines {
		link := schema.DecisionLink{MessageID: l[:1]}
		if len(l) > 1 {
			link.Action = schema.Replace
			if l[1] == '!' {
				link.Action = schema.Withdraw
			}
			for _, id := range l[2:] {
				link.MessageIDs = append(link.MessageIDs, string(id))
			}
		}
		g.add(link)
	}
	return g
}

// stand is a short form of a status: state, head or not, heads of the group,
// the current one, the group.
type stand struct {
	state   schema.DecisionState
	isHead  bool
	heads   int
	current string
	group   string
}

func TestDecisionGraph(t *testing.T) {
	const (
		current    = schema.DecisionCurrent
		superseded = schema.DecisionSuperseded
		withdrawn  = schema.DecisionWithdrawn
	)
	for what, c := range map[string]struct {
		lines []string
		want  map[string]stand
	}{
		"alone":     {[]string{"a"}, map[string]stand{"a": {current, true, 1, "a", "a"}}},
		"chain":     {[]string{"a", "b<a", "c<b"}, map[string]stand{"a": {superseded, false, 1, "c", "a"}, "c": {current, true, 1, "c", "a"}}},
		"fork":      {[]string{"a", "b<a", "c<a"}, map[string]stand{"a": {superseded, false, 2, "", "a"}, "b": {current, true, 2, "", "a"}}},
		"merge":     {[]string{"a", "b<a", "c<a", "d<bc"}, map[string]stand{"b": {superseded, false, 1, "d", "a"}, "d": {current, true, 1, "d", "a"}}},
		"two roots": {[]string{"b", "a", "c<ab"}, map[string]stand{"c": {current, true, 1, "c", "a"}, "b": {superseded, false, 1, "c", "a"}}},
		"withdrawn": {[]string{"a", "b!a"}, map[string]stand{"a": {withdrawn, false, 1, "b", "a"}, "b": {withdrawn, true, 1, "b", "a"}}},
		"fork, one withdrawn": {[]string{"a", "b!a", "c<a"}, map[string]stand{
			"a": {superseded, false, 2, "", "a"}, "b": {withdrawn, true, 2, "", "a"}, "c": {current, true, 2, "", "a"}}},
		"withdrawn, then decided again": {[]string{"a", "b!a", "c<b"}, map[string]stand{"a": {superseded, false, 1, "c", "a"}}},
		"strangers":                     {[]string{"a", "b", "c<b"}, map[string]stand{"a": {current, true, 1, "a", "a"}, "b": {superseded, false, 1, "c", "b"}}},
		"successor came first":          {[]string{"b<a", "a"}, map[string]stand{"a": {superseded, false, 1, "b", "a"}, "b": {current, true, 1, "b", "a"}}},
		"unknown predecessor":           {[]string{"b<x"}, map[string]stand{"b": {current, true, 1, "b", "b"}}},
		"line twice":                    {[]string{"a", "b<a", "a"}, map[string]stand{"a": {superseded, false, 1, "b", "a"}}},
		"ring":                          {[]string{"a<b", "b<a"}, map[string]stand{"a": {withdrawn, false, 0, "", "a"}}},
		"itself":                        {[]string{"a<a"}, map[string]stand{"a": {withdrawn, false, 0, "", "a"}}},
	} {
		g := graphOf(c.lines...)
		for id, want := range c.want {
			st := g.status(id)
			got := stand{st.State, st.IsHead, st.HeadCount, "", st.GroupID}
			if st.CurrentMessageID != nil {
				got.current = *st.CurrentMessageID
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(stand{})); diff != "" {
				t.Errorf("%s, %s: %s", what, id, diff)
			}
			if st.Conflicted != (want.heads > 1) {
				t.Errorf("%s, %s: conflicted %v", what, id, st.Conflicted)
			}
		}
	}
}

// TestLongChain: a chain of thousands is walked without recursion, and a
// second store of the same room reads the same.
func TestLongChain(t *testing.T) {
	const length = 5000
	s, dir := realRoom(t)
	me := join(t, s, "alice")
	var ids []string
	for len(ids) < length {
		update(t, s, func(tx *Tx) error {
			for range 500 {
				l := decision()
				if n := len(ids); n > 0 {
					l = decision(ids[n-1])
				}
				m, err := sendTx(tx, me, l)
				if err != nil {
					return err
				}
				ids = append(ids, m.MessageID)
			}
			return nil
		})
		checkChain(t, s, ids) // the index is read as it grows
	}
	checkChain(t, openTestRoom(t, dir, &testLog{}), ids)
}

func checkChain(t *testing.T, s *Store, ids []string) {
	t.Helper()
	head := ids[len(ids)-1]
	view(t, s, func(v *View) error {
		for _, id := range []string{ids[0], ids[len(ids)/2], head} {
			st, err := v.DecisionStatus(id)
			if err != nil {
				return err
			}
			if st.IsHead != (id == head) || st.CurrentMessageID == nil || *st.CurrentMessageID != head || st.GroupID != ids[0] {
				t.Fatalf("%+v", st)
			}
		}
		return nil
	})
}

func TestDecisionOutsideTheIndex(t *testing.T) {
	s, _ := realRoom(t)
	view(t, s, func(v *View) error {
		st, err := v.DecisionStatus(aMessageID)
		if !st.IsHead || st.GroupID != aMessageID || st.State != schema.DecisionCurrent {
			t.Errorf("%+v", st)
		}
		return err
	})
}

func TestLinkedGivesEachOnce(t *testing.T) {
	got := graphOf("a", "b<a", "c<a", "d<bc").linked("c")
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, got); diff != "" {
		t.Error(diff)
	}
}
