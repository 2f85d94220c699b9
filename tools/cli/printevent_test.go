package cli

import (
	"strings"
	"testing"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

// happenings are an event of every type, as far as it is known, and what a
// line says of it.
func happenings() map[string]coordination.Happening {
	const session, handoff = "session_01m8pr5a7bx893m3236nwvprh5", "message_01m8pr5b6k4939zmgnfp20gdya"
	reason := "splitting\x1b[2J"
	claim := &schema.Claim{
		ClaimID: "claim_01m8pr5a94nn791byzh9mcnr92", Resource: "file:src/a.go", Mode: schema.Exclusive, OwnerParticipantID: "alice",
		Reason: &reason, ExpiresAt: schema.At(noon.Add(30 * time.Minute)),
	}
	mail := &coordination.Addressed{
		Summary:          coordination.Summary{MessageID: handoff, FromParticipantID: "bob", Kind: schema.Question, Subject: "why\u202e?"},
		ToParticipantIDs: []string{"alice"},
	}
	of := func(kind schema.EventType, h coordination.Happening) coordination.Happening {
		h.Type, h.SessionID, h.ParticipantID, h.OccurredAt = kind, session, "alice", schema.At(noon)
		return h
	}
	onClaim := func(kind schema.EventType, c *schema.Claim) coordination.Happening {
		return of(kind, coordination.Happening{Claim: c, Payload: schema.Payload{ClaimID: claim.ClaimID}})
	}
	onMail := func(kind schema.EventType, p schema.Payload) coordination.Happening {
		p.MessageID = handoff
		return of(kind, coordination.Happening{Message: mail, Payload: p})
	}
	taken := onClaim(schema.EventClaimForced, nil)
	taken.Forced = &schema.ForcedRelease{Resource: "file:src/a.go", OwnerParticipantID: "bob", Reason: "bob is away"}
	unknown := of(schema.EventIntentCleared, coordination.Happening{})
	unknown.ParticipantID = ""
	return map[string]coordination.Happening{
		"alice joined the room": of(schema.EventParticipantJoined, coordination.Happening{}),
		"alice is here (codex on feature-a)": of(schema.EventSessionOpened,
			coordination.Happening{Session: &coordination.Arrival{Harness: "codex", Branch: "feature-a"}}),
		"alice is here": of(schema.EventSessionOpened, coordination.Happening{}),
		"alice left":    of(schema.EventSessionClosed, coordination.Happening{}),
		"alice left, with handoff " + handoff: of(schema.EventSessionClosed,
			coordination.Happening{Message: mail, Payload: schema.Payload{MessageID: handoff}}),
		"alice: split (edit, active)": of(schema.EventIntentSet,
			coordination.Happening{Intent: &schema.Intent{Summary: "split", Mode: "edit", State: "active"}}),
		"alice announced work":                                                                     of(schema.EventIntentSet, coordination.Happening{}),
		session + " took its intent back":                                                          unknown,
		"alice claimed " + claim.ClaimID:                                                           onClaim(schema.EventClaimAcquired, nil),
		"alice released file:src/a.go":                                                             onClaim(schema.EventClaimReleased, claim),
		"the lease of alice on file:src/a.go ended":                                                onClaim(schema.EventClaimExpired, claim),
		"the lease of its holder on " + claim.ClaimID + " ended":                                   onClaim(schema.EventClaimExpired, nil),
		"alice took file:src/a.go from bob: bob is away":                                           taken,
		"alice renewed file:src/a.go (exclusive, until 2026-11-30 12:30:00)":                       onClaim(schema.EventClaimRenewed, claim),
		"alice claimed file:src/a.go (exclusive, until 2026-11-30 12:30:00): splitting<U+001B>[2J": onClaim(schema.EventClaimAcquired, claim),
		"bob → alice  question  why<U+202E>?  " + handoff:                                          onMail(schema.EventMessageSent, schema.Payload{}),
		"came with the code: bob → alice  question  why<U+202E>?  " + handoff:                      onMail(schema.EventMessageImported, schema.Payload{}),
		"codex: question of bob is retrieved  " + handoff: onMail(schema.EventReceiptRetrieved,
			schema.Payload{ParticipantID: "codex", State: schema.Retrieved}),
	}
}

func TestEventWords(t *testing.T) {
	for want, h := range happenings() {
		p := fixedPage()
		p.event(h)
		if got := p.buf.String(); got != "2026-11-30 12:00:00  "+want+"\n" {
			t.Errorf("%s: %q, want %q", h.Type, got, want)
		}
	}
}

// TestEveryEventHasWords finds a type that was added to the vocabulary and not
// to what people read.
func TestEveryEventHasWords(t *testing.T) {
	shown := map[schema.EventType]bool{schema.EventReceiptOffered: true, schema.EventReceiptAcked: true} // as retrieved
	for _, h := range happenings() {
		shown[h.Type] = true
	}
	for _, kind := range schema.EventTypes() {
		if !shown[kind] {
			t.Errorf("%s is in no example", kind)
		}
	}
	p := fixedPage()
	p.event(coordination.Happening{Type: "moon.risen", ParticipantID: "alice"})
	if !strings.Contains(p.buf.String(), "moon.risen") {
		t.Errorf("an unknown event says %q", &p.buf)
	}
}
