package coordination

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// LogQuery says which part of the history is asked for.
type LogQuery struct {
	Kind        schema.MessageKind // "" for any
	Participant string             // who sent it, or got it; "" for anybody
	Since       time.Time
	Thread      string // a message of the thread, or a piece of its id
	Cursor      string // NextCursor of the last page
	Limit       int
}

// Addressed is a message in short with its recipients; none is the room.
type Addressed struct {
	Summary
	ToParticipantIDs []string `json:"toParticipantIds"`
}

// LogEntry is one past message and how far it got.
type LogEntry struct {
	Addressed
	Receipts []ReceiptState `json:"receipts"`
}

// LogPage is a part of the history, newest first. NextCursor is null when
// nothing older is left to look at.
type LogPage struct {
	Items      []LogEntry `json:"items"`
	NextCursor *string    `json:"nextCursor"`
}

// Log reads past messages for whoever asks. It lists names and opens the
// messages that it shows, and besides those only what a filter on people or on
// a thread has to look into: at most a few thousand, then it stops with a
// cursor to go on from. It moves no receipt and needs no session.
func (r *Room) Log(ctx context.Context, q LogQuery) (LogPage, error) {
	page := LogPage{Items: []LogEntry{}}
	if err := q.check(); err != nil {
		return page, err
	}
	refs, more, err := r.logRefs(ctx, &q)
	if err != nil {
		return page, err
	}
	last := "" // the last message that was looked at and counts
	err = r.eachMessage(ctx, refs, func(v *fsstore.View, m *schema.Message) (bool, error) {
		if !q.matches(v, m) {
			last = m.MessageID
			return true, nil
		}
		if len(page.Items) == q.Limit {
			more = true
			return false, nil
		}
		entry, err := logEntry(v, m)
		page.Items, last = append(page.Items, entry), m.MessageID
		return true, err
	})
	if more && last != "" {
		page.NextCursor = &last
	}
	if err == nil && len(page.Items) == 0 && !more && q.Participant != "" {
		err = r.knowsParticipant(ctx, q.Participant)
	}
	return page, orEmpty(err)
}

func (q *LogQuery) check() error {
	if q.Limit <= 0 {
		q.Limit = defaultPage
	}
	if q.Participant != "" {
		if err := schema.CheckParticipantID("participant", q.Participant); err != nil {
			return err
		}
	}
	if q.Cursor != "" {
		return schema.CheckMessageID("cursor", q.Cursor)
	}
	return nil
}

// logRefs are the messages that may be on the page. It settles the thread to
// the id of its root.
func (r *Room) logRefs(ctx context.Context, q *LogQuery) (refs []fsstore.MessageRef, more bool, err error) {
	err = r.view(ctx, func(v *fsstore.View) error {
		if q.Thread != "" {
			m, err := findMessage(v, q.Thread)
			if err != nil {
				return err
			}
			q.Thread = m.ThreadID
		}
		filter := nameFilter{kind: q.Kind, before: q.Cursor, since: q.Since, thread: q.Thread}
		refs, more, err = filter.refs(v, maxScanned)
		return err
	})
	if q.Thread != "" && errors.Is(err, fsstore.ErrNoRoom) {
		err = unknownID(q.Thread)
	}
	return refs, more, orEmpty(err)
}

// matches looks into a message. Of mail to the room everybody with a receipt
// is a recipient.
func (q *LogQuery) matches(v *fsstore.View, m *schema.Message) bool {
	if q.Thread != "" && m.ThreadID != q.Thread {
		return false
	}
	p := q.Participant
	if p == "" || p == m.FromParticipantID || slices.Contains(m.ToParticipantIDs, p) {
		return true
	}
	if len(m.ToParticipantIDs) > 0 {
		return false
	}
	_, err := v.Receipt(p, m)
	return err == nil
}

func logEntry(v *fsstore.View, m *schema.Message) (LogEntry, error) {
	summary, err := summarise(v, m)
	if err != nil {
		return LogEntry{}, err
	}
	receipts, err := receiptStates(v, m)
	return LogEntry{Addressed{summary, m.ToParticipantIDs}, receipts}, err
}

// knowsParticipant refuses a name that nobody has. It is asked only when
// nothing was found: what came with the code may be from people who have never
// been here.
func (r *Room) knowsParticipant(ctx context.Context, name string) error {
	return r.view(ctx, func(v *fsstore.View) error {
		_, err := v.Participant(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		known, err := knownNames(v)
		if err != nil {
			return err
		}
		return unknownRecipient(known, "participant", name)
	})
}
