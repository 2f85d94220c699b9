package coordination

import (
	"context"
	"errors"

	"acc/fsstore"
	"acc/schema"
)

// Courier is the room as a live adapter sees it: the session that it serves
// now, and the mail that it may hand over. With credentials that is exactly
// their session; with a participant it follows that participant from one
// session to the next. Nothing that it does is a sign of life.
//
// It is for one goroutine.
type Courier struct {
	room    *Room
	adapter Adapter
	serving *fsstore.Serving // nil while nobody is served
	session schema.Session   // that is served
	last    Standing         // of Next
	told    map[string]bool  // mail of which Tell has told, while it is ambiguous
}

// NewCourier prepares a courier. It opens nothing.
func NewCourier(cfg Config, adapter Adapter) *Courier {
	adapter.Resident = true
	return &Courier{room: NewRoom(cfg), adapter: adapter, told: map[string]bool{}}
}

// Close takes the route back and gives up the right to serve.
func (c *Courier) Close() error {
	c.release()
	return c.room.Close()
}

// Post is what a courier can do at one moment.
type Post string

// The posts.
const (
	Serves    Post = "serves"    // mail of the session may be handed over
	Waits     Post = "waits"     // the participant has no open session
	Ambiguous Post = "ambiguous" // several sessions could take the mail
	Taken     Post = "taken"     // another adapter serves the session
	Over      Post = "over"      // the one session that it could serve has ended
)

// Standing is where a courier stands.
type Standing struct {
	Post          Post
	WorkspaceID   string
	ParticipantID string
	Policy        schema.DeliveryPolicy
	SessionID     string   // that is served, or that another adapter serves
	Sessions      []string // the candidates, where they are several
	Known         []string // who is known here, where the participant is not
}

// Look finds out whom to serve, and gets ready for it: the right to serve is
// taken or given up, and the route is recorded, prolonged or taken back. It
// fails with fsstore.ErrNoRoom while there is no room, and with reason
// caller_identity_unresolved for credentials that are no pair.
func (c *Courier) Look(ctx context.Context) (Standing, error) {
	if err := c.room.identified(); err != nil {
		return Standing{}, err
	}
	var s scene
	err := c.room.view(ctx, func(v *fsstore.View) (err error) {
		s, err = c.look(v)
		return err
	})
	if err != nil {
		if errors.Is(err, fsstore.ErrNoRoom) {
			c.release()
		}
		return Standing{}, err
	}
	if s.Post != Ambiguous {
		clear(c.told)
	}
	if s.chosen.SessionID == "" {
		c.release()
		return s.Standing, nil
	}
	fresh, err := c.serve(s.chosen)
	if err != nil || c.serving == nil {
		s.Post, s.Sessions = Taken, nil
		return s.Standing, err
	}
	if fresh || !s.bound {
		err = c.Renew()
	}
	return s.Standing, err
}

// Next is Look, and where the courier serves, the next message for its session
// as the participant's policy lets it through now. The parcel must be closed;
// it is empty when there is none, and nil where nobody is served.
func (c *Courier) Next(ctx context.Context, skip func(id string) bool) (Standing, *Parcel, error) {
	pick := Pick{Skip: skip, Max: 1}
	p, err := c.room.collect(pick, func(fn func(*fsstore.View, schema.Session) error) error {
		return c.room.view(ctx, func(v *fsstore.View) error {
			s, err := c.look(v)
			if err == nil && c.ready(&s) {
				c.last = s.Standing
				err = fn(v, s.chosen)
			}
			return err
		})
	})
	switch {
	case err == nil && p.offering != nil: // one look was enough
		return c.last, p, nil
	case err != nil && !errors.Is(err, fsstore.ErrNoRoom):
		return Standing{}, nil, err
	}
	s, err := c.Look(ctx)
	if err != nil || s.Post != Serves {
		return s, nil, err
	}
	p, err = c.Collect(ctx, skip)
	return s, p, err
}

// ready reports whether a courier can hand over mail without getting ready
// first.
func (c *Courier) ready(s *scene) bool {
	return s.Post == Serves && s.bound && c.serving != nil && c.session.SessionID == s.chosen.SessionID &&
		c.session.Generation == s.chosen.Generation && c.serving.Holds()
}

// serve takes the right to serve a session, unless the courier has it already.
func (c *Courier) serve(me schema.Session) (fresh bool, err error) {
	if c.serving != nil && c.session.SessionID == me.SessionID && c.serving.Holds() {
		c.session = me
		return false, nil
	}
	c.release()
	return true, c.room.withStore(fsstore.Open, func(s *fsstore.Store) (err error) {
		if c.serving, err = s.Serve(me.SessionID); c.serving != nil {
			c.session = me
		}
		return err
	})
}

// Renew records the route to the session that is served, for another 120
// seconds.
func (c *Courier) Renew() error { return c.room.bind(c.session, c.adapter) }

// release ends what Look got ready.
func (c *Courier) release() {
	if c.serving == nil {
		return
	}
	_ = c.room.Unbind(c.session.SessionID, c.adapter.ID) // where the room is gone, so is the route
	c.serving.Close()
	c.serving = nil
}

// Collect gathers the next message for the session that is served, as its
// participant's policy lets it through now. The parcel is empty when there is
// none, or when the session has ended.
func (c *Courier) Collect(ctx context.Context, skip func(id string) bool) (*Parcel, error) {
	return c.room.collect(Pick{Skip: skip, Max: 1}, func(fn func(*fsstore.View, schema.Session) error) error {
		return c.room.view(ctx, func(v *fsstore.View) error {
			now, err := v.Session(c.session.SessionID)
			if err != nil || now.State != schema.SessionOpen || now.Generation != c.session.Generation {
				return ignoreMissing(err)
			}
			return fn(v, now)
		})
	})
}

// maxTold is how many receipts one call of Tell writes.
const maxTold = 100

// Tell records on the receipts of waiting mail, once each, that several
// sessions could take it. more says that there is more to be told.
func (c *Courier) Tell(ctx context.Context, s Standing) (more bool, err error) {
	pick := Pick{Skip: func(id string) bool { return c.told[id] }, Max: maxTold}
	p, err := c.room.collect(pick, func(fn func(*fsstore.View, schema.Session) error) error {
		return c.room.view(ctx, func(v *fsstore.View) error {
			return fn(v, schema.Session{ParticipantID: s.ParticipantID, SessionID: s.Sessions[0]})
		})
	})
	if err != nil {
		return false, err
	}
	defer p.Close()
	if err := p.Refused(ctx, c.adapter.ID, schema.AmbiguousSessions); err != nil {
		return false, err
	}
	for _, l := range p.Letters {
		c.told[l.Message.MessageID] = true
	}
	return len(p.Letters) == maxTold, nil
}

// SetPolicy says what live adapters may hand to the courier's participant.
func (c *Courier) SetPolicy(participant string, policy schema.DeliveryPolicy) error {
	return c.room.withStore(fsstore.Open, func(s *fsstore.Store) error {
		return s.SetLivePolicy(&schema.Policy{SchemaVersion: schema.Version, ParticipantID: participant, LivePolicy: policy})
	})
}
