package coordination

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"acc/fsstore"
	"acc/schema"
	"acc/tools"
)

// Letter is one message on its way to a client: what an exact read of it
// answers, and the mark of what peers wrote.
type Letter struct {
	Message        schema.Message         `json:"message"`
	Receipt        schema.Receipt         `json:"receipt"`
	DecisionStatus *schema.DecisionStatus `json:"decisionStatus,omitempty"`
	Trust          string                 `json:"trust"`
}

// Pick says which of the caller's queued mail is collected.
type Pick struct {
	Policy schema.DeliveryPolicy // "" asks for the recipient's own live policy
	Skip   func(id string) bool  // true leaves a message for another time, unread. Nil skips none
	Max    int                   // how many at most, 0 for any number

	// Take is asked in order; what it does not take is left for another time.
	// When more is false no further message is looked at. Nil takes all.
	Take func(Letter) (take, more bool)
}

// Parcel is mail that one adapter may hand to one client. Until Close nobody
// else can offer it.
type Parcel struct {
	Letters []Letter
	Left    int // messages that were neither taken nor skipped

	room     *Room
	session  schema.Session
	offering *fsstore.Offering
}

// Collect gathers mail to be offered to the caller's client: queued, not
// replaced, and in nobody else's hands. What owes a reply comes first, then
// what owes an acknowledgement; within that, the oldest.
//
// The parcel must be closed. It may be empty.
func (r *Room) Collect(ctx context.Context, caller tools.Caller, pick Pick) (*Parcel, error) {
	return r.collect(pick, func(fn func(*fsstore.View, schema.Session) error) error { return r.as(ctx, caller, fn) })
}

// collect gathers mail for the session that a view is run as.
func (r *Room) collect(pick Pick, as func(func(*fsstore.View, schema.Session) error) error) (*Parcel, error) {
	p := &Parcel{room: r}
	err := as(func(v *fsstore.View, me schema.Session) error {
		p.Close() // the room may be looked at twice
		*p = Parcel{room: r, session: me, offering: v.Offer(me.ParticipantID)}
		return p.fill(v, pick)
	})
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Parcel) fill(v *fsstore.View, pick Pick) error {
	if pick.Policy == "" {
		pick.Policy = v.LivePolicy(p.session.ParticipantID)
	}
	waiting, err := deliverable(v, p.session.ParticipantID, pick.Policy)
	if err != nil {
		return err
	}
	full := false
	for _, e := range waiting {
		if pick.Skip != nil && pick.Skip(e.MessageID) {
			continue
		}
		if full = full || pick.Max > 0 && len(p.Letters) == pick.Max; full {
			p.Left++
			continue
		}
		l, take, err := p.letter(v, e)
		if err != nil {
			return err
		}
		if take && pick.Take != nil {
			var more bool
			take, more = pick.Take(l)
			full = !more
		}
		if take {
			p.Letters = append(p.Letters, l)
		} else {
			p.Left++
		}
	}
	return nil
}

// deliverable lists the queued mail that a policy lets through, in the order in
// which it is offered.
func deliverable(v *fsstore.View, participant string, policy schema.DeliveryPolicy) ([]fsstore.InboxEntry, error) {
	open, err := openMail(v, participant)
	if err != nil {
		return nil, err
	}
	waiting := slices.DeleteFunc(open, func(e fsstore.InboxEntry) bool {
		return e.State != schema.Queued || !policy.Takes(e.Obligation)
	})
	slices.SortStableFunc(waiting, func(a, b fsstore.InboxEntry) int {
		if d := urgency(b.Obligation) - urgency(a.Obligation); d != 0 {
			return d
		}
		return strings.Compare(a.MessageID, b.MessageID)
	})
	return waiting, nil
}

func urgency(o schema.Obligation) int {
	return slices.Index([]schema.Obligation{schema.OweNothing, schema.OweAcknowledge, schema.OweReply}, o)
}

// letter reads one message, once nobody else can offer it. A damaged one was
// reported and is left alone.
func (p *Parcel) letter(v *fsstore.View, e fsstore.InboxEntry) (Letter, bool, error) {
	if ok, err := p.offering.Take(e.MessageID); !ok || err != nil {
		return Letter{}, false, err
	}
	m, err := v.MessageByRef(fsstore.MessageRef{MessageID: e.MessageID, Kind: e.Kind})
	if err != nil {
		return Letter{}, false, nil
	}
	receipt, err := v.OpenReceipt(p.session.ParticipantID, e)
	if err != nil {
		return Letter{}, false, nil
	}
	status, err := statusOf(v, m.MessageID, m.Kind)
	return Letter{m, receipt, status, untrusted}, err == nil, err
}

// Accepted records that a transport took every letter of the parcel. Receipts
// that have moved on meanwhile stay as they are.
func (p *Parcel) Accepted(ctx context.Context, transport string) error {
	return p.record(ctx, func(tx *fsstore.Tx, l Letter, receipt schema.Receipt) error {
		now := schema.At(tx.Now())
		receipt.State, receipt.UpdatedAt, receipt.Attempt = schema.Offered, now, nil
		receipt.Offered = &schema.Offer{Transport: transport, At: now}
		if err := tx.PutReceipt(&l.Message, schema.Queued, &receipt); err != nil {
			return err
		}
		return tx.Event(schema.EventReceiptOffered, p.session.SessionID, schema.Payload{
			MessageID: receipt.MessageID, ParticipantID: receipt.RecipientParticipantID, State: schema.Offered,
		})
	})
}

// Refused records that a transport did not take the letters, and why. No state
// moves: they are offered again later.
func (p *Parcel) Refused(ctx context.Context, transport string, why schema.DeliveryError) error {
	return p.record(ctx, func(tx *fsstore.Tx, l Letter, receipt schema.Receipt) error {
		if a := receipt.Attempt; a != nil && a.ErrorCode == why && a.Transport == transport {
			return nil // the same trouble again is no news
		}
		receipt.Attempt = &schema.Attempt{Transport: transport, At: schema.At(tx.Now()), ErrorCode: why}
		return tx.PutReceipt(&l.Message, schema.Queued, &receipt)
	})
}

// record writes what came of an offer, in one transaction. The session may
// have ended meanwhile: what happened, happened. A room that was removed is not
// made for it, and mail that is no more there has no receipt to write.
func (p *Parcel) record(ctx context.Context, write func(*fsstore.Tx, Letter, schema.Receipt) error) error {
	if len(p.Letters) == 0 {
		return nil
	}
	return p.room.amend(ctx, func(tx *fsstore.Tx) error {
		for _, l := range p.Letters {
			receipt, err := tx.Receipt(p.session.ParticipantID, &l.Message)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if receipt.State != schema.Queued {
				continue
			}
			if err := write(tx, l, receipt); err != nil {
				return err
			}
		}
		return nil
	})
}

// amend runs fn as one transaction on a room that is there.
func (r *Room) amend(ctx context.Context, fn func(*fsstore.Tx) error) error {
	return r.withStore(fsstore.Open, func(s *fsstore.Store) error { return s.Update(ctx, fn) })
}

// Session is whose client the parcel is for.
func (p *Parcel) Session() string { return p.session.SessionID }

// Close gives up the right to offer what is in the parcel.
func (p *Parcel) Close() {
	if p.offering != nil {
		p.offering.Close()
	}
}
