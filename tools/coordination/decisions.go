package coordination

import (
	"errors"
	"io/fs"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

func checkDecisionIDs(field string, ids []string) error {
	for i, id := range ids {
		if err := schema.CheckMessageID(field, id); err != nil {
			return err
		}
		if slices.Contains(ids[:i], id) {
			return schema.Fail(schema.ReasonInvalidField, "%s: %s is named twice; name each decision once.", field, id).With("field", field)
		}
	}
	return nil
}

// inherit adds to a change of decisions whoever the changed ones concern:
// their authors and recipients, offline ones too, less the author of the
// change. Those of a room decision are the holders of its receipts.
func inherit(v *fsstore.View, me schema.Session, d *draft) error {
	add := func(id string) {
		if id != me.ParticipantID && !slices.Contains(d.to, id) {
			d.to = append(d.to, id)
		}
	}
	for _, id := range d.change.MessageIDs {
		target, err := loadDecision(v, id)
		if err != nil {
			return err
		}
		add(target.FromParticipantID)
		recipients := target.ToParticipantIDs
		if len(recipients) == 0 {
			if recipients, err = receiptHolders(v, target); err != nil {
				return err
			}
		}
		for _, recipient := range recipients {
			add(recipient)
		}
	}
	if len(d.to) > schema.MaxRecipients {
		return schema.Fail(schema.ReasonInvalidField,
			"the decisions concern %d participants; at most %d can be written to. Change fewer at a time.", len(d.to), schema.MaxRecipients)
	}
	return nil
}

func loadDecision(v *fsstore.View, id string) (*schema.Message, error) {
	m, err := v.Message(id)
	if errors.Is(err, fs.ErrNotExist) || err == nil && m.Kind != schema.Decision {
		return nil, unknownDecision(id)
	}
	return &m, err
}

func unknownDecision(id string) error {
	return schema.Fail(schema.ReasonDecisionUnknown,
		"%s is no decision of this room; list them with acc_sync {\"scope\": \"history\", \"kind\": \"decision\"}.", id).With("messageId", id)
}

func receiptHolders(v *fsstore.View, m *schema.Message) ([]string, error) {
	participants, err := v.Participants()
	if err != nil {
		return nil, err
	}
	var holders []string
	for _, p := range participants {
		if _, err := v.Receipt(p.ParticipantID, m); err == nil {
			holders = append(holders, p.ParticipantID)
		}
	}
	return holders, nil
}

// replaced reports whether a message is a decision that has a successor. Such
// a decision leaves inbox and attention; no receipt moves.
func replaced(v *fsstore.View, id string, kind schema.MessageKind) (bool, error) {
	if kind != schema.Decision {
		return false, nil
	}
	return v.DecisionReplaced(id)
}

// statusOf is the derived status of a decision, nil for any other message.
func statusOf(v *fsstore.View, id string, kind schema.MessageKind) (*schema.DecisionStatus, error) {
	if kind != schema.Decision {
		return nil, nil
	}
	status, err := v.DecisionStatus(id)
	return &status, err
}
