package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"acc/schema"
	"acc/tools/coordination"
)

// lines shows a room as lines of text.
type lines struct {
	app   *App
	begun bool
}

func (l *lines) look(look coordination.Look) error {
	p := l.app.printer()
	switch {
	case !l.begun:
		p.state(look)
	default:
		p.turn(look)
	}
	l.begun = true
	p.trimmed(look)
	for _, h := range look.Happened {
		p.event(h)
	}
	_, err := l.app.Out.Write(p.buf.Bytes())
	return err
}

// turn says that the room came or went.
func (p *printer) turn(look coordination.Look) {
	if look.Removed {
		p.line("%s  the room was removed", p.when(p.now))
	}
	if look.Made {
		p.line("%s  a room was made", p.when(p.now))
	}
}

// trimmed says that some of what is asked for is no more.
func (p *printer) trimmed(look coordination.Look) {
	if look.TrimmedThrough != "" {
		p.line("Events through %s were pruned.", look.TrimmedThrough)
	}
}

func (l *lines) trouble(e *schema.Error) error {
	fmt.Fprintf(l.app.Err, "acc: %s\n", inCommands(e.Message))
	return nil
}

func (l *lines) redraws() <-chan struct{} { return nil }
func (l *lines) redraw() error            { return nil }

// objects shows a room as JSON, an object a line.
type objects struct {
	app   *App
	begun bool
}

// stateLine is the first line. Events up to trimmedThrough were asked for and
// were pruned.
type stateLine struct {
	Type           string              `json:"type"`
	Cursor         string              `json:"cursor"`
	TrimmedThrough string              `json:"trimmedThrough,omitempty"`
	Status         coordination.Status `json:"status"`
}

// turnLine says that the room came or went.
type turnLine struct {
	Type        string  `json:"type"`
	Cursor      string  `json:"cursor"`
	WorkspaceID *string `json:"workspaceId"`
}

// troubleLine says that the room cannot be read now. The watch goes on.
type troubleLine struct {
	Type  string   `json:"type"`
	Error *failure `json:"error"`
}

func (o *objects) look(look coordination.Look) error {
	var values []any
	if !o.begun {
		cursor := look.Cursor
		if len(look.Happened) > 0 {
			// What follows is before the cursor of the state.
			cursor = before(look.Happened[0].Cursor)
		}
		values = append(values, stateLine{"state", cursor, look.TrimmedThrough, look.Status})
	}
	if o.begun && look.Removed {
		values = append(values, turnLine{Type: "room.removed", Cursor: schema.FormatCursor(0)})
	}
	if o.begun && look.Made {
		values = append(values, turnLine{"room.made", schema.FormatCursor(0), look.Status.WorkspaceID})
	}
	o.begun = true
	for _, h := range look.Happened {
		values = append(values, h)
	}
	return o.write(values...)
}

// before is the cursor from which an event comes next.
func before(cursor string) string {
	n, err := schema.ParseCursor("cursor", cursor)
	if err != nil {
		return cursor
	}
	return schema.FormatCursor(n - 1)
}

func (o *objects) trouble(e *schema.Error) error {
	return o.write(troubleLine{"trouble", failureOf(e)})
}

func (o *objects) redraws() <-chan struct{} { return nil }
func (o *objects) redraw() error            { return nil }

// write writes the lines of one look at once.
func (o *objects) write(values ...any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	_, err := o.app.Out.Write(out.Bytes())
	return err
}
