package prune

import (
	"context"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// batch is how many steps are one transaction: few enough that its record
// stays small and others do not wait.
const batch = 100

// describe fills in what a plan would do.
func (p *plan) describe(out *Report) {
	for _, s := range slices.Concat(p.loose, p.mails, p.people) {
		out.add(s)
	}
	for _, sign := range p.signs {
		out.add(step{kind: aPresence, id: signName(sign)})
	}
	for _, id := range p.routes {
		out.add(step{kind: anAdapter, id: id})
	}
	out.trim(p.st.trimFiles, p.st.trimThrough)
}

// apply removes what was planned. It fails with errMoved when somebody did
// something in the room for which the rest must be planned anew.
func (p *plan) apply(ctx context.Context, s *fsstore.Store, out *Report) error {
	known := p.st.cursor // up to here the plan knows what happened
	if err := p.commit(ctx, s, p.loose, &known, nil, out); err != nil {
		return err
	}
	for _, one := range p.pairs {
		s.ForgetPair(one.ParticipantID, one.SessionID)
	}
	for i := range p.signs {
		if err := s.ForgetPresence(&p.signs[i]); err != nil {
			return err
		}
		out.add(step{kind: aPresence, id: signName(p.signs[i])})
	}
	for _, id := range p.routes {
		if err := s.ForgetAdapters(id); err != nil {
			return err
		}
		out.add(step{kind: anAdapter, id: id})
	}
	if err := p.commit(ctx, s, p.mails, &known, touchesMail, out); err != nil {
		return err
	}
	if err := p.commit(ctx, s, p.people, &known, touchesPeople, out); err != nil {
		return err
	}
	for _, one := range p.people {
		s.ForgetParticipant(one.id)
	}
	return p.finish(ctx, s, out)
}

// commit runs steps, a batch a transaction. It fails with errMoved when an
// event since known touches what they rest on.
func (p *plan) commit(ctx context.Context, s *fsstore.Store, steps []step, known *int64, touches func(schema.Event) bool, out *Report) error {
	for some := range slices.Chunk(steps, batch) {
		err := s.Update(ctx, func(tx *fsstore.Tx) error {
			if err := moved(tx, *known, touches); err != nil {
				return err
			}
			seen := touches != nil || tx.Cursor() == *known
			for _, one := range some {
				if err := one.do(tx); err != nil {
					return err
				}
			}
			if seen {
				*known = tx.Reached()
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, one := range some {
			out.add(one)
		}
	}
	return nil
}

// moved looks at what others did since an event.
func moved(tx *fsstore.Tx, known int64, touches func(schema.Event) bool) error {
	for touches != nil && known < tx.Cursor() {
		events, err := tx.Events(known, chunk)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(events, touches) || len(events) == 0 {
			return errMoved
		}
		if known, err = schema.ParseCursor("cursor", events[len(events)-1].Cursor); err != nil {
			return err
		}
	}
	return nil
}

// touchesMail knows the events after which a settled message may have to stay:
// its thread or its group goes on, or somebody to whom it is owed is known now.
func touchesMail(e schema.Event) bool {
	switch e.Type {
	case schema.EventMessageSent, schema.EventMessageImported:
		return e.Payload.Kind == schema.Answer || e.Payload.Kind == schema.Decision || e.Payload.Kind == ""
	}
	return e.Type == schema.EventParticipantJoined
}

// touchesPeople knows the events after which somebody may be referred to again.
func touchesPeople(e schema.Event) bool {
	switch e.Type {
	case schema.EventMessageSent, schema.EventMessageImported, schema.EventParticipantJoined, schema.EventSessionOpened:
		return true
	}
	return false
}

// finish cuts the event log and removes directories that are empty now.
func (p *plan) finish(ctx context.Context, s *fsstore.Store, out *Report) error {
	err := s.Update(ctx, func(tx *fsstore.Tx) error {
		if p.st.trimFiles == 0 {
			return nil
		}
		return tx.TrimEvents(p.st.before)
	})
	if err != nil {
		return err
	}
	out.trim(p.st.trimFiles, p.st.trimThrough)
	return s.Update(ctx, func(tx *fsstore.Tx) error { return tx.Tidy() })
}
