package prune

import (
	"context"
	"errors"
	"time"

	"acc/fsstore"
	"acc/schema"
)

// Options say what to remove. Without Before neither events nor messages go.
type Options struct {
	Apply     bool
	Before    string        // an event cursor, "" for none
	OlderThan time.Duration // what ended less long ago stays
}

// maxRounds bounds how often a run plans anew because others wrote meanwhile.
const maxRounds = 20

// errMoved says that the room is not as it was when the plan was made.
var errMoved = errors.New("the room moved on")

// Run prunes the room of a workspace, or says what it would do. Where there
// is no room there is nothing to do.
//
// It fails with ReasonInvalidField or ReasonCursorUnknown for a cursor that is
// none, and with ReasonLockTimeout when others kept writing; what was removed
// until then stands.
func Run(ctx context.Context, w fsstore.Workspace, env fsstore.Env, opt Options) (Report, error) {
	out := newReport()
	if opt.Before != "" {
		if _, err := schema.ParseCursor("before", opt.Before); err != nil {
			return out, err
		}
	}
	s, err := fsstore.Open(w.Root, env)
	if errors.Is(err, fsstore.ErrNoRoom) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer s.Close()
	out.Applied = opt.Apply
	for range maxRounds {
		p, err := makePlan(ctx, s, w, opt)
		if err != nil {
			return out, err
		}
		out.Kept = p.kept
		if !opt.Apply {
			p.describe(&out)
			return out, nil
		}
		if err := p.apply(ctx, s, &out); !errors.Is(err, errMoved) {
			return out, err
		}
	}
	return out, schema.Fail(schema.ReasonLockTimeout, "others kept writing to the room; what was removed until now stands. Run it again to go on.")
}

// before is the number of the cursor, 0 for none.
func (o Options) before(last int64) (int64, error) {
	if o.Before == "" {
		return 0, nil
	}
	n, err := schema.ParseCursor("before", o.Before)
	if err == nil && n > last+1 {
		err = schema.Fail(schema.ReasonCursorUnknown, "before: this room has not reached %s yet; acc sync shows its cursor.", o.Before).
			With("field", "before")
	}
	return n, err
}
