package schema

import (
	"slices"
	"strings"
	"testing"
)

func TestValidateBinding(t *testing.T) {
	refused(t, aGoodBinding, map[string]func(*Binding){
		"schemaVersion":        func(b *Binding) { b.SchemaVersion = 2 },
		"participantId":        func(b *Binding) { b.ParticipantID = "nul" },
		"sessionId":            func(b *Binding) { b.SessionID = aClaim },
		"generation":           func(b *Binding) { b.Generation = "" },
		"adapterId blank":      func(b *Binding) { b.AdapterID = "" },
		"adapterId long":       func(b *Binding) { b.AdapterID = strings.Repeat("a", 33) },
		"adapterId outside":    func(b *Binding) { b.AdapterID = "../exec" },
		"adapterId upper case": func(b *Binding) { b.AdapterID = "Exec" },
		"adapterId digit":      func(b *Binding) { b.AdapterID = "1exec" },
		"modes null":           func(b *Binding) { b.Modes = nil },
		"modes unknown":        func(b *Binding) { b.Modes = []DeliveryMode{"telepathy"} },
		"pid":                  func(b *Binding) { b.PID = -1 },
		"leaseUntil":           func(b *Binding) { b.LeaseUntil = Time{} },
	})
	unsupported := aGoodBinding()
	unsupported.Modes = []DeliveryMode{}
	if err := unsupported.Validate(); err != nil || unsupported.Has(LivePush) || !aGoodBinding().Has(LivePush) {
		t.Errorf("a client that is not supported: %v", err)
	}
}

func TestValidatePolicy(t *testing.T) {
	refused(t, aGoodPolicy, map[string]func(*Policy){
		"schemaVersion":    func(p *Policy) { p.SchemaVersion = 0 },
		"participantId":    func(p *Policy) { p.ParticipantID = "" },
		"livePolicy":       func(p *Policy) { p.LivePolicy = "sometimes" },
		"livePolicy unset": func(p *Policy) { p.LivePolicy = "" },
	})
}

func TestValidateShown(t *testing.T) {
	refused(t, aGoodShown, map[string]func(*Shown){
		"schemaVersion":             func(s *Shown) { s.SchemaVersion = 0 },
		"participantId":             func(s *Shown) { s.ParticipantID = "a/b" },
		"named null":                func(s *Shown) { s.Named = nil },
		"held null":                 func(s *Shown) { s.Held = nil },
		"named and held, a claim":   func(s *Shown) { s.Named = []string{aClaim} },
		"named and held, a session": func(s *Shown) { s.Held = []string{aSession} },
		"handoff":                   func(s *Shown) { s.Handoff = "../x" },
	})
	fresh := aGoodShown()
	fresh.Handoff = ""
	if err := fresh.Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateAttempt(t *testing.T) {
	refused(t, aTriedReceipt, map[string]func(*Receipt){
		"attempt.transport": func(r *Receipt) { r.Attempt.Transport = "" },
		"attempt.at":        func(r *Receipt) { r.Attempt.At = Time{} },
		"attempt.errorCode": func(r *Receipt) { r.Attempt.ErrorCode = "gremlins" },
	})
	for _, code := range DeliveryErrors() {
		r := aTriedReceipt()
		r.Attempt.ErrorCode = code
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestPolicies(t *testing.T) {
	takes := map[DeliveryPolicy][]Obligation{
		"": nil, DeliverNothing: nil, DeliverActionable: {OweReply, OweAcknowledge}, DeliverAll: {OweReply, OweAcknowledge, OweNothing},
	}
	for policy, want := range takes {
		for _, o := range []Obligation{OweReply, OweAcknowledge, OweNothing} {
			if got := policy.Takes(o); got != slices.Contains(want, o) {
				t.Errorf("%q takes %s: %t", policy, o, got)
			}
		}
	}
}
