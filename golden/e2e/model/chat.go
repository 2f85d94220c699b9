package model

import (
	"encoding/json"
	"fmt"
)

// readChat reads a request of the OpenAI Chat Completions API.
func readChat(body []byte) (Seen, error) {
	var r struct {
		Messages []map[string]any
		Tools    []struct{ Function struct{ Name string } }
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
		tools = append(tools, t.Function.Name)
	}
	return conversation(nil, items, tools), nil
}

func speakChat(s stream, blocks []Block) {
	id := newID("chatcmpl")
	chunk := func(delta object, finish any) {
		s.data(object{
			"id": id, "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
			"usage":   object{"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": 2 * tokens},
		})
	}
	calls := 0
	for _, b := range blocks {
		if b.Tool == "" {
			chunk(object{"role": "assistant", "content": b.Text}, nil)
			continue
		}
		chunk(object{"role": "assistant", "tool_calls": []object{{
			"index": calls, "id": newID("call"), "type": "function",
			"function": object{"name": b.Tool, "arguments": encoded(b.Args)},
		}}}, nil)
		calls++
	}
	finish := "stop"
	if calls > 0 {
		finish = "tool_calls"
	}
	chunk(object{}, finish)
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}
