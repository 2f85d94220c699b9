package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"acc/schema"
	"acc/tools"
	"acc/tools/coordination"
)

// call runs a tool of the room with arguments, which are its JSON fields.
func (a *App) call(ctx context.Context, tool string, arguments map[string]any) (any, error) {
	return a.callAs(ctx, tool, arguments, func(*coordination.Room) {})
}

// callAs is call in a room that was prepared for it.
func (a *App) callAs(ctx context.Context, tool string, arguments map[string]any, prepare func(*coordination.Room)) (any, error) {
	raw, err := encode(arguments)
	if err != nil {
		return nil, err
	}
	return inRoom(ctx, a, func(ctx context.Context, room *coordination.Room) (any, error) {
		prepare(room)
		registry := tools.Registry{Tools: coordination.Tools(room)}
		t, ok := registry.Tool(tool)
		if !ok {
			return nil, fmt.Errorf("no tool %s", tool)
		}
		return t.Call(ctx, tools.Caller{}, raw)
	})
}

// encode writes arguments as JSON. Text that is not UTF-8 is refused here: Go
// would mend it on the way, and what is sent must be what was typed.
func encode(arguments map[string]any) (json.RawMessage, error) {
	for name, value := range arguments {
		texts, _ := value.([]string)
		if text, ok := value.(string); ok {
			texts = []string{text}
		}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				return nil, schema.Fail(schema.ReasonInvalidField, "%s: the text is not valid UTF-8.", name).With("field", name)
			}
		}
	}
	return json.Marshal(arguments)
}
