package coordination

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type inboxInput struct {
	MessageID string `json:"messageId" jsonschema_description:"Read this message in full and mark it retrieved. Alone: not with cursor or limit." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Cursor    string `json:"cursor" jsonschema_description:"nextCursor of the last page. Leave it out to see what is new." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Limit     *int   `json:"limit" jsonschema:"minimum=1,maximum=500" jsonschema_description:"Most items on a page, default 20. A page never exceeds 12,000 bytes."`
}

// Validate checks ids and that an exact read stands alone.
func (in inboxInput) Validate() error {
	if in.MessageID != "" {
		if in.Cursor != "" || in.Limit != nil {
			paging := given(givenField{"cursor", in.Cursor != ""}, givenField{"limit", in.Limit != nil})
			return conflicting("An exact read has no pages.", append([]string{"messageId"}, paging...)...)
		}
		return schema.CheckMessageID("messageId", in.MessageID)
	}
	if in.Cursor != "" {
		return schema.CheckMessageID("cursor", in.Cursor)
	}
	return nil
}

// InboxItem is one open message of the caller.
type InboxItem struct {
	Message Summary        `json:"message"`
	Receipt schema.Receipt `json:"receipt"`
}

// InboxPage is a page of open mail, newest first.
type InboxPage struct {
	Items      []InboxItem `json:"items"`
	NextCursor *string     `json:"nextCursor"`
}

func (r *Room) inbox(ctx context.Context, caller tools.Caller, in inboxInput) (any, error) {
	if in.MessageID != "" {
		return r.read(ctx, caller, in.MessageID)
	}
	return r.inboxPage(ctx, caller, in.Cursor, deref(in.Limit))
}

// read returns one message in full, as an array of one, and marks it read.
func (r *Room) read(ctx context.Context, caller tools.Caller, id string) (any, error) {
	if err := r.before(ctx, unknownMail(id), anyRoom); err != nil {
		return nil, err
	}
	var mail Mail
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		var err error
		if mail, err = loadMail(&tx.View, me, id); err != nil {
			return err
		}
		mail.Receipt, err = advance(tx, me, mail, schema.Retrieved)
		return err
	})
	return []Mail{mail}, err
}

func (r *Room) inboxPage(ctx context.Context, caller tools.Caller, cursor string, limit int) (InboxPage, error) {
	var out InboxPage
	if cursor != "" {
		err := r.before(ctx, unknownCursor(cursor), func(v *fsstore.View) error {
			return checkInboxCursor(v, r.cfg.ParticipantID, cursor)
		})
		if err != nil {
			return out, err
		}
	}
	err := r.observe(ctx, caller, func(v *fsstore.View, me schema.Session) error {
		if err := checkInboxCursor(v, me.ParticipantID, cursor); err != nil {
			return err
		}
		width := cursorWidth
		p, err := newPage[InboxItem](limit, InboxPage{Items: []InboxItem{}, NextCursor: &width})
		if err != nil {
			return err
		}
		if err := fillInbox(v, me, cursor, p); err != nil {
			return err
		}
		out = InboxPage{Items: p.items}
		if p.more && len(p.items) > 0 {
			out.NextCursor = &p.items[len(p.items)-1].Message.MessageID
		}
		return nil
	})
	return out, err
}

// checkInboxCursor looks the anchor up before anything is filtered: mail that
// was read or acknowledged meanwhile is an anchor still.
func checkInboxCursor(v *fsstore.View, participant, cursor string) error {
	if cursor == "" {
		return nil
	}
	m, err := v.Message(cursor)
	if err == nil {
		_, err = v.Receipt(participant, &m)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return unknownCursor(cursor)
	}
	return err
}

func unknownCursor(cursor string) error {
	return schema.Fail(schema.ReasonCursorUnknown, "cursor: %s is not on this list; start again without a cursor.", cursor).
		With("field", "cursor")
}

func fillInbox(v *fsstore.View, me schema.Session, cursor string, p *page[InboxItem]) error {
	entries, err := openMail(v, me.ParticipantID)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(entries) {
		if cursor != "" && e.MessageID >= cursor {
			continue
		}
		item, ok, err := inboxItem(v, me, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if added, err := p.add(item); !added || err != nil {
			return err
		}
	}
	return nil
}

// inboxItem reads what a list shows of an entry. A damaged file was reported
// by the view and hides nothing else.
func inboxItem(v *fsstore.View, me schema.Session, e fsstore.InboxEntry) (InboxItem, bool, error) {
	m, err := v.MessageByRef(fsstore.MessageRef{MessageID: e.MessageID, Kind: e.Kind})
	if err != nil {
		return InboxItem{}, false, nil
	}
	receipt, err := v.OpenReceipt(me.ParticipantID, e)
	if err != nil {
		return InboxItem{}, false, nil
	}
	summary, err := summarise(v, &m)
	return InboxItem{Message: summary, Receipt: receipt}, true, err
}

func deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
