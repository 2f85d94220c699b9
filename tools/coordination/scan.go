package coordination

import (
	"context"
	"errors"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// How much of the history one look at it opens: as a whole, and while writers
// wait.
const (
	maxScanned = 5000
	scanChunk  = 200
)

// nameFilter picks messages by what their names say. It opens nothing.
type nameFilter struct {
	kind   schema.MessageKind // "" for any
	before string             // only older ones than this id
	since  time.Time
	thread string // the root of a thread: only what may belong to it
}

// refs lists up to most messages by name, newest first, and says whether there
// are more.
func (f nameFilter) refs(v *fsstore.View, most int) (refs []fsstore.MessageRef, more bool, err error) {
	for ref, err := range v.History(f.before) {
		switch {
		case err != nil:
			return nil, false, err
		case schema.IDTime(ref.MessageID).Before(f.since), ref.MessageID < f.thread:
			return refs, false, nil // ids and times are in one order
		case !f.allows(ref):
			continue
		case len(refs) == most:
			return refs, true, nil
		}
		refs = append(refs, ref)
	}
	return refs, false, nil
}

// allows judges a name. All of a thread but its root are answers.
func (f nameFilter) allows(ref fsstore.MessageRef) bool {
	if f.thread != "" && ref.MessageID != f.thread && ref.Kind != schema.Answer {
		return false
	}
	return f.kind == "" || ref.Kind == f.kind
}

// eachMessage reads messages, a few at a time, so that no writer waits for a
// long scan. It ends when visit says that it has enough. A damaged message was
// reported by the view, and one that was removed meanwhile is gone.
func (r *Room) eachMessage(ctx context.Context, refs []fsstore.MessageRef,
	visit func(*fsstore.View, *schema.Message) (more bool, err error)) error {
	for more := true; more && len(refs) > 0; refs = refs[min(scanChunk, len(refs)):] {
		err := r.view(ctx, func(v *fsstore.View) (err error) {
			for _, ref := range refs[:min(scanChunk, len(refs))] {
				m, failed := v.MessageByRef(ref)
				if failed != nil {
					continue
				}
				if more, err = visit(v, &m); err != nil || !more {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// orEmpty turns the absence of a room into an answer with nothing in it.
func orEmpty(err error) error {
	if errors.Is(err, fsstore.ErrNoRoom) {
		return nil
	}
	return err
}
