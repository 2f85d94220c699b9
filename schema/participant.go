package schema

// ParticipantKind says who stands behind a participant id.
type ParticipantKind string

// The kinds of participant.
const (
	Agent ParticipantKind = "agent"
	Human ParticipantKind = "human"
)

// Participant is a name that mail can be addressed to. It outlives sessions.
type Participant struct {
	SchemaVersion int             `json:"schemaVersion"`
	ParticipantID string          `json:"participantId"`
	DisplayName   string          `json:"displayName"`
	Kind          ParticipantKind `json:"kind" jsonschema:"enum=agent,enum=human"`
	CreatedAt     Time            `json:"createdAt"`
}

// Validate holds the record to contract §5.
func (p *Participant) Validate() error {
	v := checker{version: p.SchemaVersion}
	v.participant("participantId", p.ParticipantID)
	v.line("displayName", p.DisplayName, MaxLine)
	v.oneOf("kind", string(p.Kind), string(Agent), string(Human))
	v.at("createdAt", p.CreatedAt)
	return v.err
}

// SessionState is whether a session can still act.
type SessionState string

// The states of a session.
const (
	SessionOpen   SessionState = "open"
	SessionClosed SessionState = "closed"
)

// Enforcement says what a claim of a session can do: ask, or stop an edit.
type Enforcement string

// The levels of enforcement.
const (
	Advisory Enforcement = "advisory"
	Guarded  Enforcement = "guarded"
)

// Lifecycle says who reports presence: the client's own signals, or only the
// tool calls it makes.
type Lifecycle string

// The kinds of lifecycle.
const (
	Manual    Lifecycle = "manual"
	Automatic Lifecycle = "automatic"
)

// Session is one stay of a participant in the room. Its generation is a
// secret: the file is readable by its owner alone and no answer shows it.
type Session struct {
	SchemaVersion int          `json:"schemaVersion"`
	SessionID     string       `json:"sessionId"`
	ParticipantID string       `json:"participantId"`
	Generation    string       `json:"generation"`
	Harness       string       `json:"harness"`
	State         SessionState `json:"state" jsonschema:"enum=open,enum=closed"`
	CheckoutRoot  string       `json:"checkoutRoot"`
	Branch        string       `json:"branch"`
	Enforcement   Enforcement  `json:"enforcement" jsonschema:"enum=advisory,enum=guarded"`
	Lifecycle     Lifecycle    `json:"lifecycle" jsonschema:"enum=manual,enum=automatic"`
	StartedAt     Time         `json:"startedAt"`
	ClosedAt      *Time        `json:"closedAt"`
	HandoffID     *string      `json:"handoffId"`
	// What the client calls this session itself, the newest name last, and which
	// version of the client it is; both missing where the client does not say.
	ClientSessions []string `json:"clientSessions,omitempty"`
	ClientVersion  string   `json:"clientVersion,omitempty"`
}

// Validate holds the record to contract §5.
func (s *Session) Validate() error {
	v := checker{version: s.SchemaVersion}
	v.id("sessionId", IDSession, s.SessionID)
	v.participant("participantId", s.ParticipantID)
	v.hex("generation", s.Generation, 32)
	v.line("harness", s.Harness, MaxLine)
	v.oneOf("state", string(s.State), string(SessionOpen), string(SessionClosed))
	v.oneOf("enforcement", string(s.Enforcement), string(Advisory), string(Guarded))
	v.oneOf("lifecycle", string(s.Lifecycle), string(Manual), string(Automatic))
	v.at("startedAt", s.StartedAt)
	v.that("closedAt", (s.ClosedAt != nil) == (s.State == SessionClosed), "must be set exactly when the session is closed")
	if s.HandoffID != nil {
		v.id("handoffId", IDMessage, *s.HandoffID)
	}
	v.that("clientSessions", len(s.ClientSessions) <= MaxClientSessions, "has too many items")
	for _, id := range s.ClientSessions {
		v.line("clientSessions", id, MaxClientSession)
	}
	if s.ClientVersion != "" {
		v.line("clientVersion", s.ClientVersion, MaxClientSession)
	}
	return v.err
}

// Limits of what a client says of itself.
const (
	MaxClientSession  = 200 // code points
	MaxClientSessions = 8
)

// Presence is the sign of life of one process that serves a session. It is
// not durable: a lost or torn one means that nobody is there.
type Presence struct {
	SchemaVersion int    `json:"schemaVersion"`
	SessionID     string `json:"sessionId"`
	Host          string `json:"host"`
	PID           int    `json:"pid"`
	ProcessStart  string `json:"processStart"`
	HeartbeatAt   Time   `json:"heartbeatAt"`
}

// Validate holds the record to contract §5.
func (p *Presence) Validate() error {
	v := checker{version: p.SchemaVersion}
	v.id("sessionId", IDSession, p.SessionID)
	v.that("pid", p.PID >= 0, "must not be negative")
	v.at("heartbeatAt", p.HeartbeatAt)
	return v.err
}

// WorkMode says what kind of work an intent announces.
type WorkMode string

// WorkModes are the allowed modes, in the order of the tool's description.
func WorkModes() []string {
	return []string{"observe", "explore", "edit", "review", "coordinate", "wait"}
}

// WorkState says how the announced work goes. An intent in state done does
// not count for attention.
type WorkState string

// WorkDone is the state that takes an intent out of attention.
const WorkDone WorkState = "done"

// WorkStates are the allowed states; the first is the default.
func WorkStates() []string { return []string{"active", "blocked", "waiting", "done"} }

// Intent is what a session says it is doing. One a session.
type Intent struct {
	SchemaVersion int        `json:"schemaVersion"`
	SessionID     string     `json:"sessionId"`
	Summary       string     `json:"summary"`
	Mode          WorkMode   `json:"mode" jsonschema:"enum=observe,enum=explore,enum=edit,enum=review,enum=coordinate,enum=wait"`
	ResourceHints []Resource `json:"resourceHints"`
	State         WorkState  `json:"state" jsonschema:"enum=active,enum=blocked,enum=waiting,enum=done"`
	UpdatedAt     Time       `json:"updatedAt"`
}

// Validate holds the record to contract §5.
func (i *Intent) Validate() error {
	v := checker{version: i.SchemaVersion}
	v.id("sessionId", IDSession, i.SessionID)
	v.line("summary", i.Summary, MaxSummary)
	v.oneOf("mode", string(i.Mode), WorkModes()...)
	v.oneOf("state", string(i.State), WorkStates()...)
	v.resources("resourceHints", i.ResourceHints)
	v.at("updatedAt", i.UpdatedAt)
	return v.err
}
