package coordination

import (
	"context"
	"errors"
	"io/fs"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type syncInput struct {
	Cursor    string `json:"cursor" jsonschema_description:"delta and full: the 16-digit cursor of the last answer; left out, from the start. history: nextCursor of the last page." example:"0000000000000000"`
	Scope     string `json:"scope" jsonschema:"enum=delta,enum=full,enum=history" jsonschema_description:"delta (default): events after cursor. full: everything, unbounded. history: past messages."`
	Limit     *int   `json:"limit" jsonschema:"minimum=1,maximum=500" jsonschema_description:"Most events (default 100) or history items (default 20, never over 12,000 bytes)."`
	Kind      string `json:"kind" jsonschema:"enum=note,enum=question,enum=request,enum=answer,enum=decision,enum=handoff" jsonschema_description:"history: only this kind, for example handoff."`
	MessageID string `json:"messageId" jsonschema_description:"history: this one message in full, whoever it was for." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Current   bool   `json:"current" jsonschema_description:"history and kind decision: only what stands, and withdrawals."`
}

// Validate checks what one field says about another.
func (in syncInput) Validate() error {
	if in.Scope != "history" {
		return in.validateEvents()
	}
	others := given(
		givenField{"cursor", in.Cursor != ""}, givenField{"limit", in.Limit != nil},
		givenField{"kind", in.Kind != ""}, givenField{"current", in.Current},
	)
	switch {
	case in.MessageID != "" && len(others) > 0:
		return conflicting("An exact read has no pages and no filter.", append([]string{"messageId"}, others...)...)
	case in.MessageID != "":
		return schema.CheckMessageID("messageId", in.MessageID)
	case in.Current && in.Kind != string(schema.Decision):
		return schema.Fail(schema.ReasonConflictingFields, "current needs \"kind\": \"decision\".").With("field", "current")
	case in.Cursor != "":
		return schema.CheckMessageID("cursor", in.Cursor)
	}
	return nil
}

func (in syncInput) validateEvents() error {
	alien := given(givenField{"kind", in.Kind != ""}, givenField{"messageId", in.MessageID != ""}, givenField{"current", in.Current})
	if len(alien) > 0 {
		return schema.Fail(schema.ReasonConflictingFields, "%s belongs to history; add \"scope\": \"history\".", alien[0]).With("field", alien[0])
	}
	if in.Cursor == "" {
		return nil
	}
	_, err := schema.ParseCursor("cursor", in.Cursor)
	return err
}

// defaultEvents is how many events a delta holds.
const defaultEvents = 100

// Delta is what happened since a cursor. Snapshot is there in scope full only,
// TrimmedThrough only where events after the caller's cursor were cut off: it
// is the last of those, and what they said is to be had from scope full.
type Delta struct {
	Cursor         string         `json:"cursor"`
	Scope          string         `json:"scope"`
	Solo           bool           `json:"solo"`
	Attention      []Attention    `json:"attention"`
	Roster         []RosterRow    `json:"roster"`
	Events         []schema.Event `json:"events"`
	TrimmedThrough string         `json:"trimmedThrough,omitempty"`
	Snapshot       *Snapshot      `json:"snapshot,omitempty"`
}

func (r *Room) sync(ctx context.Context, caller tools.Caller, in syncInput) (any, error) {
	if in.Scope == "history" {
		if in.MessageID != "" {
			return r.historyMessage(ctx, caller, in.MessageID)
		}
		return r.historyPage(ctx, caller, in)
	}
	if in.Cursor == "" {
		in.Cursor = schema.FormatCursor(0)
	}
	if in.Limit == nil {
		limit := defaultEvents
		in.Limit = &limit
	}
	return r.delta(ctx, caller, in)
}

func (r *Room) delta(ctx context.Context, caller tools.Caller, in syncInput) (any, error) {
	var out Delta
	var refs *snapshotRefs
	err := r.look(ctx, caller, func(v *fsstore.View, me *schema.Session) error {
		o, err := r.overview(v, me)
		if err != nil {
			return err
		}
		if out, err = o.delta(v, in); err != nil {
			return err
		}
		if in.Scope == "full" {
			refs, err = o.snapshotRefs(v)
		}
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		return emptyDelta(in)
	}
	if err != nil {
		return nil, err
	}
	if refs != nil {
		if out.Snapshot, err = refs.load(); err != nil {
			return nil, err
		}
	}
	return out, r.tellExpired(ctx, out.Attention)
}

func (o *overview) delta(v *fsstore.View, in syncInput) (Delta, error) {
	after, err := schema.ParseCursor("cursor", in.Cursor)
	if err != nil {
		return Delta{}, err
	}
	if after > v.Cursor() {
		return Delta{}, cursorAhead(in.Cursor)
	}
	events, err := v.Events(after, *in.Limit)
	if err != nil {
		return Delta{}, err
	}
	roster, err := o.people.roster(v)
	if err != nil {
		return Delta{}, err
	}
	d := Delta{
		Cursor: in.Cursor, Scope: "delta", Solo: o.solo(), Attention: o.attention, Roster: roster, Events: events,
	}
	if in.Scope != "" {
		d.Scope = in.Scope
	}
	if d.Events == nil {
		d.Events = []schema.Event{}
	}
	if n := len(events); n > 0 {
		d.Cursor = events[n-1].Cursor
	}
	if trimmed := v.TrimmedThrough(); after < trimmed {
		d.TrimmedThrough = schema.FormatCursor(trimmed)
	}
	return d, nil
}

func cursorAhead(cursor string) error {
	return schema.Fail(schema.ReasonCursorUnknown,
		"cursor: this room has not reached %s yet; start again without a cursor.", cursor).With("field", "cursor")
}

// emptyDelta is what nobody finds where there is no room yet.
func emptyDelta(in syncInput) (any, error) {
	if in.Cursor != schema.FormatCursor(0) {
		return nil, cursorAhead(in.Cursor)
	}
	d := emptySnapshot()
	if in.Scope != "full" {
		d.Scope, d.Snapshot = "delta", nil
	}
	return d, nil
}

// HistoryPage is a page of past messages, newest first.
type HistoryPage struct {
	Scope      string    `json:"scope"`
	View       string    `json:"view"`
	Items      []Summary `json:"items"`
	NextCursor *string   `json:"nextCursor"`
}

func (r *Room) historyPage(ctx context.Context, caller tools.Caller, in syncInput) (any, error) {
	out := HistoryPage{Scope: "history", View: "summary", Items: []Summary{}}
	if in.Cursor != "" {
		err := r.before(ctx, unknownCursor(in.Cursor), func(v *fsstore.View) error { return checkHistoryCursor(v, in) })
		if err != nil {
			return nil, err
		}
	}
	err := r.look(ctx, caller, func(v *fsstore.View, _ *schema.Session) error {
		if err := checkHistoryCursor(v, in); err != nil {
			return err
		}
		envelope, width := out, cursorWidth
		envelope.NextCursor = &width
		p, err := newPage[Summary](deref(in.Limit), envelope)
		if err != nil {
			return err
		}
		if err := fillHistory(v, in, p); err != nil {
			return err
		}
		out.Items = p.items
		if p.more && len(p.items) > 0 {
			out.NextCursor = &p.items[len(p.items)-1].MessageID
		}
		return nil
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		if err = nil; in.Cursor != "" {
			err = unknownCursor(in.Cursor)
		}
	}
	return out, err
}

func checkHistoryCursor(v *fsstore.View, in syncInput) error {
	if in.Cursor == "" {
		return nil
	}
	m, err := v.Message(in.Cursor)
	if errors.Is(err, fs.ErrNotExist) || err == nil && in.Kind != "" && string(m.Kind) != in.Kind {
		return unknownCursor(in.Cursor)
	}
	return err
}

func fillHistory(v *fsstore.View, in syncInput, p *page[Summary]) error {
	for ref, err := range v.History(in.Cursor) {
		if err != nil {
			return err
		}
		if in.Kind != "" && string(ref.Kind) != in.Kind {
			continue
		}
		if in.Current {
			if gone, err := replaced(v, ref.MessageID, ref.Kind); err != nil {
				return err
			} else if gone {
				continue
			}
		}
		m, err := v.MessageByRef(ref)
		if err != nil {
			continue // damaged: reported by the view, hides nothing else
		}
		summary, err := summarise(v, &m)
		if err != nil {
			return err
		}
		if added, err := p.add(summary); !added || err != nil {
			return err
		}
	}
	return nil
}

// HistoryMessage is one past message in full, with what is known of it at its
// recipients.
type HistoryMessage struct {
	Scope          string                 `json:"scope"`
	View           string                 `json:"view"`
	Items          []schema.Message       `json:"items"`
	NextCursor     *string                `json:"nextCursor"`
	Receipts       []ReceiptState         `json:"receipts"`
	DecisionStatus *schema.DecisionStatus `json:"decisionStatus,omitempty"`
}

// ReceiptState is how far a message got with one recipient.
type ReceiptState struct {
	RecipientParticipantID string              `json:"recipientParticipantId"`
	State                  schema.ReceiptState `json:"state"`
	UpdatedAt              schema.Time         `json:"updatedAt"`
}

func (r *Room) historyMessage(ctx context.Context, caller tools.Caller, id string) (any, error) {
	out := HistoryMessage{Scope: "history", View: "message"}
	err := r.before(ctx, unknownMessage(id), func(v *fsstore.View) error {
		_, err := anyMessage(v, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = r.look(ctx, caller, func(v *fsstore.View, _ *schema.Session) error {
		m, err := anyMessage(v, id)
		if err != nil {
			return err
		}
		out.Items = []schema.Message{m}
		if out.Receipts, err = receiptStates(v, &m); err != nil {
			return err
		}
		out.DecisionStatus, err = statusOf(v, m.MessageID, m.Kind)
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		err = unknownMessage(id)
	}
	return out, err
}

// anyMessage reads a message of the room, whoever it was for.
func anyMessage(v *fsstore.View, id string) (schema.Message, error) {
	m, err := v.Message(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = unknownMessage(id)
	}
	return m, err
}

func unknownMessage(id string) error {
	return schema.Fail(schema.ReasonMessageUnknown, "no message %s in this room; acc_sync with scope history lists them.", id).
		With("messageId", id)
}

func receiptStates(v *fsstore.View, m *schema.Message) ([]ReceiptState, error) {
	holders := m.ToParticipantIDs
	if len(holders) == 0 {
		var err error
		if holders, err = receiptHolders(v, m); err != nil {
			return nil, err
		}
	}
	states := make([]ReceiptState, 0, len(holders))
	for _, holder := range holders {
		if receipt, err := v.Receipt(holder, m); err == nil {
			states = append(states, ReceiptState{holder, receipt.State, receipt.UpdatedAt})
		}
	}
	return states, nil
}
