package doctor

import (
	"context"

	"acc/fsstore"
	"acc/schema"
)

// adapters forgets the routes into clients that lead nowhere any more.
func (m *mender) adapters(ctx context.Context, s *fsstore.Store) {
	over, dead := map[string]bool{}, []schema.Binding{}
	routes := 0
	err := s.View(ctx, func(v *fsstore.View) error {
		sessions, err := v.Adapters()
		if err != nil {
			return err
		}
		for _, id := range sessions {
			owner, err := v.Session(id)
			over[id] = err != nil || owner.State != schema.SessionOpen
		}
		bindings, err := v.Bindings()
		for _, b := range bindings {
			if over[b.SessionID] {
				routes++
			} else if m.cfg.Env.DeadAdapter(&b) {
				dead = append(dead, b)
			}
		}
		return err
	})
	for id, gone := range over {
		if gone && err == nil {
			err = s.ForgetAdapters(id)
		}
	}
	for _, b := range dead {
		s.Unbind(b.SessionID, b.AdapterID)
	}
	if routes += len(dead); routes > 0 && err == nil {
		m.did("removed %s that led nowhere", some(routes, "adapter"))
	}
	if err != nil {
		m.fail("the adapters", err)
	}
}
