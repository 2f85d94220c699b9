package coordination

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// resolveRecipients turns the names a sender wrote into participant ids. A
// name that is no participant but the harness of exactly one other open
// session stands for that session's participant.
func resolveRecipients(v *fsstore.View, me schema.Session, field string, names []string) ([]string, error) {
	if len(names) > schema.MaxRecipients {
		return nil, schema.Fail(schema.ReasonInvalidField, "%s: %d recipients; at most %d are allowed. Use \"to\": [] for everybody in the room.",
			field, len(names), schema.MaxRecipients).With("field", field)
	}
	ids := make([]string, 0, len(names))
	for _, name := range names {
		id, err := resolveRecipient(v, me, field, name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(ids, id) {
			return nil, schema.Fail(schema.ReasonRecipientDuplicate, "%s: %q is named twice; name each recipient once.", field, id).
				With("field", field).With("recipient", id)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func resolveRecipient(v *fsstore.View, me schema.Session, field, name string) (string, error) {
	if schema.ValidParticipantID(name) {
		// The name on disk decides: a file system may fold letter case.
		p, err := v.Participant(name)
		if err == nil && p.ParticipantID == name {
			return name, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	candidates, err := withHarness(v, me, name)
	if err != nil {
		return "", err
	}
	switch len(candidates) {
	case 1:
		return candidates[0], nil
	case 0:
		known, err := knownNames(v)
		if err != nil {
			return "", err
		}
		return "", unknownRecipient(known, field, name)
	}
	return "", schema.Fail(schema.ReasonRecipientAmbiguous,
		"%s: %q is the client of several participants; name one of them: %s.",
		field, schema.Visible(name, 80), strings.Join(candidates, ", ")).
		With("field", field).With("candidates", candidates)
}

// withHarness finds the participants of other open sessions of that harness.
func withHarness(v *fsstore.View, me schema.Session, harness string) ([]string, error) {
	sessions, err := v.Sessions()
	var found []string
	for _, s := range sessions {
		if s.State == schema.SessionOpen && s.SessionID != me.SessionID && s.Harness == harness {
			found = append(found, s.ParticipantID)
		}
	}
	return found, err
}

// maxNamesShown keeps the refusal short in a room with many participants.
const maxNamesShown = 20

// refuseStrangers refuses names before there is a room: then nobody is known
// but the caller, and a refused call makes no room.
func (r *Room) refuseStrangers(ctx context.Context, field string, names ...string) error {
	for _, name := range names {
		if name == r.cfg.ParticipantID {
			continue
		}
		if err := r.before(ctx, unknownRecipient([]string{r.cfg.ParticipantID}, field, name), anyRoom); err != nil {
			return err
		}
	}
	return nil
}

func knownNames(v *fsstore.View) ([]string, error) {
	participants, err := v.Participants()
	known := make([]string, len(participants))
	for i, p := range participants {
		known[i] = p.ParticipantID
	}
	return known, err
}

func unknownRecipient(known []string, field, name string) error {
	shown := known[:min(len(known), maxNamesShown)]
	hint, meant := "", tools.CloseName(name, known)
	if meant != "" {
		hint = fmt.Sprintf(" Did you mean %q?", meant)
	}
	e := schema.Fail(schema.ReasonRecipientUnknown, "%s: no participant is named %q.%s Known: %s.",
		field, schema.Visible(name, 80), hint, strings.Join(shown, ", ")).
		With("field", field).With("known", shown)
	if meant != "" {
		e.With("didYouMean", meant)
	}
	return e
}

// roomRecipients are the participants who get a room message: everybody else
// with an open session at this moment.
func roomRecipients(v *fsstore.View, me schema.Session) ([]string, error) {
	sessions, err := v.Sessions()
	var ids []string
	for _, s := range sessions {
		if s.State == schema.SessionOpen && s.ParticipantID != me.ParticipantID && !slices.Contains(ids, s.ParticipantID) {
			ids = append(ids, s.ParticipantID)
		}
	}
	return ids, err
}
