package cli

import (
	"fmt"

	"acc/tools/delivery"
)

// deliveryReport prints what a live adapter does: outcomes on stdout, and what
// a person should know on stderr.
type deliveryReport struct {
	app   *App
	label string
}

// Outcome prints a line, or with --json an object without an envelope. That
// nobody reads it ends no delivery.
func (r *deliveryReport) Outcome(o delivery.Outcome) {
	if r.app.json {
		_ = (&objects{app: r.app}).write(o)
		return
	}
	p := r.app.printer()
	if o.ErrorCode == "" {
		p.line("offered %s to %s", o.MessageID, r.label)
	} else {
		p.line("not taken %s by %s: %s, again in %s", o.MessageID, r.label, o.ErrorCode, o.RetryIn())
	}
	_, _ = r.app.Out.Write(p.buf.Bytes())
}

// Note prints a sentence for whoever looks after the adapter.
func (r *deliveryReport) Note(text string) { fmt.Fprintf(r.app.Err, "acc: %s\n", inCommands(text)) }
