package coordination

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// bindingLease is how long a route counts after the last sign of its adapter.
const bindingLease = 120 * time.Second

// routes are the live ways into clients, read once for an answer.
type routes struct {
	view     *fsstore.View
	bindings []schema.Binding
}

// route is what is known of the way to one recipient.
type route struct {
	live      bool // an adapter is there that takes the message
	errorCode schema.DeliveryError
}

func readRoutes(v *fsstore.View, env fsstore.Env) (routes, error) {
	all, err := v.Bindings()
	if err != nil {
		return routes{}, err
	}
	live := all[:0]
	for _, b := range all {
		ok, err := reaches(v, env, b)
		if err != nil {
			return routes{}, err
		}
		if ok {
			live = append(live, b)
		}
	}
	return routes{v, live}, nil
}

// reaches reports whether a route still leads to a client: its adapter lives,
// and the session is the one that it was made for.
func reaches(v *fsstore.View, env fsstore.Env, b schema.Binding) (bool, error) {
	if env.DeadAdapter(&b) || !b.LeaseUntil.After(env.Now()) {
		return false, nil
	}
	s, err := v.Session(b.SessionID)
	if errors.Is(err, fs.ErrNotExist) || schema.HasReason(err, schema.ReasonRecordDamaged) {
		return false, nil
	}
	return err == nil && s.State == schema.SessionOpen && s.Generation == b.Generation && s.ParticipantID == b.ParticipantID, err
}

// to finds the live way to a participant for mail with an obligation.
func (r routes) to(participant string, o schema.Obligation) route {
	var sessions []string
	unsupported := false
	for _, b := range r.bindings {
		switch {
		case b.ParticipantID != participant:
		case b.Has(schema.LivePush) && !slices.Contains(sessions, b.SessionID):
			sessions = append(sessions, b.SessionID)
		case len(b.Modes) == 0:
			unsupported = true
		}
	}
	switch {
	case len(sessions) == 0 && unsupported:
		return route{errorCode: schema.UnsupportedClient}
	case len(sessions) == 0:
		return route{}
	case len(sessions) > 1:
		return route{errorCode: schema.AmbiguousSessions}
	case !r.view.LivePolicy(participant).Takes(o):
		return route{errorCode: schema.DeliveryDisabled}
	}
	return route{live: true}
}

// Binding is a route into a client, as acc_status shows it.
type Binding struct {
	ParticipantID  string                `json:"participantId"`
	AdapterID      string                `json:"adapterId"`
	ClientVersion  string                `json:"clientVersion"`
	AvailableModes []schema.DeliveryMode `json:"availableModes"`
	LivePolicy     schema.DeliveryPolicy `json:"livePolicy"`
	Reachable      bool                  `json:"reachable"`
	LeaseUntil     schema.Time           `json:"leaseUntil"`
}

// bindingRows show every route, live or not.
func bindingRows(v *fsstore.View, env fsstore.Env) ([]Binding, error) {
	all, err := v.Bindings()
	rows := make([]Binding, len(all))
	for i, b := range all {
		if err == nil {
			rows[i].Reachable, err = reaches(v, env, b)
		}
		rows[i] = Binding{
			ParticipantID: b.ParticipantID, AdapterID: b.AdapterID, ClientVersion: b.ClientVersion, AvailableModes: b.Modes,
			LivePolicy: v.LivePolicy(b.ParticipantID), Reachable: rows[i].Reachable, LeaseUntil: b.LeaseUntil,
		}
	}
	return rows, err
}
