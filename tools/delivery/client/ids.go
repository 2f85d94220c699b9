package client

// The ids of the clients, as commands, configuration and evidence name them.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	Qwen     = "qwen"
	OpenCode = "opencode"
)

// IDs are all clients, in the order of help and of the capability table.
func IDs() []string { return []string{Claude, Codex, Gemini, Qwen, OpenCode} }

// Event is a moment in the life of a client at which it runs a hook, under a
// name that all clients share.
type Event string

// The events.
const (
	SessionStart Event = "session-start"
	BeforeTurn   Event = "before-turn"
	BeforeTool   Event = "before-tool"
	AfterTool    Event = "after-tool"
	Stop         Event = "stop"
	SessionEnd   Event = "session-end"
)

// Events are all events, in the order in which a session meets them.
func Events() []Event {
	return []Event{SessionStart, BeforeTurn, BeforeTool, AfterTool, Stop, SessionEnd}
}

// NativeEvent is what a client calls an event itself, "" when it has none.
func NativeEvent(id string, e Event) string { return dialects[id].events[e] }

// Harness is the name that a client's own MCP client introduces itself with,
// so that its hooks and its tool calls speak of one and the same program.
func Harness(id string) string { return dialects[id].harness }
