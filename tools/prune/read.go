package prune

import (
	"context"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// state is the room at one moment, as far as pruning needs it.
type state struct {
	store        *fsstore.Store
	view         *fsstore.View
	now          schema.Time
	before       int64 // 0 when neither events nor messages are to go
	cursor       int64
	participants []schema.Participant
	sessions     map[string]schema.Session
	intents      map[string]schema.Intent
	claims       []schema.Claim
	retired      []fsstore.ExpiredClaim
	signs        map[string][]schema.Presence
	adapters     []string // sessions
	holdings     map[string][]fsstore.Holding
	refs         []fsstore.MessageRef
	recent       map[string]bool // messages of events at or after before
	since        schema.Time     // when the event at before happened
	trimFiles    int
	trimThrough  int64
}

// readState takes what may change under the lock. Messages never change and
// are read afterwards, while others go on.
func readState(ctx context.Context, s *fsstore.Store, opt Options) (*state, error) {
	st := &state{store: s, now: schema.At(s.Env().Now()), sessions: map[string]schema.Session{}, recent: map[string]bool{}}
	err := s.View(ctx, func(v *fsstore.View) (err error) {
		st.view, st.cursor = v, v.Cursor()
		if st.before, err = opt.before(st.cursor); err != nil {
			return err
		}
		for _, read := range []func(*fsstore.View) error{st.readPeople, st.readClaims, st.readMail, st.readEvents} {
			if err := read(v); err != nil {
				return err
			}
		}
		return nil
	})
	return st, err
}

func (st *state) readPeople(v *fsstore.View) (err error) {
	if st.participants, err = v.Participants(); err != nil {
		return err
	}
	open, err := v.Sessions()
	if err != nil {
		return err
	}
	closed, err := v.ClosedSessions()
	if err != nil {
		return err
	}
	for _, s := range slices.Concat(closed, open) {
		st.sessions[s.SessionID] = s
	}
	if st.intents, err = v.Intents(); err != nil {
		return err
	}
	if st.signs, err = v.Presence(); err != nil {
		return err
	}
	st.adapters, err = v.Adapters()
	return err
}

func (st *state) readClaims(v *fsstore.View) (err error) {
	if st.claims, err = v.Claims(); err != nil {
		return err
	}
	holders, err := v.KeptFor()
	if err != nil {
		return err
	}
	for _, id := range holders {
		kept, err := v.ExpiredClaims(id)
		if err != nil {
			return err
		}
		st.retired = append(st.retired, kept...)
	}
	return nil
}

func (st *state) readMail(v *fsstore.View) (err error) {
	if st.holdings, err = v.Holdings(); err != nil {
		return err
	}
	for ref, err := range v.History("") {
		if err != nil {
			return err
		}
		st.refs = append(st.refs, ref)
	}
	return nil
}

// chunk is how many events are read at a time.
const chunk = 1000

// readEvents finds which messages belong to the events that stay.
func (st *state) readEvents(v *fsstore.View) error {
	if st.before == 0 {
		return nil
	}
	files, through, err := v.Trimmable(st.before)
	if err != nil {
		return err
	}
	st.trimFiles, st.trimThrough = len(files), through
	for after := st.before - 1; ; {
		events, err := v.Events(after, chunk)
		if err != nil || len(events) == 0 {
			return err
		}
		for _, e := range events {
			if st.since.IsZero() {
				st.since = e.OccurredAt
			}
			if e.Payload.MessageID != "" && (e.Type == schema.EventMessageSent || e.Type == schema.EventMessageImported) {
				st.recent[e.Payload.MessageID] = true
			}
		}
		if after, err = schema.ParseCursor("cursor", events[len(events)-1].Cursor); err != nil {
			return err
		}
	}
}

// open reports whether a session can still act.
func (st *state) open(sessionID string) bool {
	s, known := st.sessions[sessionID]
	return known && s.State == schema.SessionOpen
}
