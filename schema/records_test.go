package schema

import "time"

// Ids of the records below. Their order is the order of time.
const (
	aWorkspace = "workspace_01k5x0f4e2m9v8r7c6b5a4z3y0"
	aSession   = "session_01k5x0f4e2m9v8r7c6b5a4z3y1"
	aMessage   = "message_01k5x0f4e2m9v8r7c6b5a4z3y2"
	bMessage   = "message_01k5x0f4e2m9v8r7c6b5a4z3y3"
	aClaim     = "claim_01k5x0f4e2m9v8r7c6b5a4z3y4"
)

func noon() Time { return At(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)) }

func later() Time { return At(noon().Add(time.Minute)) }

func ptr[T any](v T) *T { return &v }

// Good records, complete: every optional part is there.

func aGoodWorkspace() *Workspace {
	return &Workspace{SchemaVersion: 1, FormatVersion: 1, WorkspaceID: aWorkspace, CreatedAt: noon()}
}

func aGoodParticipant() *Participant {
	return &Participant{SchemaVersion: 1, ParticipantID: "bob", DisplayName: "Bob", Kind: Human, CreatedAt: noon()}
}

func aGoodSession() *Session {
	return &Session{
		SchemaVersion: 1, SessionID: aSession, ParticipantID: "bob", Generation: "00112233445566778899aabbccddeeff",
		Harness: "codex", State: SessionClosed, CheckoutRoot: "/home/bob/project", Branch: "main", Enforcement: Advisory,
		Lifecycle: Manual, StartedAt: noon(), ClosedAt: ptr(later()), HandoffID: ptr(aMessage),
	}
}

func aGoodPresence() *Presence {
	return &Presence{SchemaVersion: 1, SessionID: aSession, Host: "box", PID: 7, ProcessStart: "99", HeartbeatAt: noon()}
}

func aGoodIntent() *Intent {
	return &Intent{
		SchemaVersion: 1, SessionID: aSession, Summary: "split the parser", Mode: "edit",
		ResourceHints: []Resource{"file:src/**", "issue:42"}, State: "active", UpdatedAt: noon(),
	}
}

func aGoodClaim() *Claim {
	return &Claim{
		SchemaVersion: 1, ClaimID: aClaim, OwnerSessionID: aSession, OwnerParticipantID: "bob", Resource: "file:src/app.go",
		Mode: Exclusive, Enforcement: Advisory, Reason: ptr("parser"), AcquiredAt: noon(), ExpiresAt: later(),
	}
}

func aGoodForcedRelease() *ForcedRelease {
	return &ForcedRelease{
		SchemaVersion: 1, ClaimID: aClaim, Resource: "file:src/app.go", OwnerSessionID: aSession, OwnerParticipantID: "bob",
		ActorSessionID: aSession, ActorParticipantID: "ana", Authority: AuthorityHuman, Reason: "bob is on holiday", ReleasedAt: noon(),
	}
}

func aGoodNote() *Message {
	return &Message{
		SchemaVersion: 1, MessageID: aMessage, ThreadID: aMessage, ClientMessageID: "plan-1", WorkspaceID: aWorkspace,
		FromParticipantID: "alice", FromSessionID: aSession, ToParticipantIDs: []string{"bob"}, Kind: Note, Obligation: OweNothing,
		Subject: "plan", Body: "one\n\ttwo", Artifacts: []string{}, SentAt: noon(),
	}
}

func aGoodAnswer() *Message {
	m := aGoodNote()
	m.MessageID, m.Kind, m.InReplyTo = bMessage, Answer, ptr(aMessage)
	return m
}

func aGoodHandoff() *Message {
	m := aGoodNote()
	m.Kind, m.Obligation = Handoff, OweAcknowledge
	m.Handoff = &HandoffNote{
		Status: "partial", Completed: []string{"parser split"}, Remaining: []string{"tests"}, Blockers: []string{},
		Verification: []string{}, Git: &GitFacts{Commit: "0123456789abcdef0123456789abcdef01234567", Branch: "main", Dirty: true},
	}
	return m
}

func aGoodDecision() *Message {
	m := aGoodNote()
	m.MessageID, m.ThreadID, m.Kind = bMessage, bMessage, Decision
	m.DecisionChange = &DecisionChange{Action: Replace, MessageIDs: []string{aMessage}}
	return m
}

func aGoodReceipt() *Receipt {
	return &Receipt{
		SchemaVersion: 1, MessageID: aMessage, RecipientParticipantID: "bob", State: Offered, UpdatedAt: noon(),
		Offered: &Offer{Transport: "codex", At: noon()},
	}
}

func aTriedReceipt() *Receipt {
	return &Receipt{
		SchemaVersion: 1, MessageID: aMessage, RecipientParticipantID: "bob", State: Queued, UpdatedAt: noon(),
		Attempt: &Attempt{Transport: "exec", At: later(), ErrorCode: RecipientBusy},
	}
}

func aGoodEvent() *Event {
	return &Event{
		SchemaVersion: 1, Cursor: "0000000000000007", Type: EventMessageSent, ActorSessionID: aSession, OccurredAt: noon(),
		Payload: Payload{
			ParticipantID: "bob", SessionID: aSession, ClaimID: aClaim, MessageID: aMessage, Kind: Note, State: Queued,
		},
	}
}

func aGoodKey() *Key {
	return &Key{SchemaVersion: 1, ClientMessageID: "plan-1", MessageID: aMessage}
}

func aGoodLink() *DecisionLink {
	return &DecisionLink{SchemaVersion: 1, MessageID: bMessage, Action: Withdraw, MessageIDs: []string{aMessage}}
}

func aGoodTrim() *Trim {
	return &Trim{SchemaVersion: 1, TrimmedThrough: "0000000000001000", TrimmedAt: noon()}
}

// Records below run/, which have no schema file.

func aGoodBinding() *Binding {
	return &Binding{
		SchemaVersion: 1, ParticipantID: "bob", SessionID: aSession, Generation: "00112233445566778899aabbccddeeff", AdapterID: "exec",
		ClientVersion: "2.1", Modes: []DeliveryMode{NextTurn, LivePush, ReplyRoute},
		Capabilities: Capabilities{Delivery: DeliveryCapabilities{LivePush: true}}, Host: "box", PID: 7, ProcessStart: "99", LeaseUntil: later(),
	}
}

func aGoodPolicy() *Policy {
	return &Policy{SchemaVersion: 1, ParticipantID: "bob", LivePolicy: DeliverActionable}
}

func aGoodShown() *Shown {
	return &Shown{SchemaVersion: 1, ParticipantID: "bob", Named: []string{aMessage}, Held: []string{bMessage}, Handoff: aMessage}
}
