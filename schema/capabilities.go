package schema

// Capabilities are what the room can do to a client: hear of its life, put
// text in front of it, stop it, and reach it. What is false was not observed.
// Over MCP alone all of it is false: receiving is polling.
type Capabilities struct {
	Lifecycle LifecycleCapabilities `json:"lifecycle"`
	Context   ContextCapabilities   `json:"context"`
	Guards    GuardCapabilities     `json:"guards"`
	Delivery  DeliveryCapabilities  `json:"delivery"`
}

// LifecycleCapabilities say which ends of a session the client signals.
type LifecycleCapabilities struct {
	SessionStart bool `json:"sessionStart"`
	Resume       bool `json:"resume"`
	SessionEnd   bool `json:"sessionEnd"`
}

// ContextCapabilities say where text reaches the model.
type ContextCapabilities struct {
	Startup    bool `json:"startup"`
	BeforeTurn bool `json:"beforeTurn"`
	SafePoint  bool `json:"safePoint"`
}

// GuardCapabilities say which acts can be stopped.
type GuardCapabilities struct {
	BeforeRead  bool `json:"beforeRead"`
	BeforeWrite bool `json:"beforeWrite"`
	BeforeShell bool `json:"beforeShell"`
}

// DeliveryCapabilities say how messages reach the client.
type DeliveryCapabilities struct {
	NextTurn   bool `json:"nextTurn"`
	LivePush   bool `json:"livePush"`
	ReplyRoute bool `json:"replyRoute"`
}

// With is what two ways into one client can do together.
func (c Capabilities) With(o Capabilities) Capabilities {
	return Capabilities{
		Lifecycle: LifecycleCapabilities{
			SessionStart: c.Lifecycle.SessionStart || o.Lifecycle.SessionStart,
			Resume:       c.Lifecycle.Resume || o.Lifecycle.Resume,
			SessionEnd:   c.Lifecycle.SessionEnd || o.Lifecycle.SessionEnd,
		},
		Context: ContextCapabilities{
			Startup:    c.Context.Startup || o.Context.Startup,
			BeforeTurn: c.Context.BeforeTurn || o.Context.BeforeTurn,
			SafePoint:  c.Context.SafePoint || o.Context.SafePoint,
		},
		Guards: GuardCapabilities{
			BeforeRead:  c.Guards.BeforeRead || o.Guards.BeforeRead,
			BeforeWrite: c.Guards.BeforeWrite || o.Guards.BeforeWrite,
			BeforeShell: c.Guards.BeforeShell || o.Guards.BeforeShell,
		},
		Delivery: DeliveryCapabilities{
			NextTurn:   c.Delivery.NextTurn || o.Delivery.NextTurn,
			LivePush:   c.Delivery.LivePush || o.Delivery.LivePush,
			ReplyRoute: c.Delivery.ReplyRoute || o.Delivery.ReplyRoute,
		},
	}
}
