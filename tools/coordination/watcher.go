package coordination

import (
	"context"
	"errors"

	"acc/fsstore"
	"acc/schema"
)

// maxHappened bounds one look, so that catching up holds no writer up.
const maxHappened = 200

// Watcher follows the room of a workspace for whoever looks: nobody's session,
// nothing written. The room may come, go and be made anew meanwhile. Each event
// is in exactly one look. It is for one goroutine.
type Watcher struct {
	room      *Room
	begun     bool
	after     int64  // the last event that was in a look
	back      int64  // how many past events the first look shows, -1 when after says where it begins
	workspace string // the room that after belongs to, "" while there is none
	claims    map[string]schema.Claim
}

// Look is the room at one moment, and what happened since the look before.
type Look struct {
	Cursor         string      `json:"cursor"`                   // a watcher goes on from here
	TrimmedThrough string      `json:"trimmedThrough,omitempty"` // events up to this one are due and were pruned
	Status         Status      `json:"status"`
	Happened       []Happening `json:"happened"`
	Made           bool        `json:"-"` // the room appeared since the last look, or is another one
	Removed        bool        `json:"-"` // the room of the last look is gone
	More           bool        `json:"-"` // the next look has more, at once
}

// Watcher makes a Watcher of what happens after a cursor. Without one it begins
// with what comes next, and with as many past events as back says.
func (r *Room) Watcher(cursor string, back int) (*Watcher, error) {
	w := &Watcher{room: r, back: int64(back)}
	if cursor == "" {
		return w, nil
	}
	w.back = -1
	var err error
	w.after, err = schema.ParseCursor("since", cursor)
	return w, err
}

// Look looks at the room. A look that fails changes nothing: the next one
// takes its place.
func (w *Watcher) Look(ctx context.Context) (Look, error) {
	next := *w
	var look Look
	err := w.room.view(ctx, func(v *fsstore.View) (err error) {
		next = *w // the room may be looked at twice
		look, err = next.look(v)
		return err
	})
	if errors.Is(err, fsstore.ErrNoRoom) {
		look, err = next.nothing()
	}
	if err == nil {
		*w = next
	}
	return look, err
}

// nothing is what there is to see where there is no room.
func (w *Watcher) nothing() (Look, error) {
	if !w.begun && w.after > 0 {
		return Look{}, cursorAhead(schema.FormatCursor(w.after))
	}
	look := Look{
		Cursor: schema.FormatCursor(0), Status: w.room.emptyStatus(), Happened: []Happening{}, Removed: w.workspace != "",
	}
	w.begun, w.after, w.workspace, w.claims = true, 0, "", nil
	return look, nil
}

func (w *Watcher) look(v *fsstore.View) (Look, error) {
	look, err := w.enter(v)
	if err != nil {
		return look, err
	}
	o, err := w.room.overview(v, nil)
	if err != nil {
		return look, err
	}
	events, err := v.Events(w.after, maxHappened)
	if err != nil {
		return look, err
	}
	if look.Status, err = o.status(v); err != nil {
		return look, err
	}
	look.Happened = make([]Happening, len(events))
	names := namer{view: v, people: o.people, intents: o.intents, before: w.claims, now: o.ground()}
	for i, e := range events {
		look.Happened[i] = names.happening(e)
	}
	w.claims = names.now
	if len(events) == maxHappened {
		w.after, err = schema.ParseCursor("cursor", events[len(events)-1].Cursor)
	} else {
		w.after = v.Cursor()
	}
	look.Cursor, look.More = schema.FormatCursor(w.after), w.after < v.Cursor()
	return look, err
}

// enter finds out whether this is still the room of the last look, and where
// in its log to go on.
func (w *Watcher) enter(v *fsstore.View) (Look, error) {
	var look Look
	id, last := v.Workspace().WorkspaceID, v.Cursor()
	switch {
	case w.begun && w.workspace == id:
		w.after = min(w.after, last) // the files were put back from a copy, perhaps
	case w.begun:
		look.Made, look.Removed = true, w.workspace != ""
		w.after, w.claims = 0, nil
	case w.back >= 0:
		w.after = max(v.TrimmedThrough(), last-w.back)
	case w.after > last:
		return look, cursorAhead(schema.FormatCursor(w.after))
	}
	if trimmed := v.TrimmedThrough(); trimmed > w.after {
		look.TrimmedThrough, w.after = schema.FormatCursor(trimmed), trimmed
	}
	w.begun, w.workspace = true, id
	return look, nil
}

// ground is every claim on the ground by its id.
func (o *overview) ground() map[string]schema.Claim {
	ground := make(map[string]schema.Claim, len(o.claims)+len(o.past))
	for _, list := range [][]schema.Claim{o.claims, o.past} {
		for _, c := range list {
			ground[c.ClaimID] = c
		}
	}
	return ground
}
