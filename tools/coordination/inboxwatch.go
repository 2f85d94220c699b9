package coordination

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
)

// inboxWatch follows the open mail of a participant for a client that has
// subscribed to acc://inbox. It looks and does nothing else: it makes nobody
// known, records no presence and moves no receipt.
type inboxWatch struct {
	room    *Room // one of its own: what it has open goes with it
	signals chan struct{}
	last    *inboxListing // nil while the room could not be read
}

// inboxListing is what a signal is about.
type inboxListing struct {
	names []fsstore.InboxEntry // all open mail
	page  string               // the mail on the page, and how far it got
}

// watchInbox signals when acc://inbox would list other mail than before: when
// mail came, got further or is no longer open, by whomever, the caller itself
// included. What stays the same on the page is no signal: presence, locks, what
// lies beyond the page, and attempts to offer what is on it.
//
// Nothing need be there: neither the participant's inbox, nor the room.
func (r *Room) watchInbox(ctx context.Context) (<-chan struct{}, error) {
	if r.cfg.ParticipantID == "" {
		return nil, unresolved(Credentials{})
	}
	// The directory above is watched too, so that the one that the first mail
	// makes is seen at once.
	inboxes := filepath.Join(r.cfg.Workspace.Root, ".acc", "inbox")
	changes, err := fsstore.Watch(ctx, r.cfg.Env.Log, 0, []string{filepath.Join(inboxes, r.cfg.ParticipantID), inboxes})
	if err != nil {
		return nil, err
	}
	w := &inboxWatch{room: NewRoom(r.cfg), signals: make(chan struct{}, 1)}
	w.look(ctx) // what is there already is no news
	go w.run(ctx, changes)
	return w.signals, nil
}

func (w *inboxWatch) run(ctx context.Context, changes <-chan struct{}) {
	defer close(w.signals)
	defer w.room.Close()
	for range changes {
		if !w.look(ctx) {
			continue
		}
		select {
		case w.signals <- struct{}{}:
		default:
		}
	}
}

// look reports whether the page is another one than at the last look. A room
// that cannot be read is looked at again; until then nothing has changed.
func (w *inboxWatch) look(ctx context.Context) (changed bool) {
	defer func() { // what others wrote must not end a server that runs
		if p := recover(); p != nil && w.room.cfg.Env.Log != nil {
			w.room.cfg.Env.Log.Error("looking at the inbox panicked", "panic", p)
		}
	}()
	var now inboxListing
	err := w.room.view(ctx, func(v *fsstore.View) (err error) {
		now, err = w.list(v)
		return err
	})
	if err != nil && !errors.Is(err, fsstore.ErrNoRoom) {
		return false
	}
	changed = w.last == nil || w.last.page != now.page
	w.last = &now
	return changed
}

// list reads the names of the open mail. Only when they are others than before
// is a file opened.
func (w *inboxWatch) list(v *fsstore.View) (inboxListing, error) {
	me := schema.Session{ParticipantID: w.room.cfg.ParticipantID}
	names, err := openMail(v, me.ParticipantID)
	if err != nil {
		return inboxListing{}, err
	}
	if w.last != nil && slices.Equal(names, w.last.names) {
		return *w.last, nil
	}
	width := cursorWidth
	p, err := newPage[InboxItem](0, InboxPage{Items: []InboxItem{}, NextCursor: &width})
	if err != nil {
		return inboxListing{}, err
	}
	if err := fillInbox(v, me, "", p); err != nil {
		return inboxListing{}, err
	}
	var page strings.Builder
	for _, item := range p.items {
		fmt.Fprintln(&page, item.Message.MessageID, item.Receipt.State)
	}
	if p.more {
		fmt.Fprintln(&page, "and more")
	}
	return inboxListing{names, page.String()}, nil
}
