package hook

import (
	"context"
	"errors"

	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
)

const turnHead = "New mail for you:\n"

// turn puts new mail in front of the model, if the client is known to show it
// at this event.
func (c *call) turn(ctx context.Context, shows func(client.Tested) bool) error {
	if err := c.alive(ctx); err != nil || c.Policy == schema.DeliverNothing || !shows(c.tested) {
		return err
	}
	shown, err := c.Room.Shown(ctx, c.caller)
	if err != nil {
		return err
	}
	p := newPage(c.Participant, turnHead)
	m := newMail(c.Participant, p)
	parcel, err := c.collect(ctx, m, c.Policy, shown.Named)
	if err != nil {
		return err
	}
	defer parcel.Close()
	shown.Named = with(shown.Named, m.named)
	return c.show(ctx, parcel, client.Answer{Context: p.text()}, shown, len(m.named) > 0)
}

// show writes an answer, and then records what was shown with it: the letters,
// and if anything else is new, what is to be remembered.
func (c *call) show(ctx context.Context, parcel *coordination.Parcel, a client.Answer, shown schema.Shown, changed bool) error {
	if a == (client.Answer{}) {
		return nil
	}
	if err := c.write(a); err != nil {
		return errors.Join(err, parcel.Refused(ctx, c.transport(), schema.TransportError))
	}
	err := parcel.Accepted(ctx, c.transport())
	if changed {
		err = errors.Join(err, c.Room.SetShown(shown))
	}
	return err
}

const stopHead = "Before you stop: mail that asks for an answer came in while you worked.\n"

// stop holds a turn open once for new mail that asks for an answer; only mail
// that is addressed does. A message holds at most one turn, whatever comes of it: that it does
// is recorded first.
func (c *call) stop(ctx context.Context) error {
	if err := c.alive(ctx); err != nil || c.Policy == schema.DeliverNothing || !c.tested.Hold || c.Input.Held {
		return err
	}
	shown, err := c.Room.Shown(ctx, c.caller)
	if err != nil {
		return err
	}
	p := newPage(c.Participant, stopHead)
	m := newMail(c.Participant, p)
	parcel, err := c.collect(ctx, m, schema.DeliverActionable, shown.Held)
	if err != nil {
		return err
	}
	defer parcel.Close()
	if p.text() == "" {
		return nil
	}
	shown.Held, shown.Named = with(shown.Held, onPage(parcel, m)), with(shown.Named, m.named)
	if err := c.Room.SetShown(shown); err != nil {
		return err
	}
	return c.show(ctx, parcel, client.Answer{Hold: p.text()}, shown, false)
}
