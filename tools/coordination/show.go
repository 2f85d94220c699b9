package coordination

import (
	"context"
	"errors"
	"math"
	"slices"

	"acc/fsstore"
	"acc/schema"
)

// Shown is one record in full, with what belongs to it. Of Message, Claim and
// Session there is the one that Type names.
type Shown struct {
	Type    schema.IDKind `json:"type"`
	ID      string        `json:"id"`
	Message *ShownMessage `json:"message,omitempty"`
	Claim   *ShownClaim   `json:"claim,omitempty"`
	Session *ShownSession `json:"session,omitempty"`
}

// ShownMessage is a message with its thread, how far it got, and for a
// decision where it stands.
type ShownMessage struct {
	Record         schema.Message         `json:"record"`
	Receipts       []ReceiptState         `json:"receipts"`
	Thread         []LogEntry             `json:"thread"` // the root and its answers in order; empty without answers
	DecisionStatus *schema.DecisionStatus `json:"decisionStatus"`
	ChangedBy      []DecisionChanger      `json:"changedBy"` // decisions that replace or withdraw this one
	Trust          string                 `json:"trust"`
}

// DecisionChanger is a decision that changes another one.
type DecisionChanger struct {
	MessageID         string              `json:"messageId"`
	FromParticipantID string              `json:"fromParticipantId"`
	Action            schema.ChangeAction `json:"action"`
}

// Show finds a message, a claim or a session by its id, or by a piece of it
// that is unique, for whoever asks. It moves no receipt and needs no session.
func (r *Room) Show(ctx context.Context, written string) (Shown, error) {
	var out Shown
	err := r.view(ctx, func(v *fsstore.View) (err error) {
		out.ID, out.Type, err = findID(v, written, schema.IDMessage, schema.IDClaim, schema.IDSession)
		if err != nil {
			return err
		}
		switch out.Type {
		case schema.IDMessage:
			out.Message, err = showMessage(v, out.ID)
		case schema.IDClaim:
			out.Claim, err = r.showClaim(v, out.ID)
		case schema.IDSession:
			out.Session, err = r.showSession(v, out.ID)
		}
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		err = unknownID(written)
	}
	if err == nil && out.Message != nil {
		out.Message.Thread, err = r.thread(ctx, out.Message.Record.ThreadID)
	}
	return out, err
}

func showMessage(v *fsstore.View, id string) (*ShownMessage, error) {
	m, err := findMessage(v, id)
	if err != nil {
		return nil, err
	}
	out := &ShownMessage{Record: m, ChangedBy: []DecisionChanger{}, Trust: untrusted}
	if out.Receipts, err = receiptStates(v, &m); err != nil {
		return nil, err
	}
	if out.DecisionStatus, err = statusOf(v, m.MessageID, m.Kind); err != nil || out.DecisionStatus == nil {
		return out, err
	}
	out.ChangedBy, err = changers(v, id)
	return out, err
}

// changers are the decisions that change one. One that cannot be read is
// named all the same.
func changers(v *fsstore.View, id string) ([]DecisionChanger, error) {
	ids, err := v.DecisionSuccessors(id)
	list := make([]DecisionChanger, len(ids))
	for i, by := range ids {
		list[i] = DecisionChanger{MessageID: by}
		m, err := v.MessageByRef(fsstore.MessageRef{MessageID: by, Kind: schema.Decision})
		if err == nil && m.DecisionChange != nil {
			list[i].FromParticipantID, list[i].Action = m.FromParticipantID, m.DecisionChange.Action
		}
	}
	return list, err
}

// thread reads a thread in order. Answers come soon after what they answer, so
// where there are too many to look into, the latest are left out.
func (r *Room) thread(ctx context.Context, root string) ([]LogEntry, error) {
	var refs []fsstore.MessageRef
	err := r.view(ctx, func(v *fsstore.View) (err error) {
		refs, _, err = nameFilter{thread: root}.refs(v, math.MaxInt)
		return err
	})
	if err != nil {
		return nil, orEmpty(err)
	}
	slices.Reverse(refs)
	entries := []LogEntry{}
	err = r.eachMessage(ctx, refs[:min(len(refs), maxScanned)], func(v *fsstore.View, m *schema.Message) (bool, error) {
		if m.ThreadID != root {
			return true, nil
		}
		entry, err := logEntry(v, m)
		entries = append(entries, entry)
		return true, err
	})
	if len(entries) < 2 {
		entries = entries[:0] // a message alone is no thread
	}
	return entries, orEmpty(err)
}
