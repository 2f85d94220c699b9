package coordination

import (
	"context"
	"slices"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

type workInput struct {
	Summary       string   `json:"summary" jsonschema_description:"What you are about to do: one line, at most 280 characters." acc:"text"`
	Mode          string   `json:"mode" jsonschema:"enum=observe,enum=explore,enum=edit,enum=review,enum=coordinate,enum=wait" jsonschema_description:"The kind of work. Required with summary."`
	State         string   `json:"state" jsonschema:"enum=active,enum=blocked,enum=waiting,enum=done" jsonschema_description:"Default active. done takes the intent out of everybody's attention."`
	ResourceHints []string `json:"resourceHints" jsonschema:"maxItems=100" jsonschema_description:"Resources you expect to touch. Hints reserve nothing; acc_claim does." example:"file:src/app.go"`
	Clear         bool     `json:"clear" jsonschema_description:"true, alone: take your intent back."`
}

// Validate checks that an intent is complete and that clear stands alone.
func (in workInput) Validate() error {
	others := given(
		givenField{"summary", in.Summary != ""}, givenField{"mode", in.Mode != ""},
		givenField{"state", in.State != ""}, givenField{"resourceHints", in.ResourceHints != nil},
	)
	switch {
	case in.Clear && len(others) > 0:
		return conflicting("Send {\"clear\": true} alone.", append([]string{"clear"}, others...)...)
	case in.Clear:
		return nil
	case in.Summary == "":
		return missing("summary", `"summary": "split the parser"`)
	case in.Mode == "":
		return missing("mode", `"mode": "edit"`)
	}
	return schema.CheckLine("summary", in.Summary, schema.MaxSummary)
}

func missing(field, example string) error {
	return schema.Fail(schema.ReasonMissingField, "%s is missing. Example: %s", field, example).With("field", field)
}

// Cleared is the answer to clear.
type Cleared struct {
	Cleared bool `json:"cleared"`
}

func (r *Room) work(ctx context.Context, caller tools.Caller, in workInput) (any, error) {
	if in.Clear {
		return Cleared{true}, r.act(ctx, caller, clearIntent)
	}
	hints, err := r.canonicalHints(in.ResourceHints)
	if err != nil {
		return nil, err
	}
	var intent schema.Intent
	err = r.act(ctx, caller, func(tx *fsstore.Tx, me schema.Session) error {
		intent = schema.Intent{
			SchemaVersion: schema.Version, SessionID: me.SessionID, Summary: in.Summary, Mode: schema.WorkMode(in.Mode),
			ResourceHints: hints, State: schema.WorkState(in.State), UpdatedAt: schema.At(tx.Now()),
		}
		if in.State == "" {
			intent.State = schema.WorkState(schema.WorkStates()[0])
		}
		if err := tx.PutIntent(&intent); err != nil {
			return err
		}
		return tx.Event(schema.EventIntentSet, me.SessionID, schema.Payload{SessionID: me.SessionID})
	})
	return intent, err
}

// clearIntent takes the intent of a session back; without one it is a no-op.
func clearIntent(tx *fsstore.Tx, me schema.Session) error {
	if !tx.DeleteIntent(me.SessionID) {
		return nil
	}
	return tx.Event(schema.EventIntentCleared, me.SessionID, schema.Payload{SessionID: me.SessionID})
}

// canonicalHints settles hints like claims; naming one twice does no harm.
func (r *Room) canonicalHints(uris []string) ([]schema.Resource, error) {
	hints := make([]schema.Resource, 0, len(uris))
	for _, uri := range uris {
		hint, err := r.cfg.Workspace.Canonical(uri)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	return hints, nil
}
