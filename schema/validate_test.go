package schema

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestGoodRecords also proves that a record reads back as it was written.
func TestGoodRecords(t *testing.T) {
	for _, p := range published {
		for _, sample := range p.samples {
			data, err := Encode(sample)
			if err != nil {
				t.Errorf("%s: %v", p.name, err)
				continue
			}
			back := reflect.New(reflect.TypeOf(sample).Elem()).Interface().(Record)
			if err := Decode(data, back); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
			again, err := Encode(back)
			if err != nil || string(again) != string(data) {
				t.Errorf("%s: read back as\n%s, %v", p.name, again, err)
			}
		}
	}
}

// refused wants every change to make a good record invalid, and the refusal
// to name the field.
func refused[R any](t *testing.T, good func() *R, changes map[string]func(*R)) {
	t.Helper()
	for field, change := range changes {
		name, label, _ := strings.Cut(field, " ")
		r := good()
		change(r)
		err := any(r).(Record).Validate()
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s %s: got %v", name, label, err)
		}
		if err != nil && AsError(err).Code == CodeConflict {
			t.Errorf("%s %s: the code is %s", name, label, AsError(err).Code)
		}
	}
}

func TestValidateWorkspace(t *testing.T) {
	refused(t, aGoodWorkspace, map[string]func(*Workspace){
		"schemaVersion":       func(w *Workspace) { w.SchemaVersion = 2 },
		"schemaVersion unset": func(w *Workspace) { w.SchemaVersion = 0 },
		"formatVersion":       func(w *Workspace) { w.FormatVersion = 0 },
		"workspaceId":         func(w *Workspace) { w.WorkspaceID = aMessage },
		"createdAt":           func(w *Workspace) { w.CreatedAt = Time{} },
	})
}

func TestValidateParticipant(t *testing.T) {
	refused(t, aGoodParticipant, map[string]func(*Participant){
		"schemaVersion": func(p *Participant) { p.SchemaVersion = 0 },
		"participantId": func(p *Participant) { p.ParticipantID = "nul" },
		"displayName":   func(p *Participant) { p.DisplayName = "a\nb" },
		"kind":          func(p *Participant) { p.Kind = "robot" },
		"createdAt":     func(p *Participant) { p.CreatedAt = Time{} },
	})
}

func TestValidateSession(t *testing.T) {
	refused(t, aGoodSession, map[string]func(*Session){
		"sessionId":          func(s *Session) { s.SessionID = "session_x" },
		"participantId":      func(s *Session) { s.ParticipantID = "" },
		"generation short":   func(s *Session) { s.Generation = s.Generation[2:] },
		"generation no hex":  func(s *Session) { s.Generation = strings.Repeat("g", 32) },
		"harness":            func(s *Session) { s.Harness = "" },
		"state":              func(s *Session) { s.State = "asleep" },
		"enforcement":        func(s *Session) { s.Enforcement = "total" },
		"lifecycle":          func(s *Session) { s.Lifecycle = "" },
		"startedAt":          func(s *Session) { s.StartedAt = Time{} },
		"closedAt missing":   func(s *Session) { s.ClosedAt = nil },
		"closedAt too early": func(s *Session) { s.State = SessionOpen },
		"handoffId":          func(s *Session) { s.HandoffID = ptr(aClaim) },
	})
}

func TestValidatePresence(t *testing.T) {
	refused(t, aGoodPresence, map[string]func(*Presence){
		"sessionId":   func(p *Presence) { p.SessionID = aClaim },
		"pid":         func(p *Presence) { p.PID = -1 },
		"heartbeatAt": func(p *Presence) { p.HeartbeatAt = Time{} },
	})
}

func TestValidateIntent(t *testing.T) {
	refused(t, aGoodIntent, map[string]func(*Intent){
		"sessionId":             func(i *Intent) { i.SessionID = "" },
		"summary blank":         func(i *Intent) { i.Summary = " " },
		"summary long":          func(i *Intent) { i.Summary = strings.Repeat("a", MaxSummary+1) },
		"mode":                  func(i *Intent) { i.Mode = "sleep" },
		"state":                 func(i *Intent) { i.State = "" },
		"resourceHints null":    func(i *Intent) { i.ResourceHints = nil },
		"resourceHints many":    func(i *Intent) { i.ResourceHints = make([]Resource, MaxResources+1) },
		"resourceHints outside": func(i *Intent) { i.ResourceHints = []Resource{"file:/etc/passwd"} },
		"updatedAt":             func(i *Intent) { i.UpdatedAt = Time{} },
	})
}

func TestValidateClaim(t *testing.T) {
	refused(t, aGoodClaim, map[string]func(*Claim){
		"claimId":            func(c *Claim) { c.ClaimID = aMessage },
		"ownerSessionId":     func(c *Claim) { c.OwnerSessionID = "" },
		"ownerParticipantId": func(c *Claim) { c.OwnerParticipantID = "a b" },
		"resource form":      func(c *Claim) { c.Resource = "file:src//app.go" },
		"resource empty":     func(c *Claim) { c.Resource = "" },
		"mode":               func(c *Claim) { c.Mode = "total" },
		"enforcement":        func(c *Claim) { c.Enforcement = "" },
		"reason blank":       func(c *Claim) { c.Reason = ptr("") },
		"reason long":        func(c *Claim) { c.Reason = ptr(strings.Repeat("a", MaxReason+1)) },
		"acquiredAt":         func(c *Claim) { c.AcquiredAt = Time{} },
		"expiresAt":          func(c *Claim) { c.ExpiresAt = c.AcquiredAt },
	})
}

func TestValidateForcedRelease(t *testing.T) {
	refused(t, aGoodForcedRelease, map[string]func(*ForcedRelease){
		"claimId":            func(f *ForcedRelease) { f.ClaimID = aMessage },
		"resource":           func(f *ForcedRelease) { f.Resource = "src" },
		"ownerSessionId":     func(f *ForcedRelease) { f.OwnerSessionID = "" },
		"ownerParticipantId": func(f *ForcedRelease) { f.OwnerParticipantID = "a b" },
		"actorSessionId":     func(f *ForcedRelease) { f.ActorSessionID = aClaim },
		"actorParticipantId": func(f *ForcedRelease) { f.ActorParticipantID = "" },
		"authority":          func(f *ForcedRelease) { f.Authority = "root" },
		"reason blank":       func(f *ForcedRelease) { f.Reason = " " },
		"releasedAt":         func(f *ForcedRelease) { f.ReleasedAt = Time{} },
	})
}

func TestValidateSavedPair(t *testing.T) {
	good := func() *SavedPair {
		return &SavedPair{SchemaVersion: 1, ParticipantID: "ana", SessionID: aSession, Generation: strings.Repeat("0f", 16)}
	}
	refused(t, good, map[string]func(*SavedPair){
		"participantId":    func(p *SavedPair) { p.ParticipantID = "../ana" },
		"sessionId":        func(p *SavedPair) { p.SessionID = "" },
		"generation":       func(p *SavedPair) { p.Generation = strings.Repeat("0f", 15) },
		"generation words": func(p *SavedPair) { p.Generation = strings.Repeat("xy", 16) },
	})
}

func TestClaimIsLiveUntilItEnds(t *testing.T) {
	c := aGoodClaim()
	if !c.LiveAt(c.ExpiresAt.Add(-time.Millisecond)) {
		t.Error("the claim ends too early")
	}
	if c.LiveAt(c.ExpiresAt.Time) {
		t.Error("the claim goes on after its lease")
	}
}

func TestValidateMessage(t *testing.T) {
	refused(t, aGoodNote, map[string]func(*Message){
		"messageId":                func(m *Message) { m.MessageID = "message_1" },
		"threadId":                 func(m *Message) { m.ThreadID = aClaim },
		"threadId of another":      func(m *Message) { m.ThreadID = bMessage },
		"clientMessageId":          func(m *Message) { m.ClientMessageID = "" },
		"clientMessageId long":     func(m *Message) { m.ClientMessageID = strings.Repeat("a", MaxKey+1) },
		"workspaceId":              func(m *Message) { m.WorkspaceID = "" },
		"fromParticipantId":        func(m *Message) { m.FromParticipantID = "../alice" },
		"fromSessionId":            func(m *Message) { m.FromSessionID = aMessage },
		"toParticipantIds missing": func(m *Message) { m.ToParticipantIDs = nil },
		"toParticipantIds twice":   func(m *Message) { m.ToParticipantIDs = []string{"bob", "bob"} },
		"toParticipantIds many":    func(m *Message) { m.ToParticipantIDs = repeat("a", MaxRecipients+1) },
		"toParticipantIds bad":     func(m *Message) { m.ToParticipantIDs = []string{"a/b"} },
		"obligation":               func(m *Message) { m.Obligation = OweReply },
		"obligation unknown":       func(m *Message) { m.Obligation = "pay" },
		"obligation of no kind":    func(m *Message) { m.Kind = "poem" },
		"subject":                  func(m *Message) { m.Subject = "a\u2028b" },
		"subject long":             func(m *Message) { m.Subject = strings.Repeat("a", MaxLine+1) },
		"body":                     func(m *Message) { m.Body = "\x00" },
		"body long":                func(m *Message) { m.Body = strings.Repeat("a", MaxBodyBytes+1) },
		"inReplyTo":                func(m *Message) { m.InReplyTo = ptr("../../etc/passwd") },
		"artifacts null":           func(m *Message) { m.Artifacts = nil },
		"artifacts blank":          func(m *Message) { m.Artifacts = []string{""} },
		"handoff":                  func(m *Message) { m.Handoff = aGoodHandoff().Handoff },
		"decisionChange":           func(m *Message) { m.DecisionChange = aGoodDecision().DecisionChange },
		"sentAt":                   func(m *Message) { m.SentAt = Time{} },
	})
	refused(t, aGoodAnswer, map[string]func(*Message){
		"inReplyTo missing":   func(m *Message) { m.InReplyTo, m.ThreadID = nil, m.MessageID },
		"threadId of its own": func(m *Message) { m.ThreadID = m.MessageID },
	})
	refused(t, aGoodHandoff, map[string]func(*Message){
		"handoff missing":      func(m *Message) { m.Handoff = nil },
		"handoff.status":       func(m *Message) { m.Handoff.Status = "done" },
		"handoff.completed":    func(m *Message) { m.Handoff.Completed = nil },
		"handoff.remaining":    func(m *Message) { m.Handoff.Remaining = []string{" "} },
		"handoff.blockers":     func(m *Message) { m.Handoff.Blockers = repeat("a", MaxItems+1) },
		"handoff.verification": func(m *Message) { m.Handoff.Verification = nil },
		"git.commit":           func(m *Message) { m.Handoff.Git.Commit = "main" },
		"git.branch":           func(m *Message) { m.Handoff.Git.Branch = "a\nb" },
	})
	refused(t, aGoodDecision, map[string]func(*Message){
		"decisionChange.action":           func(m *Message) { m.DecisionChange.Action = "undo" },
		"decisionChange.messageIds empty": func(m *Message) { m.DecisionChange.MessageIDs = nil },
		"decisionChange.messageIds twice": func(m *Message) { m.DecisionChange.MessageIDs = []string{aMessage, aMessage} },
		"decisionChange.messageIds many":  func(m *Message) { m.DecisionChange.MessageIDs = repeat(aMessage, MaxDecisionRefs+1) },
		"decisionChange.messageIds bad":   func(m *Message) { m.DecisionChange.MessageIDs = []string{"../x"} },
	})
}

func TestValidateReceipt(t *testing.T) {
	refused(t, aGoodReceipt, map[string]func(*Receipt){
		"messageId":              func(r *Receipt) { r.MessageID = "" },
		"recipientParticipantId": func(r *Receipt) { r.RecipientParticipantID = "." },
		"state":                  func(r *Receipt) { r.State = "seen" },
		"updatedAt":              func(r *Receipt) { r.UpdatedAt = Time{} },
		"offered.transport":      func(r *Receipt) { r.Offered.Transport = "" },
		"offered.at":             func(r *Receipt) { r.Offered.At = Time{} },
	})
}

func TestValidateEvent(t *testing.T) {
	refused(t, aGoodEvent, map[string]func(*Event){
		"cursor form":           func(e *Event) { e.Cursor = "7" },
		"cursor zero":           func(e *Event) { e.Cursor = FormatCursor(0) },
		"type":                  func(e *Event) { e.Type = "message.read" },
		"actorSessionId":        func(e *Event) { e.ActorSessionID = "" },
		"occurredAt":            func(e *Event) { e.OccurredAt = Time{} },
		"payload.participantId": func(e *Event) { e.Payload.ParticipantID = "a b" },
		"payload.sessionId":     func(e *Event) { e.Payload.SessionID = aMessage },
		"payload.claimId":       func(e *Event) { e.Payload.ClaimID = "x" },
		"payload.messageId":     func(e *Event) { e.Payload.MessageID = "../x" },
		"payload.kind":          func(e *Event) { e.Payload.Kind = "poem" },
		"payload.state":         func(e *Event) { e.Payload.State = "seen" },
	})
}

func TestValidateKeyAndLink(t *testing.T) {
	refused(t, aGoodKey, map[string]func(*Key){
		"clientMessageId": func(k *Key) { k.ClientMessageID = "a\nb" },
		"messageId":       func(k *Key) { k.MessageID = "" },
	})
	refused(t, aGoodLink, map[string]func(*DecisionLink){
		"messageId":           func(l *DecisionLink) { l.MessageID = "" },
		"action missing":      func(l *DecisionLink) { l.Action = "" },
		"action alone":        func(l *DecisionLink) { l.MessageIDs = nil },
		"action unknown":      func(l *DecisionLink) { l.Action = "undo" },
		"messageIds bad":      func(l *DecisionLink) { l.MessageIDs = []string{"x"} },
		"messageIds too many": func(l *DecisionLink) { l.MessageIDs = repeat(aMessage, 17) },
	})
}

func TestTrim(t *testing.T) {
	refused(t, aGoodTrim, map[string]func(*Trim){
		"schemaVersion":  func(r *Trim) { r.SchemaVersion = 2 },
		"trimmedThrough": func(r *Trim) { r.TrimmedThrough = "0000000000000000" },
		"trimmedAt":      func(r *Trim) { r.TrimmedAt = Time{} },
	})
}
