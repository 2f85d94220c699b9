package coordination

import (
	"context"
	"errors"
	"io/fs"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Attached is a session with its secret: the one answer that shows it, to the
// one who asked for the session.
type Attached struct {
	ParticipantID string                 `json:"participantId"`
	Kind          schema.ParticipantKind `json:"kind"`
	SessionID     string                 `json:"sessionId"`
	Generation    string                 `json:"generation"`
	Harness       string                 `json:"harness"`
	Resumed       bool                   `json:"resumed"`
}

// Attach opens a session for a caller who is a participant, beside those that
// the participant may have elsewhere. With a pair it goes on with that one.
func (r *Room) Attach(ctx context.Context, caller tools.Caller) (Attached, error) {
	if r.byPair() {
		return r.reattach(ctx, caller)
	}
	if err := schema.CheckParticipantID("participant", r.cfg.ParticipantID); err != nil {
		return Attached{}, err
	}
	var out Attached
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		if err := r.checkKind(tx); err != nil {
			return err
		}
		if err := retireClosed(tx, r.cfg.ParticipantID); err != nil {
			return err
		}
		s, err := r.openSession(tx, nil, caller)
		if err != nil {
			return err
		}
		out, err = attached(tx, s)
		return err
	})
	return r.present(out, err)
}

func (r *Room) reattach(ctx context.Context, caller tools.Caller) (Attached, error) {
	if err := r.identified(); err != nil {
		return Attached{}, err
	}
	var out Attached
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		s, err := r.proven(tx)
		if err != nil {
			return err
		}
		if s, err = r.resume(tx, s, caller); err != nil {
			return err
		}
		out, err = attached(tx, s)
		out.Resumed = true
		return err
	})
	return r.present(out, err)
}

func attached(tx *fsstore.Tx, s schema.Session) (Attached, error) {
	p, err := tx.Participant(s.ParticipantID)
	return Attached{
		ParticipantID: s.ParticipantID, Kind: p.Kind, SessionID: s.SessionID, Generation: s.Generation, Harness: s.Harness,
	}, err
}

// present records the first sign of life of an attached session. It is one of
// the session, not of this process, which does not take it back at its end.
func (r *Room) present(out Attached, err error) (Attached, error) {
	if err != nil {
		return Attached{}, err
	}
	err = r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.Heartbeat(out.SessionID) })
	if err != nil && r.cfg.Env.Log != nil {
		r.cfg.Env.Log.Warn("presence was not recorded", "error", err)
	}
	return out, nil
}

// checkKind keeps a person and an agent from taking each other's name by
// mistake.
func (r *Room) checkKind(tx *fsstore.Tx) error {
	p, err := tx.Participant(r.cfg.ParticipantID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil || (p.Kind == schema.Human) == r.cfg.Human:
		return err
	case r.cfg.Human:
		return schema.Fail(schema.ReasonParticipantTaken, "%s is known here as an agent; attach without --human, or under another name.", p.ParticipantID)
	}
	return schema.Fail(schema.ReasonParticipantTaken, "%s is known here as a person; add --human if that is you, or attach under another name.", p.ParticipantID)
}

// retireClosed moves the closed sessions of a participant out of the way, so
// that listing sessions does not grow with history.
func retireClosed(tx *fsstore.Tx, participant string) error {
	sessions, err := tx.Sessions()
	if err != nil {
		return err
	}
	for i, s := range sessions {
		if s.ParticipantID != participant || s.State == schema.SessionOpen {
			continue
		}
		if err := tx.RetireSession(&sessions[i]); err != nil {
			return err
		}
	}
	return nil
}

// SignOfLife is the answer to a heartbeat.
type SignOfLife struct {
	ParticipantID string      `json:"participantId"`
	SessionID     string      `json:"sessionId"`
	HeartbeatAt   schema.Time `json:"heartbeatAt"`
}

// Heartbeat says that the caller is there, and nothing else.
func (r *Room) Heartbeat(ctx context.Context) (SignOfLife, error) {
	var out SignOfLife
	err := r.observe(ctx, tools.Caller{}, func(_ *fsstore.View, me schema.Session) error {
		out = SignOfLife{ParticipantID: me.ParticipantID, SessionID: me.SessionID, HeartbeatAt: schema.At(r.now())}
		return nil
	})
	return out, err
}

// Detached is a session that was closed without a handoff, with the claims
// that were released.
type Detached struct {
	ParticipantID string   `json:"participantId"`
	SessionID     string   `json:"sessionId"`
	Released      []string `json:"released"`
}

// Detach closes the caller's session and leaves no handoff. Its claims are
// released, an event each; its mail waits for the participant.
func (r *Room) Detach(ctx context.Context) (Detached, error) {
	if err := r.identified(); err != nil {
		return Detached{}, err
	}
	var out Detached
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		me, err := r.resolve(tx, tools.Caller{})
		if err != nil {
			return err
		}
		held, err := heldBy(&tx.View, me)
		if err != nil {
			return err
		}
		out = Detached{ParticipantID: me.ParticipantID, SessionID: me.SessionID, Released: []string{}}
		for _, c := range held {
			out.Released = append(out.Released, c.ClaimID)
		}
		return closeSession(tx, me, "")
	})
	if err == nil {
		r.leave(out.SessionID)
	}
	return out, err
}

// Keep saves an attached session for the next commands of its participant,
// who asks for it by name.
func (r *Room) Keep(out Attached) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error {
		return s.SavePair(&schema.SavedPair{
			SchemaVersion: schema.Version, ParticipantID: out.ParticipantID, SessionID: out.SessionID, Generation: out.Generation,
		})
	})
}
