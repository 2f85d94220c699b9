package coordination

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type replyInput struct {
	MessageID       string `json:"messageId" jsonschema:"required" jsonschema_description:"Id of the message you answer, from acc_inbox." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Body            string `json:"body" jsonschema:"required" jsonschema_description:"The answer, at most 64 KiB." acc:"text"`
	Subject         string `json:"subject" jsonschema_description:"One line. Default: Re: and the subject of the message." acc:"text"`
	ClientMessageID string `json:"clientMessageId" jsonschema_description:"Your idempotency key, 1 to 200 characters. Each further answer needs its own." example:"answer-1"`
}

// Validate checks ids and texts.
func (in replyInput) Validate() error {
	if err := schema.CheckMessageID("messageId", in.MessageID); err != nil {
		return err
	}
	subject := in.Subject
	if subject == "" {
		subject = "Re:"
	}
	return checkMail(subject, in.Body, in.ClientMessageID)
}

// Replied is the answer of acc_reply.
type Replied struct {
	Message  schema.Message `json:"message"`
	Receipt  schema.Receipt `json:"receipt"`
	Delivery []Delivery     `json:"delivery"`
}

func (r *Room) reply(ctx context.Context, caller tools.Caller, in replyInput) (any, error) {
	if err := r.before(ctx, unknownMail(in.MessageID), anyRoom); err != nil {
		return nil, err
	}
	var sent Sent
	var receipt schema.Receipt
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		mail, err := loadMail(&tx.View, me, in.MessageID)
		if err != nil {
			return err
		}
		subject := in.Subject
		if subject == "" {
			subject = replySubject(mail.Message.Subject)
		}
		err = r.sendAndReport(tx, me, draft{
			to: []string{mail.Message.FromParticipantID}, kind: schema.Answer, obligation: schema.OweNothing,
			subject: subject, body: in.Body, key: in.ClientMessageID, replyTo: &mail.Message,
		}, &sent)
		if err != nil {
			return err
		}
		receipt, err = advance(tx, me, mail, schema.Acknowledged)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.awaitOffers(ctx, &sent)
	return Replied{Message: sent.Message, Receipt: receipt, Delivery: sent.Delivery}, nil
}

// replySubject puts one Re: before a subject, never two however many peers
// wrote, and keeps it within the limit.
func replySubject(subject string) string {
	const prefix = "Re:"
	rest := strings.TrimSpace(subject)
	for len(rest) >= len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
		rest = strings.TrimSpace(rest[len(prefix):])
	}
	return schema.CutRunes(strings.TrimSpace(prefix+" "+rest), schema.MaxLine)
}

// Mail is a message with the receipt of the one who reads it.
type Mail struct {
	Message        schema.Message         `json:"message"`
	Receipt        schema.Receipt         `json:"receipt"`
	DecisionStatus *schema.DecisionStatus `json:"decisionStatus,omitempty"`
}

// loadMail reads a message that was addressed to the caller.
func loadMail(v *fsstore.View, me schema.Session, id string) (Mail, error) {
	m, err := v.Message(id)
	if err == nil {
		var receipt schema.Receipt
		if receipt, err = v.Receipt(me.ParticipantID, &m); err == nil {
			status, err := statusOf(v, m.MessageID, m.Kind)
			return Mail{Message: m, Receipt: receipt, DecisionStatus: status}, err
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Mail{}, unknownMail(id)
	}
	return Mail{}, err
}

func unknownMail(id string) error {
	return schema.Fail(schema.ReasonMessageUnknown,
		"no message %s is addressed to you; acc_inbox lists your mail, acc_sync with scope history reads any message.", id).
		With("messageId", id)
}

// advance moves the caller's receipt forward to a state, with its event. A
// receipt that is there already, or further, stays exactly as it is.
func advance(tx *fsstore.Tx, me schema.Session, mail Mail, to schema.ReceiptState) (schema.Receipt, error) {
	was := mail.Receipt.State
	if was.Rank() >= to.Rank() {
		return mail.Receipt, nil
	}
	receipt := mail.Receipt
	receipt.State, receipt.UpdatedAt = to, schema.At(tx.Now())
	if err := tx.PutReceipt(&mail.Message, was, &receipt); err != nil {
		return receipt, err
	}
	kind := schema.EventReceiptAcked
	if to == schema.Retrieved {
		kind = schema.EventReceiptRetrieved
	}
	return receipt, tx.Event(kind, me.SessionID, schema.Payload{
		MessageID: receipt.MessageID, ParticipantID: receipt.RecipientParticipantID, State: to,
	})
}

type ackInput struct {
	MessageID string `json:"messageId" jsonschema:"required" jsonschema_description:"Id of the message you acknowledge, from acc_inbox." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
}

// Validate checks the id.
func (in ackInput) Validate() error { return schema.CheckMessageID("messageId", in.MessageID) }

func (r *Room) ack(ctx context.Context, caller tools.Caller, in ackInput) (any, error) {
	if err := r.before(ctx, unknownMail(in.MessageID), anyRoom); err != nil {
		return nil, err
	}
	var receipt schema.Receipt
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		mail, err := loadMail(&tx.View, me, in.MessageID)
		if err != nil {
			return err
		}
		if mail.Message.Obligation == schema.OweReply && mail.Receipt.State != schema.Acknowledged {
			return schema.Fail(schema.ReasonReplyRequired,
				"%s is a %s that you have not answered yet; use acc_reply to answer, to ask back or to decline. The receipt is unchanged.",
				in.MessageID, mail.Message.Kind).With("messageId", in.MessageID).With("state", mail.Receipt.State)
		}
		receipt, err = advance(tx, me, mail, schema.Acknowledged)
		return err
	})
	return receipt, err
}
