package delivery

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
)

// DefaultTimeout is how long a transport may take for one message.
const DefaultTimeout = 30 * time.Second

// renewEvery is how often the route is prolonged while an offer takes long.
const renewEvery = 40 * time.Second

// Config says what an adapter hands over, and how.
type Config struct {
	Room      coordination.Config // whose mail: a pair, or a participant
	Transport Transport
	Timeout   time.Duration         // for one message; 0 is DefaultTimeout
	Policy    schema.DeliveryPolicy // set for the recipient at the start; "" leaves it
	Report    Report
	Log       *slog.Logger
	Poll      time.Duration // how often to look when nothing tells of a change; 0 is 2 seconds
}

// Adapter hands the mail of one recipient to a transport, one message at a
// time.
type Adapter struct {
	cfg      Config
	courier  *coordination.Courier
	pauses   *pauses
	accepted map[string]bool // was handed over, and could not be recorded yet
	policyIn string          // the room in which the policy was set
	said     string          // the last note
}

// New prepares an adapter. It opens nothing.
func New(cfg Config) *Adapter {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	return &Adapter{
		cfg: cfg, pauses: newPauses(cfg.Room.Env.Now), accepted: map[string]bool{},
		courier: coordination.NewCourier(cfg.Room, coordination.Adapter{
			ID: cfg.Transport.Name(), Modes: []schema.DeliveryMode{schema.LivePush},
			Capabilities: schema.Capabilities{Delivery: schema.DeliveryCapabilities{LivePush: true}},
		}),
	}
}

// Run serves until ctx ends or, with a pair, until its session does. A message
// that is being handed over then is finished first, unless abort ends too. It
// fails when it cannot begin, for a session that has ended too; whatever fails later is tried again.
func (a *Adapter) Run(ctx, abort context.Context) error {
	defer a.courier.Close()
	first, err := a.courier.Look(ctx)
	if err != nil && !errors.Is(err, fsstore.ErrNoRoom) {
		return err
	}
	if first.Post == coordination.Over {
		return schema.Fail(schema.ReasonSessionFinished, "this session has ended; attach again: acc attach --participant %s.", first.ParticipantID)
	}
	participant := first.ParticipantID
	if participant == "" {
		participant = a.cfg.Room.ParticipantID
	}
	signals, err := fsstore.WatchEagerly(ctx, a.cfg.Log, a.cfg.Poll, a.cfg.Room.Workspace.DeliveryDirs(participant))
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		again, over := a.turn(ctx, abort)
		if over {
			return nil
		}
		if !again {
			a.wait(ctx, signals)
		}
	}
	return nil
}

// wait waits until there may be something to do.
func (a *Adapter) wait(ctx context.Context, signals <-chan struct{}) {
	var due <-chan time.Time
	if in, any := a.pauses.next(); any {
		due = time.After(in)
	}
	select {
	case <-ctx.Done():
	case <-signals:
	case <-due:
	}
}

// turn does what there is to do now. again asks for the next one at once.
func (a *Adapter) turn(ctx, abort context.Context) (again, over bool) {
	a.pauses.pass()
	s, p, err := a.courier.Next(ctx, a.pauses.skip)
	if err != nil {
		return false, a.trouble(ctx, err)
	}
	if p != nil {
		defer p.Close()
	}
	if set, err := a.ownPolicy(s); set || err != nil {
		return set, err != nil && a.trouble(ctx, err)
	}
	a.note(a.standing(s))
	switch {
	case s.Post == coordination.Over:
		return false, true
	case s.Post == coordination.Ambiguous:
		again, err = a.courier.Tell(ctx, s)
	case p == nil:
	case len(p.Letters) == 0:
		a.pauses.swept()
	default:
		again, err = true, a.record(context.WithoutCancel(ctx), p, s, a.hand(abort, p.Letters[0]))
	}
	if err != nil {
		return false, a.trouble(ctx, err)
	}
	return again, false
}

// ownPolicy sets the recipient's policy, once in the life of a room: what the
// recipient changes afterwards stands.
func (a *Adapter) ownPolicy(s coordination.Standing) (set bool, err error) {
	if a.cfg.Policy == "" || a.policyIn == s.WorkspaceID || s.ParticipantID == "" {
		return false, nil
	}
	if err := a.courier.SetPolicy(s.ParticipantID, a.cfg.Policy); err != nil {
		return false, err
	}
	a.policyIn = s.WorkspaceID
	return true, nil
}

// trouble says why nothing can be done now. over says that this will not
// change: the pair belongs to no session any more.
func (a *Adapter) trouble(ctx context.Context, err error) (over bool) {
	switch {
	case ctx.Err() != nil:
		return true
	case errors.Is(err, fsstore.ErrNoRoom):
		a.note("there is no room here; waiting for one.")
	case schema.HasReason(err, schema.ReasonCallerUnresolved):
		a.note("the session is not in this room any more; the adapter ends with it.")
		return true
	default:
		a.note(schema.AsError(err).Message)
	}
	return false
}

// note says something that was not the last thing said.
func (a *Adapter) note(text string) {
	if text != a.said {
		a.said = text
		a.cfg.Report.Note(text)
	}
}
