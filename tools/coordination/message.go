package coordination

import (
	"context"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type messageInput struct {
	To              []string `json:"to" jsonschema:"required,maxItems=100" jsonschema_description:"Recipient participant ids, as acc_status lists them. [] sends to the whole room (notes and decisions only)." example:"bob"`
	Subject         string   `json:"subject" jsonschema:"required" jsonschema_description:"One line, at most 500 characters." acc:"text"`
	Body            string   `json:"body" jsonschema:"required" jsonschema_description:"The text, at most 64 KiB. Kept byte for byte." acc:"text"`
	Kind            string   `json:"kind" jsonschema:"enum=note,enum=question,enum=request,enum=decision" jsonschema_description:"Default note. question and request ask for a reply and need recipients; decision records a position."`
	Obligation      string   `json:"obligation" jsonschema:"enum=none,enum=acknowledge,enum=reply" jsonschema_description:"Normally left out: it follows from the kind. An addressed decision may ask for acknowledge."`
	ClientMessageID string   `json:"clientMessageId" jsonschema_description:"Your idempotency key, 1 to 200 characters. Repeating a call with the same key and content sends nothing twice." example:"plan-1"`
	Supersedes      []string `json:"supersedes" jsonschema:"minItems=1,maxItems=16" jsonschema_description:"With kind decision: ids of the decisions this one replaces. Their authors and recipients are added." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Withdraws       []string `json:"withdraws" jsonschema:"minItems=1,maxItems=16" jsonschema_description:"With kind decision: ids of the decisions this one withdraws; the body says why. Not together with supersedes." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
}

// Validate checks what one field says about another. It sees no recipient
// yet, so whether a kind may be sent to the room is checked here by to alone.
func (in messageInput) Validate() error {
	if err := checkMail(in.Subject, in.Body, in.ClientMessageID); err != nil {
		return err
	}
	changes := len(in.Supersedes) + len(in.Withdraws)
	switch {
	case in.Supersedes != nil && in.Withdraws != nil:
		return conflicting("supersedes", "withdraws", "Give one of them: a decision replaces or withdraws.")
	case changes > 0 && in.kind() != schema.Decision:
		return schema.Fail(schema.ReasonConflictingFields, "supersedes and withdraws belong to a decision; add \"kind\": \"decision\".").
			With("field", "kind")
	}
	for field, ids := range map[string][]string{"supersedes": in.Supersedes, "withdraws": in.Withdraws} {
		if err := checkDecisionIDs(field, ids); err != nil {
			return err
		}
	}
	// A change of decisions inherits recipients, which are not known yet.
	addressed := len(in.To) > 0 || changes > 0
	return in.checkObligation(addressed)
}

func (in messageInput) checkObligation(addressed bool) error {
	kind, o := in.kind(), in.obligation(addressed)
	if schema.AllowedObligation(kind, o, addressed) {
		return nil
	}
	if !addressed && (kind == schema.Question || kind == schema.Request) {
		return schema.Fail(schema.ReasonConflictingFields, "a %s needs recipients: name them in \"to\", for example \"to\": [\"bob\"].", kind).
			With("field", "to")
	}
	return schema.Fail(schema.ReasonConflictingFields,
		"a %s does not carry the obligation %q here; leave obligation out to get the one that fits.", kind, o).
		With("field", "obligation")
}

func (in messageInput) kind() schema.MessageKind {
	if in.Kind == "" {
		return schema.Note
	}
	return schema.MessageKind(in.Kind)
}

func (in messageInput) obligation(addressed bool) schema.Obligation {
	if in.Obligation == "" {
		return schema.DefaultObligation(in.kind(), addressed)
	}
	return schema.Obligation(in.Obligation)
}

func (in messageInput) change() *schema.DecisionChange {
	switch {
	case len(in.Supersedes) > 0:
		return &schema.DecisionChange{Action: schema.Replace, MessageIDs: in.Supersedes}
	case len(in.Withdraws) > 0:
		return &schema.DecisionChange{Action: schema.Withdraw, MessageIDs: in.Withdraws}
	}
	return nil
}

func (r *Room) message(ctx context.Context, caller tools.Caller, in messageInput) (any, error) {
	var sent Sent
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		to, err := resolveRecipients(&tx.View, me, "to", in.To)
		if err != nil {
			return err
		}
		d := draft{
			to: to, kind: in.kind(), subject: in.Subject, body: in.Body, key: in.ClientMessageID, change: in.change(),
		}
		if err := addAudience(&tx.View, me, &d); err != nil {
			return err
		}
		d.obligation = in.obligation(len(d.to) > 0)
		if err := in.checkObligation(len(d.to) > 0); err != nil {
			return err
		}
		sent, err = r.sendAndReport(tx, me, d)
		return err
	})
	return sent, err
}

// addAudience completes the recipients: those a decision inherits, and those
// who get a receipt of a room message.
func addAudience(v *fsstore.View, me schema.Session, d *draft) error {
	if d.change != nil {
		if err := inherit(v, me, d); err != nil {
			return err
		}
	}
	if len(d.to) > 0 {
		return nil
	}
	var err error
	d.receipts, err = roomRecipients(v, me)
	return err
}

type requestInput struct {
	ToParticipantID string `json:"toParticipantId" jsonschema:"required" jsonschema_description:"The participant who is asked." example:"bob"`
	Title           string `json:"title" jsonschema:"required" jsonschema_description:"What is asked for, in one line of at most 500 characters." acc:"text"`
	Detail          string `json:"detail" jsonschema_description:"Everything the recipient needs, at most 64 KiB. Default: the title." acc:"text"`
	ClientMessageID string `json:"clientMessageId" jsonschema_description:"Your idempotency key, 1 to 200 characters. Repeating a call with the same key and content sends nothing twice." example:"ask-1"`
}

// Validate checks the texts.
func (in requestInput) Validate() error {
	if err := schema.CheckLine("title", in.Title, schema.MaxLine); err != nil {
		return err
	}
	if in.Detail != "" {
		if err := schema.CheckBody("detail", in.Detail); err != nil {
			return err
		}
	}
	return checkKey(in.ClientMessageID)
}

func (r *Room) request(ctx context.Context, caller tools.Caller, in requestInput) (any, error) {
	var sent Sent
	err := r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		to, err := resolveRecipients(&tx.View, me, "toParticipantId", []string{in.ToParticipantID})
		if err != nil {
			return err
		}
		body := in.Detail
		if body == "" {
			body = in.Title
		}
		sent, err = r.sendAndReport(tx, me, draft{
			to: to, kind: schema.Request, obligation: schema.OweReply, subject: in.Title, body: body, key: in.ClientMessageID,
		})
		return err
	})
	return sent, err
}

func checkMail(subject, body, key string) error {
	if err := schema.CheckLine("subject", subject, schema.MaxLine); err != nil {
		return err
	}
	if err := schema.CheckBody("body", body); err != nil {
		return err
	}
	return checkKey(key)
}

func checkKey(key string) error {
	if key == "" {
		return nil
	}
	return schema.CheckKey("clientMessageId", key)
}

func conflicting(a, b, advice string) error {
	return schema.Fail(schema.ReasonConflictingFields, "%s and %s exclude each other. %s", a, b, advice).With("fields", []string{a, b})
}
