package coordination

import (
	"slices"
	"strings"
	"time"

	"acc/schema"
)

// act makes a call that writes as the process's session. want says why the
// session would be refused; done enters what a success did. A refusal leaves
// nothing but, perhaps, a sign of life.
func (p *play) act(process *mProcess, tool string, a args, into any, want func(me *mSession) schema.Reason, done func(me *mSession)) {
	p.t.Helper()
	me := p.resolve(process)
	reason := want(me)
	p.call(process.client, tool, a, reason, into)
	if reason != "" {
		if process.session == me && schema.Reasons()[reason] != schema.CodeUsage {
			p.beat(process, me)
		}
		return
	}
	p.begin(me)
	p.beat(process, me)
	done(me)
	p.learn()
}

// observe makes a call that reads as the process's session.
func (p *play) observe(process *mProcess, tool string, a args, into any) *mSession {
	p.t.Helper()
	p.call(process.client, tool, a, "", into)
	me := p.resolve(process)
	p.begin(me)
	p.beat(process, me)
	return me
}

func (p *play) status(process *mProcess) {
	var got Status
	me := p.observe(process, "acc_status", args{}, &got)
	waiting := p.attention(me)
	p.tell(me)
	p.learn()
	p.sameAttention(waiting, got.Attention)
	got.WorkspaceID, got.Attention = nil, []Attention{}
	same(p, "status", p.overview(me), got)
}

// sync is a delta from the end: what waits, and whether anybody else is there.
func (p *play) sync(process *mProcess) {
	var got Delta
	me := p.observe(process, "acc_sync", args{"cursor": schema.FormatCursor(p.cursor), "limit": 500}, &got)
	waiting := p.attention(me)
	p.sameAttention(waiting, got.Attention)
	solo := len(p.inbox(me.who)) == 0
	for _, s := range p.sessions {
		solo = solo && (s == me || p.presence(s) == Offline)
	}
	for _, c := range filter(p.ground(), p.live) {
		solo = solo && c.owner == me
	}
	same(p, "solo", solo, got.Solo)
	p.tell(me)
	p.learn()
}

func (p *play) sameAttention(want []string, got []Attention) {
	p.t.Helper()
	found := []string{}
	for i, a := range got {
		found = append(found, string(a.Kind)+" "+a.SourceID)
		if i > 0 && a.Priority < got[i-1].Priority {
			p.t.Fatalf("attention is out of order: %v", got)
		}
	}
	slices.Sort(found)
	same(p, "attention", append([]string{}, want...), found)
}

func (p *play) work(process *mProcess, summary, state string, hints []string) {
	var got schema.Intent
	a := args{"summary": summary, "mode": "edit", "state": state, "resourceHints": hints}
	p.act(process, "acc_work", a, &got, allowed, func(me *mSession) {
		me.intent = &schema.Intent{
			SchemaVersion: 1, Summary: summary, Mode: "edit", State: schema.WorkState(state), ResourceHints: []schema.Resource{}, UpdatedAt: schema.At(p.now),
		}
		for _, hint := range hints {
			me.intent.ResourceHints = append(me.intent.ResourceHints, schema.Resource(hint))
		}
		p.event(schema.EventIntentSet, me, schema.Payload{})
		p.events[len(p.events)-1].subject = me
	})
	want := *process.session.intent
	want.SessionID = process.session.id
	same(p, "intent", want, got)
}

func allowed(*mSession) schema.Reason { return "" }

func (p *play) clear(process *mProcess) {
	p.act(process, "acc_work", args{"clear": true}, nil, allowed, p.clearIntent)
}

func (p *play) clearIntent(me *mSession) {
	if me.intent == nil {
		return
	}
	me.intent = nil
	p.event(schema.EventIntentCleared, me, schema.Payload{})
	p.events[len(p.events)-1].subject = me
}

func (p *play) acquire(process *mProcess, resources []string, mode, reason string, lease int) {
	var got Claims
	a := args{"action": "acquire", "resources": resources, "mode": mode, "reason": reason, "leaseSeconds": lease}
	wanted := []schema.Resource{}
	for _, r := range resources {
		wanted = append(wanted, schema.Resource(r))
	}
	p.act(process, "acc_claim", a, &got, func(me *mSession) schema.Reason {
		if slices.ContainsFunc(wanted, func(r schema.Resource) bool { return p.blocked(me, r, schema.ClaimMode(mode)) }) {
			return schema.ReasonClaimConflict
		}
		return ""
	}, func(me *mSession) {
		p.retire(me, wanted)
		for i, r := range wanted {
			p.take(me, r, schema.ClaimMode(mode), reason, lease, got.Claims[i])
		}
	})
}

// retire takes off the ground what is past its lease and in the way, or very
// old, and forgets what the taker was left of the same ground.
func (p *play) retire(me *mSession, wanted []schema.Resource) {
	for _, c := range p.claims {
		named := slices.Contains(wanted, c.Resource)
		inTheWay := slices.ContainsFunc(wanted, func(r schema.Resource) bool { return overlaps(r, c.Resource) })
		old := p.now.Sub(c.ExpiresAt.Time) >= 24*time.Hour
		switch {
		case c.kept && c.owner == me && named:
			p.drop(c)
		case c.kept || p.live(c) || c.owner == me && !named || c.owner != me && !inTheWay && !old:
		default:
			p.event(schema.EventClaimExpired, me, schema.Payload{ClaimID: c.ClaimID})
			if c.kept = true; c.owner == me {
				p.drop(c)
			}
		}
	}
}

func (p *play) take(me *mSession, r schema.Resource, mode schema.ClaimMode, reason string, lease int, got schema.Claim) {
	kind := schema.EventClaimRenewed
	at := slices.IndexFunc(p.claims, func(c *mClaim) bool { return !c.kept && c.owner == me && c.Resource == r })
	if at < 0 {
		kind, at = schema.EventClaimAcquired, len(p.claims)
		p.claims = append(p.claims, &mClaim{owner: me, Claim: schema.Claim{
			SchemaVersion: 1, ClaimID: got.ClaimID, OwnerParticipantID: me.who, Resource: r, Enforcement: schema.Advisory, AcquiredAt: schema.At(p.now),
		}})
	}
	c := p.claims[at]
	p.event(kind, me, schema.Payload{ClaimID: c.ClaimID})
	if reason != "" {
		c.Reason = &reason
	}
	c.Mode = mode
	p.prolong(c, lease)
	p.name(me, got.OwnerSessionID)
	c.OwnerSessionID = me.id
	same(p, "claim", c.Claim, got)
}

func (p *play) prolong(c *mClaim, lease int) {
	if lease == 0 {
		lease = 1800
	}
	c.ExpiresAt = schema.At(p.now.Add(time.Duration(lease) * time.Second))
	if !c.ExpiresAt.After(c.AcquiredAt.Time) {
		c.AcquiredAt = schema.At(p.now)
	}
}

func (p *play) renew(process *mProcess, c *mClaim, lease int) {
	var got schema.Claim
	a := args{"action": "renew", "claimId": c.ClaimID, "leaseSeconds": lease}
	p.act(process, "acc_claim", a, &got, func(me *mSession) schema.Reason {
		switch reason := p.mine(me, c); {
		case reason != "":
			return reason
		case (c.kept || !p.live(c)) && p.blocked(me, c.Resource, c.Mode):
			return schema.ReasonClaimConflict
		}
		return ""
	}, func(me *mSession) {
		c.kept, c.told = false, false
		p.prolong(c, lease)
		p.event(schema.EventClaimRenewed, me, schema.Payload{ClaimID: c.ClaimID})
		same(p, "renewed", c.Claim, got)
	})
}

// mine says why a session may not name a claim by id.
func (p *play) mine(me *mSession, c *mClaim) schema.Reason {
	there := slices.Contains(p.claims, c)
	switch {
	case there && c.owner == me:
		return ""
	case there && !c.kept:
		return schema.ReasonClaimNotOwned
	}
	return schema.ReasonClaimUnknown
}

func (p *play) release(process *mProcess, ids []*mClaim) {
	var got struct{ Released []string }
	a := args{"claimIds": claimIDs(ids)}
	p.act(process, "acc_release", a, &got, func(me *mSession) schema.Reason {
		for _, c := range ids {
			if reason := p.mine(me, c); reason != "" {
				return reason
			}
		}
		return ""
	}, func(me *mSession) {
		same(p, "released", claimIDs(ids), got.Released)
		p.released(me, ids)
	})
}

func (p *play) releaseAll(process *mProcess) {
	var got struct{ Released []string }
	p.act(process, "acc_release", args{"all": true}, &got, allowed, func(me *mSession) {
		held := filter(p.ground(), func(c *mClaim) bool { return c.owner == me && p.live(c) })
		same(p, "released", sorted(claimIDs(held), func(id string) string { return id }), got.Released)
		p.released(me, held)
	})
}

func (p *play) released(me *mSession, claims []*mClaim) {
	for _, c := range claims {
		p.drop(c)
		p.event(schema.EventClaimReleased, me, schema.Payload{ClaimID: c.ClaimID})
	}
}

func claimIDs(claims []*mClaim) []string {
	ids := []string{}
	for _, c := range claims {
		ids = append(ids, c.ClaimID)
	}
	return ids
}

// read is an exact read of a message.
func (p *play) read(process *mProcess, mail *mMail) {
	var got []Mail
	p.act(process, "acc_inbox", args{"messageId": mail.MessageID}, &got, p.addressed(mail), func(me *mSession) {
		p.advance(me, mail, schema.Retrieved)
		same(p, "mail", []Mail{{Message: mail.Message, Receipt: *mail.receipts[me.who], DecisionStatus: p.model.status(mail)}}, got)
	})
}

func (p *play) addressed(mail *mMail) func(*mSession) schema.Reason {
	return func(me *mSession) schema.Reason {
		if mail.receipts[me.who] == nil {
			return schema.ReasonMessageUnknown
		}
		return ""
	}
}

// advance moves a receipt forward, never back.
func (p *play) advance(me *mSession, mail *mMail, to schema.ReceiptState) {
	r := mail.receipts[me.who]
	if r.State == schema.Acknowledged || r.State == to {
		return
	}
	r.State, r.UpdatedAt = to, schema.At(p.now)
	kind := schema.EventReceiptAcked
	if to == schema.Retrieved {
		kind = schema.EventReceiptRetrieved
	}
	p.event(kind, me, schema.Payload{MessageID: mail.MessageID, ParticipantID: me.who, State: to})
}

func (p *play) ack(process *mProcess, mail *mMail) {
	var got schema.Receipt
	p.act(process, "acc_ack", args{"messageId": mail.MessageID}, &got, func(me *mSession) schema.Reason {
		r := mail.receipts[me.who]
		if r != nil && mail.Obligation == schema.OweReply && r.State != schema.Acknowledged {
			return schema.ReasonReplyRequired
		}
		return p.addressed(mail)(me)
	}, func(me *mSession) {
		p.advance(me, mail, schema.Acknowledged)
		same(p, "receipt", *mail.receipts[me.who], got)
	})
}

// exact reads a message in the history, which moves nothing.
func (p *play) exact(process *mProcess, mail *mMail) {
	var got HistoryMessage
	p.observe(process, "acc_sync", args{"scope": "history", "messageId": mail.MessageID}, &got)
	p.learn()
	same(p, "message", []schema.Message{mail.Message}, got.Items)
	same(p, "decision status", p.model.status(mail), got.DecisionStatus)
	want := []ReceiptState{}
	holders := mail.ToParticipantIDs
	if len(holders) == 0 {
		holders = p.names()
	}
	for _, who := range holders {
		if r := mail.receipts[who]; r != nil {
			want = append(want, ReceiptState{who, r.State, r.UpdatedAt})
		}
	}
	same(p, "receipts", want, got.Receipts)
}

// pageWalk is somebody who goes through a list page by page, while others go
// on.
type pageWalk struct {
	process *mProcess
	tool    string
	filter  args
	limit   int
	cursor  string
	begun   []string // what was on the list at first
	seen    []string
}

func (p *play) list(w *pageWalk) []string {
	mail := p.inbox(w.process.who)
	if w.tool == "acc_sync" {
		kind, _ := w.filter["kind"].(string)
		mail = p.history(kind, w.filter["current"] != nil)
	}
	ids := []string{}
	for _, m := range mail {
		ids = append(ids, m.MessageID)
	}
	return ids
}

// turn reads the next page of a walk. The last one ends it: nothing that was
// on the list all the time was left out, and nothing came twice.
func (p *play) turn(w *pageWalk) {
	a := args{"limit": w.limit, "cursor": w.cursor}
	for name, value := range w.filter {
		a[name] = value
	}
	var inbox InboxPage
	var history HistoryPage
	got := []string{}
	if w.tool == "acc_sync" {
		p.observe(w.process, w.tool, a, &history)
		for _, item := range history.Items {
			got = append(got, item.MessageID)
			same(p, "decision status", p.model.status(p.byID(item.MessageID)), item.DecisionStatus)
		}
		inbox.NextCursor = history.NextCursor
	} else {
		p.observe(w.process, w.tool, a, &inbox)
		for _, item := range inbox.Items {
			got = append(got, item.Message.MessageID)
			same(p, "receipt", *p.byID(item.Message.MessageID).receipts[w.process.who], item.Receipt)
		}
	}
	p.learn()
	now := p.list(w)
	if w.cursor == "" {
		w.begun = now
	}
	rest := filter(now, func(id string) bool { return w.cursor == "" || id < w.cursor })
	page := rest[:min(w.limit, len(rest))]
	same(p, "page", page, got)
	var next *string
	if len(rest) > len(page) {
		next = &page[len(page)-1]
	}
	same(p, "nextCursor", next, inbox.NextCursor)
	w.seen = append(w.seen, got...)
	if next != nil {
		w.cursor = *next
		return
	}
	p.walks = slices.DeleteFunc(p.walks, func(other *pageWalk) bool { return other == w })
	p.checkWalk(w, now)
}

func (p *play) checkWalk(w *pageWalk, now []string) {
	if !slices.IsSortedFunc(w.seen, func(a, b string) int { return strings.Compare(b, a) }) || len(slices.Compact(slices.Clone(w.seen))) != len(w.seen) {
		p.t.Fatalf("a walk is out of order or repeats: %v", w.seen)
	}
	for _, id := range w.begun {
		if slices.Contains(now, id) && !slices.Contains(w.seen, id) {
			p.t.Fatalf("a walk skipped %s, which was there all the time", id)
		}
	}
}
