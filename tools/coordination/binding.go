package coordination

import (
	"context"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Adapter is a way into the client of the caller's session.
type Adapter struct {
	ID            string
	ClientVersion string
	Modes         []schema.DeliveryMode // none says that the client's version is not supported
	Capabilities  schema.Capabilities
	Resident      bool // this process is the adapter, and the route ends with it
}

// as runs fn as the caller over a consistent state. Whoever acts by a pair is
// an adapter: it is no sign of life of the session.
func (r *Room) as(ctx context.Context, caller tools.Caller, fn func(*fsstore.View, schema.Session) error) error {
	if !r.byPair() {
		return r.observe(ctx, caller, fn)
	}
	return r.view(ctx, func(v *fsstore.View) error {
		me, err := r.proven(v)
		if err != nil {
			return err
		}
		return fn(v, me)
	})
}

// Bind records that the caller's client can be reached through an adapter, for
// 120 seconds from now. Nothing of it is durable.
func (r *Room) Bind(ctx context.Context, caller tools.Caller, a Adapter) error {
	var me schema.Session
	err := r.as(ctx, caller, func(_ *fsstore.View, s schema.Session) error {
		me = s
		return nil
	})
	if err != nil {
		return err
	}
	return r.bind(me, a)
}

func (r *Room) bind(me schema.Session, a Adapter) error {
	b := schema.Binding{
		SchemaVersion: schema.Version, ParticipantID: me.ParticipantID, SessionID: me.SessionID, Generation: me.Generation,
		AdapterID: a.ID, ClientVersion: a.ClientVersion, Modes: append([]schema.DeliveryMode{}, a.Modes...),
		Capabilities: a.Capabilities, LeaseUntil: schema.At(r.now().Add(bindingLease)),
	}
	if b.ClientVersion == "" {
		b.ClientVersion = me.ClientVersion
	}
	if p := r.cfg.Env.Process; a.Resident {
		b.Host, b.PID, b.ProcessStart = p.Host, p.PID, p.Start
	}
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.Bind(&b) })
}

// Unbind takes a route back.
func (r *Room) Unbind(sessionID, adapterID string) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error {
		s.Unbind(sessionID, adapterID)
		return nil
	})
}
