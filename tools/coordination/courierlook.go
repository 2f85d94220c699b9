package coordination

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// renewWhen is how much of the lease may be left when a route is prolonged.
const renewWhen = bindingLease - 40*time.Second

// scene is a standing, and what only the courier may know of it.
type scene struct {
	Standing
	chosen schema.Session
	bound  bool // its route stands, and is not due to be prolonged
}

func (c *Courier) look(v *fsstore.View) (scene, error) {
	s := scene{Standing: Standing{WorkspaceID: v.Workspace().WorkspaceID, ParticipantID: c.room.cfg.ParticipantID}}
	open, over, err := c.candidates(v, &s)
	if err != nil || over {
		s.Post = Over
		return s, err
	}
	s.Policy = v.LivePolicy(s.ParticipantID)
	routes, err := readRoutes(v, c.room.cfg.Env)
	if err != nil {
		return s, err
	}
	rivals := c.rivals(routes, &s)
	if c.room.byPair() {
		s.insist(open[0], rivals)
	} else {
		s.follow(open, rivals)
	}
	if s.Post == Waits {
		err = s.lookAround(v)
	}
	return s, err
}

// lookAround sees to it that a misspelt name does not wait without a word.
func (s *scene) lookAround(v *fsstore.View) error {
	known, err := knownNames(v)
	if !slices.Contains(known, s.ParticipantID) {
		s.Known = known
	}
	return err
}

// rivals are the sessions that other live adapters of the participant serve.
// It notes whether the courier's own route stands.
func (c *Courier) rivals(routes routes, s *scene) []string {
	var rivals []string
	for _, b := range routes.bindings {
		switch {
		case b.ParticipantID != s.ParticipantID || !b.Has(schema.LivePush):
		case c.owns(b):
			s.bound = b.SessionID == c.session.SessionID && b.LeaseUntil.Sub(c.room.now()) > renewWhen
		default:
			rivals = append(rivals, b.SessionID)
		}
	}
	return rivals
}

// insist is the standing of a courier with a pair: it serves that session, and
// where others are served too, nobody knows which of them mail is for.
func (s *scene) insist(me schema.Session, rivals []string) {
	s.Post, s.chosen, s.SessionID = Serves, me, me.SessionID
	for _, id := range rivals {
		if id != me.SessionID {
			s.Post, s.Sessions = Ambiguous, append(s.Sessions, id)
		}
	}
	if s.Post == Ambiguous {
		s.Sessions = append(s.Sessions, me.SessionID)
		slices.Sort(s.Sessions)
	}
}

// follow is the standing of a courier without a pair. It steps back from an
// adapter that serves another session than the one it would.
func (s *scene) follow(open []schema.Session, rivals []string) {
	switch {
	case len(rivals) > 0 && (len(open) != 1 || rivals[0] != open[0].SessionID):
		s.Post, s.SessionID = Taken, rivals[0]
	case len(open) == 0:
		s.Post = Waits
	case len(open) == 1:
		s.Post, s.chosen, s.SessionID = Serves, open[0], open[0].SessionID
	default:
		s.Post = Ambiguous
		for _, one := range open {
			s.Sessions = append(s.Sessions, one.SessionID)
		}
	}
}

// owns reports whether a route is this courier's own.
func (c *Courier) owns(b schema.Binding) bool {
	p := c.room.cfg.Env.Process
	return b.AdapterID == c.adapter.ID && b.PID == p.PID && b.Host == p.Host && b.ProcessStart == p.Start
}

// candidates are the sessions that the courier may serve: the one of its pair,
// else those of its participant behind which somebody is, else the newest open
// one. over says that there will be none any more.
func (c *Courier) candidates(v *fsstore.View, s *scene) (open []schema.Session, over bool, err error) {
	if c.room.byPair() {
		me, err := c.room.authenticate(v)
		s.ParticipantID = me.ParticipantID
		return []schema.Session{me}, err == nil && me.State != schema.SessionOpen, err
	}
	all, err := v.SessionsOf(s.ParticipantID)
	if err != nil {
		return nil, false, err
	}
	all = slices.DeleteFunc(all, func(o schema.Session) bool { return o.State != schema.SessionOpen })
	if len(all) < 2 {
		return all, false, nil
	}
	ids := make([]string, len(all))
	for i, o := range all {
		ids[i] = o.SessionID
	}
	signs, err := newSampler(v, c.room.cfg.Env, ids...)
	for _, o := range all {
		if err == nil && signs.of(o) != Offline {
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		open = all[len(all)-1:]
	}
	return open, false, err
}

// ignoreMissing takes what is gone or damaged for nothing.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || schema.HasReason(err, schema.ReasonRecordDamaged) {
		return nil
	}
	return err
}
