package coordination

import (
	"context"
	"errors"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// Sent is the answer of every tool that sends.
type Sent struct {
	Message  schema.Message `json:"message"`
	Delivery []Delivery     `json:"delivery"`

	onWay []string // recipients with an adapter that takes the message
}

// Delivery is what is recorded of a message at one addressed recipient.
type Delivery struct {
	RecipientParticipantID string               `json:"recipientParticipantId"`
	Outcome                schema.ReceiptState  `json:"outcome"`
	Transport              string               `json:"transport"`
	ErrorCode              schema.DeliveryError `json:"errorCode,omitempty"`
}

// durableTransport means that the message waits in the store to be polled.
const durableTransport = "durable"

// offerWait bounds how long a sender waits for the adapters of its recipients.
const offerWait = 250 * time.Millisecond

// sendAndReport is the common end of the sending tools. sent is complete when
// the transaction is over. A message that was sent before is reported as it is
// recorded.
func (r *Room) sendAndReport(tx *fsstore.Tx, me schema.Session, d draft, sent *Sent) error {
	original, err := keyed(&tx.View, me, d)
	if err != nil {
		return err
	}
	if original != nil {
		*sent, err = r.outcome(&tx.View, me, original)
		return err
	}
	m, err := r.send(tx, me, d)
	if err != nil {
		return err
	}
	sent.Message = *m
	tx.Meanwhile(func() {
		now, err := r.outcome(&tx.View, me, m)
		if err != nil && r.cfg.Env.Log != nil {
			r.cfg.Env.Log.Warn("what is known of the recipients could not be read", "error", err)
		}
		*sent = now
	})
	return nil
}

// outcome reports what is recorded of a message at each addressed recipient,
// in order; of a room message, nothing. It reads the transaction's own
// receipts. Where only the recipients' surroundings cannot be read, the outcome
// is whole beside the error.
func (r *Room) outcome(v *fsstore.View, me schema.Session, m *schema.Message) (Sent, error) {
	sent := Sent{Message: *m, Delivery: make([]Delivery, 0, len(m.ToParticipantIDs))}
	if len(m.ToParticipantIDs) == 0 {
		return sent, nil
	}
	who, unknown := readRecipients(v, r.cfg.Env, m.ToParticipantIDs)
	routes, noRoutes := readRoutes(v, r.cfg.Env)
	for _, recipient := range m.ToParticipantIDs {
		receipt, err := v.Receipt(recipient, m)
		if err != nil {
			return sent, err
		}
		d := Delivery{RecipientParticipantID: recipient, Outcome: receipt.State, Transport: durableTransport}
		if o := receipt.Offered; o != nil {
			d.Transport = o.Transport
		}
		if receipt.State == schema.Queued {
			// The caller is here, whether or not its first sign of life is recorded.
			way := routes.to(recipient, m.Obligation)
			d.ErrorCode, d.Transport = waiting(receipt, way, recipient == me.ParticipantID || unknown != nil || who.online(recipient))
			if receipt.Attempt == nil && way.live {
				sent.onWay = append(sent.onWay, recipient)
			}
		}
		sent.Delivery = append(sent.Delivery, d)
	}
	return sent, errors.Join(unknown, noRoutes)
}

// waiting says what keeps a message from being offered, and on which way.
func waiting(receipt schema.Receipt, way route, online bool) (schema.DeliveryError, string) {
	switch {
	case receipt.Attempt != nil:
		return receipt.Attempt.ErrorCode, receipt.Attempt.Transport
	case way.live || way.errorCode != "":
		return way.errorCode, durableTransport
	case !online:
		return schema.RecipientUnavailable, durableTransport
	}
	return "", durableTransport
}

// sent is the answer of a tool that sends, once its transaction is over.
func (r *Room) sent(ctx context.Context, sent Sent, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	r.awaitOffers(ctx, &sent)
	return sent, nil
}

// awaitOffers gives the adapters of the recipients a moment, so that the
// sender learns what came of it. The message is sent already: whatever fails
// or takes longer here, the last thing known is reported.
func (r *Room) awaitOffers(ctx context.Context, sent *Sent) {
	if len(sent.onWay) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, offerWait)
	defer cancel()
	var inboxes []string
	for _, recipient := range sent.onWay {
		inboxes = append(inboxes, r.cfg.Workspace.InboxDir(recipient))
	}
	changes, err := fsstore.Watch(ctx, r.cfg.Env.Log, offerWait/10, inboxes)
	if err != nil {
		return
	}
	for {
		err := r.view(ctx, func(v *fsstore.View) error {
			now, err := r.outcome(v, schema.Session{ParticipantID: sent.Message.FromParticipantID}, &sent.Message)
			if err == nil {
				*sent = now
			}
			return err
		})
		if err != nil || len(sent.onWay) == 0 {
			return
		}
		if _, open := <-changes; !open {
			return
		}
	}
}
