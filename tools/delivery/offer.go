package delivery

import (
	"context"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

// hand gives one message to the transport, and keeps the route alive meanwhile.
func (a *Adapter) hand(abort context.Context, l coordination.Letter) schema.DeliveryError {
	if a.accepted[l.Message.MessageID] {
		return ""
	}
	ctx, cancel := context.WithTimeout(abort, a.cfg.Timeout)
	defer cancel()
	done := make(chan schema.DeliveryError, 1)
	go func() { done <- a.cfg.Transport.Offer(ctx, l) }()
	renew := time.NewTicker(renewEvery)
	defer renew.Stop()
	for {
		select {
		case code := <-done:
			return code
		case <-renew.C:
			_ = a.courier.Renew() // the next look says what is wrong
		}
	}
}

// record writes what came of an offer, and reports it. A message that was
// accepted and could not be recorded is not handed over a second time by this
// process: only the record is tried again.
func (a *Adapter) record(ctx context.Context, p *coordination.Parcel, s coordination.Standing, code schema.DeliveryError) error {
	m := p.Letters[0].Message
	name := a.cfg.Transport.Name()
	out := Outcome{
		Type: "offered", MessageID: m.MessageID, From: m.FromParticipantID, Kind: m.Kind, SessionID: s.SessionID, Transport: name,
		ErrorCode: code, At: schema.At(a.cfg.Room.Env.Now()),
	}
	if code == "" {
		if err := p.Accepted(ctx, name); err != nil {
			a.accepted[m.MessageID] = true
			a.pauses.longer(m.MessageID)
			return err
		}
		delete(a.accepted, m.MessageID)
		a.cfg.Report.Outcome(out)
		return nil
	}
	out.Type, out.RetryInMs = "refused", a.pauses.longer(m.MessageID).Milliseconds()
	if err := p.Refused(ctx, name, code); err != nil {
		return err
	}
	a.cfg.Report.Outcome(out)
	return nil
}
