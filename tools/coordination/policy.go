package coordination

import (
	"context"
	"errors"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// LivePolicy is what live adapters may hand to a participant, as its owner
// reads and sets it.
type LivePolicy struct {
	ParticipantID string                `json:"participantId"`
	Policy        schema.DeliveryPolicy `json:"livePolicy"`
}

// LivePolicy tells what live adapters may hand to the caller's participant. It
// is no sign of life and makes no session.
func (r *Room) LivePolicy(ctx context.Context) (LivePolicy, error) {
	var out LivePolicy
	if err := r.identified(); err != nil {
		return out, err
	}
	err := r.view(ctx, func(v *fsstore.View) error {
		owner, err := r.owner(v)
		out = LivePolicy{owner, v.LivePolicy(owner)}
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		err = noOwner(nil, r.cfg.ParticipantID)
	}
	return out, err
}

// SetLivePolicy says what live adapters may hand to the caller's participant,
// who must be known here. It is no sign of life and makes no session.
func (r *Room) SetLivePolicy(ctx context.Context, _ tools.Caller, policy schema.DeliveryPolicy) error {
	now, err := r.LivePolicy(ctx)
	if err != nil || now.Policy == policy {
		return err
	}
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error {
		return s.SetLivePolicy(&schema.Policy{SchemaVersion: schema.Version, ParticipantID: now.ParticipantID, LivePolicy: policy})
	})
}

// owner is the participant that the caller speaks for.
func (r *Room) owner(v *fsstore.View) (string, error) {
	if r.byPair() {
		s, err := r.authenticate(v)
		return s.ParticipantID, err
	}
	known, err := knownNames(v)
	if err != nil {
		return "", err
	}
	return r.cfg.ParticipantID, noOwner(known, r.cfg.ParticipantID)
}

// noOwner refuses a name that nobody here has.
func noOwner(known []string, name string) error {
	for _, id := range known {
		if id == name {
			return nil
		}
	}
	if len(known) == 0 {
		return schema.Fail(schema.ReasonRecipientUnknown, "nobody is known here yet, nor is %q; acc attach makes a participant known.",
			schema.Visible(name, 80)).With("field", "participant")
	}
	return unknownRecipient(known, "participant", name)
}
