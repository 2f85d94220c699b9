package model

import "encoding/json"

// readMessages reads a request of the Anthropic Messages API.
func readMessages(body []byte) (Seen, error) {
	var r struct {
		System   any
		Messages []map[string]any
		Tools    []struct{ Name string }
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return Seen{}, err
	}
	items := make([]item, len(r.Messages))
	for i, m := range r.Messages {
		items[i] = item{m["role"] == "assistant", m}
	}
	var tools []string
	for _, t := range r.Tools {
		tools = append(tools, t.Name)
	}
	return conversation(r.System, items, tools), nil
}

func speakMessages(s stream, blocks []Block) {
	stop := "end_turn"
	s.named(object{"type": "message_start", "message": object{
		"id": newID("msg"), "type": "message", "role": "assistant", "model": "scripted", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": tokens, "output_tokens": 1},
	}})
	for i, b := range blocks {
		start := object{"type": "text", "text": ""}
		delta := object{"type": "text_delta", "text": b.Text}
		if b.Tool != "" {
			stop = "tool_use"
			start = object{"type": "tool_use", "id": newID("toolu"), "name": b.Tool, "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": encoded(b.Args)}
		}
		s.named(object{"type": "content_block_start", "index": i, "content_block": start})
		s.named(object{"type": "content_block_delta", "index": i, "delta": delta})
		s.named(object{"type": "content_block_stop", "index": i})
	}
	s.named(object{
		"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": tokens},
	})
	s.named(object{"type": "message_stop"})
}
