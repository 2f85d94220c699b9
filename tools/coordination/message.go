package coordination

import (
	"context"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type messageInput struct {
	To              []string `json:"to" jsonschema:"required,maxItems=100" jsonschema_description:"Participant ids, as acc_status lists them. [] is the whole room (notes and decisions only)." example:"bob"`
	Subject         string   `json:"subject" jsonschema:"required" jsonschema_description:"One line, at most 500 characters." acc:"text"`
	Body            string   `json:"body" jsonschema:"required" jsonschema_description:"The text, at most 64 KiB. Kept byte for byte." acc:"text"`
	Kind            string   `json:"kind" jsonschema:"enum=note,enum=question,enum=request,enum=decision" jsonschema_description:"Default note. question and request need recipients, who owe a reply; decision records a position."`
	Obligation      string   `json:"obligation" jsonschema:"enum=none,enum=acknowledge,enum=reply" jsonschema_description:"Leave it out: it follows from the kind. Only an addressed decision may ask for acknowledge."`
	ClientMessageID string   `json:"clientMessageId" jsonschema_description:"Your idempotency key, 1 to 200 characters: the same key and content is sent once." example:"plan-1"`
	Supersedes      []string `json:"supersedes" jsonschema:"minItems=1,maxItems=16" jsonschema_description:"kind decision: ids of decisions that this one replaces. Their authors and recipients are added." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
	Withdraws       []string `json:"withdraws" jsonschema:"minItems=1,maxItems=16" jsonschema_description:"kind decision: ids of decisions that this one withdraws; body says why. Not with supersedes." example:"message_01k5x0f4e2m9v8r7c6b5a4z3y2"`
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
		return conflicting("Give one of them: a decision replaces or withdraws.", "supersedes", "withdraws")
	case changes > 0 && in.kind() != schema.Decision:
		return schema.Fail(schema.ReasonConflictingFields, "supersedes and withdraws belong to a decision; add \"kind\": \"decision\".").
			With("field", "kind")
	}
	if err := checkDecisionIDs("supersedes", in.Supersedes); err != nil {
		return err
	}
	if err := checkDecisionIDs("withdraws", in.Withdraws); err != nil {
		return err
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
	if err := r.refuseStrangers(ctx, "to", in.To...); err != nil {
		return nil, err
	}
	if c := in.change(); c != nil {
		if err := r.before(ctx, unknownDecision(c.MessageIDs[0]), anyRoom); err != nil {
			return nil, err
		}
	}
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
		return r.sendAndReport(tx, me, d, &sent)
	})
	return r.sent(ctx, sent, err)
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
	Title           string `json:"title" jsonschema:"required" jsonschema_description:"What is asked for: one line, at most 500 characters." acc:"text"`
	Detail          string `json:"detail" jsonschema_description:"Everything the recipient needs, at most 64 KiB. Default: the title." acc:"text"`
	ClientMessageID string `json:"clientMessageId" jsonschema_description:"Your idempotency key, 1 to 200 characters: the same key and content is sent once." example:"ask-1"`
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
	if err := r.refuseStrangers(ctx, "toParticipantId", in.ToParticipantID); err != nil {
		return nil, err
	}
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
		return r.sendAndReport(tx, me, draft{
			to: to, kind: schema.Request, obligation: schema.OweReply, subject: in.Title, body: body, key: in.ClientMessageID,
		}, &sent)
	})
	return r.sent(ctx, sent, err)
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

// conflicting refuses fields that were given together.
func conflicting(advice string, fields ...string) error {
	return schema.Fail(schema.ReasonConflictingFields, "%s exclude each other. %s", strings.Join(fields, " and "), advice).
		With("fields", fields)
}

// given are the names of those fields that were given, in their order.
func given(fields ...givenField) []string {
	var names []string
	for _, f := range fields {
		if f.given {
			names = append(names, f.name)
		}
	}
	return names
}

type givenField struct {
	name  string
	given bool
}
