package coordination

import (
	"context"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type finishInput struct {
	Goal            string   `json:"goal" jsonschema:"required" jsonschema_description:"What the session was for: one line, at most 500 characters." acc:"text"`
	Status          string   `json:"status" jsonschema:"enum=complete,enum=partial,enum=blocked" jsonschema_description:"How far it got. Default partial."`
	Completed       []string `json:"completed" jsonschema:"maxItems=100" jsonschema_description:"What is done, an item each, at most 2,000 characters." acc:"text" example:"parser split"`
	Remaining       []string `json:"remaining" jsonschema:"maxItems=100" jsonschema_description:"What is left to do." acc:"text" example:"tests for the lexer"`
	Blockers        []string `json:"blockers" jsonschema:"maxItems=100" jsonschema_description:"What stands in the way." acc:"text" example:"no access to the staging host"`
	ToParticipantID string   `json:"toParticipantId" jsonschema_description:"Who takes over; must be known here. Left out: whoever comes next finds it in the history." example:"bob"`
	ClientMessageID string   `json:"clientMessageId" jsonschema_description:"Your idempotency key, to ask again for a lost answer." example:"finish-1"`
}

// Validate checks the texts.
func (in finishInput) Validate() error {
	if err := schema.CheckLine("goal", in.Goal, schema.MaxLine); err != nil {
		return err
	}
	for _, list := range []struct {
		field string
		items []string
	}{{"completed", in.Completed}, {"remaining", in.Remaining}, {"blockers", in.Blockers}} {
		if err := schema.CheckItems(list.field, list.items); err != nil {
			return err
		}
	}
	return checkKey(in.ClientMessageID)
}

func (in finishInput) note() *schema.HandoffNote {
	note := &schema.HandoffNote{
		Status: schema.HandoffStatus(in.Status), Completed: listed(in.Completed), Remaining: listed(in.Remaining),
		Blockers: listed(in.Blockers), Verification: []string{},
	}
	if in.Status == "" {
		note.Status = schema.HandoffPartial
	}
	return note
}

func listed(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}

// finish records the handoff, releases the claims and closes the session, in
// one transaction. It is no sign of life and opens nothing once the session
// is finished: a retry finds its own handoff, anything else is refused.
func (r *Room) finish(ctx context.Context, caller tools.Caller, in finishInput) (any, error) {
	if err := r.identified(); err != nil {
		return nil, err
	}
	if in.ToParticipantID != "" {
		if err := r.refuseStrangers(ctx, "toParticipantId", in.ToParticipantID); err != nil {
			return nil, err
		}
	}
	note := in.note()
	note.Git = r.cfg.Workspace.GitFacts() // before the lock: it reads the checkout
	r.turnTo(caller)
	var sent Sent
	var closed string
	err := r.update(ctx, func(tx *fsstore.Tx) error {
		me, err := r.finishing(tx, caller)
		if err != nil {
			return err
		}
		d, err := in.draft(&tx.View, me, note)
		if err != nil {
			return err
		}
		if original, err := r.finished(&tx.View, me, d); original != nil || err != nil {
			if original != nil {
				sent, err = r.outcome(&tx.View, me, original)
			}
			return err
		}
		if err := r.sendAndReport(tx, me, d, &sent); err != nil {
			return err
		}
		closed = me.SessionID
		return closeSession(tx, me, sent.Message.MessageID)
	})
	if closed != "" && err == nil {
		r.leave(closed)
	}
	return r.sent(ctx, sent, err)
}

// finishing is the session that a finish speaks of: the open one, a finished
// one (for a retry), or a new one for a caller that never had any.
func (r *Room) finishing(tx *fsstore.Tx, caller tools.Caller) (schema.Session, error) {
	last, err := r.lastSession(&tx.View, caller)
	if err != nil {
		return schema.Session{}, err
	}
	if last != nil && last.State == schema.SessionClosed && last.HandoffID != nil && !foreign(*last, caller) {
		return *last, nil
	}
	return r.resolve(tx, caller)
}

func (in finishInput) draft(v *fsstore.View, me schema.Session, note *schema.HandoffNote) (draft, error) {
	d := draft{kind: schema.Handoff, subject: in.Goal, body: in.Goal, key: in.ClientMessageID, handoff: note, to: []string{}}
	var err error
	if in.ToParticipantID != "" {
		if d.to, err = resolveRecipients(v, me, "toParticipantId", []string{in.ToParticipantID}); err != nil {
			return d, err
		}
	} else if d.receipts, err = roomRecipients(v, me); err != nil {
		return d, err
	}
	d.obligation = schema.DefaultObligation(schema.Handoff, len(d.to) > 0)
	return d, nil
}

// finished handles a key that is known, and a session that is over.
func (r *Room) finished(v *fsstore.View, me schema.Session, d draft) (*schema.Message, error) {
	original, err := keyed(v, me, d)
	if err != nil {
		return nil, err
	}
	if original != nil {
		if me.HandoffID == nil || *me.HandoffID != original.MessageID {
			return nil, keyReused(original) // it finished an earlier session
		}
		return original, nil
	}
	if me.State == schema.SessionClosed {
		return nil, r.over(me)
	}
	return nil, nil
}

// closeSession ends a session: its claims, its intent, its presence. One that
// is closed without a handoff gives no id for it.
func closeSession(tx *fsstore.Tx, me schema.Session, handoffID string) error {
	held, err := heldBy(&tx.View, me)
	if err != nil {
		return err
	}
	if _, err := releaseAll(tx, me, held); err != nil {
		return err
	}
	kept, err := tx.ExpiredClaims(me.SessionID)
	if err != nil {
		return err
	}
	for i := range kept {
		tx.DeleteClaim(&kept[i].Claim)
	}
	if err := clearIntent(tx, me); err != nil {
		return err
	}
	now := schema.At(tx.Now())
	me.State, me.ClosedAt = schema.SessionClosed, &now
	if handoffID != "" {
		me.HandoffID = &handoffID
	}
	if err := tx.PutSession(&me); err != nil {
		return err
	}
	return tx.Event(schema.EventSessionClosed, me.SessionID, schema.Payload{SessionID: me.SessionID, MessageID: handoffID})
}
