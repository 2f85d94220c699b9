package model

import (
	"encoding/json"
	"strings"
)

// readResponses reads a request of the OpenAI Responses API.
func readResponses(body []byte) (Seen, error) {
	var r struct {
		Instructions any
		Input        []map[string]any
		Tools        []struct {
			Name, Type string
			Tools      []struct{ Name string }
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return Seen{}, err
	}
	items := make([]item, len(r.Input))
	for i, m := range r.Input {
		kind, _ := m["type"].(string)
		items[i] = item{m["role"] == "assistant" || kind == "reasoning" || strings.HasSuffix(kind, "_call"), m}
	}
	var tools []string
	for _, t := range r.Tools {
		tools = append(tools, t.Name)
		for _, inner := range t.Tools {
			tools = append(tools, t.Name+"."+inner.Name)
		}
	}
	return conversation(r.Instructions, items, tools), nil
}

func speakResponses(s stream, blocks []Block) {
	output := make([]object, len(blocks))
	for i, b := range blocks {
		output[i] = responseItem(b)
	}
	response := object{"id": newID("resp"), "object": "response", "model": "scripted", "status": "in_progress", "output": []any{}}
	s.named(object{"type": "response.created", "response": response})
	for i, o := range output {
		s.named(object{"type": "response.output_item.added", "output_index": i, "item": o})
		if blocks[i].Tool == "" {
			s.named(object{
				"type": "response.output_text.delta", "item_id": o["id"], "output_index": i,
				"content_index": 0, "delta": blocks[i].Text,
			})
		}
		s.named(object{"type": "response.output_item.done", "output_index": i, "item": o})
	}
	s.named(object{"type": "response.completed", "response": object{
		"id": response["id"], "object": "response", "model": "scripted", "status": "completed", "output": output,
		"usage": object{"input_tokens": tokens, "output_tokens": tokens, "total_tokens": 2 * tokens},
	}})
}

func responseItem(b Block) object {
	switch {
	case b.Tool == "":
		return object{
			"type": "message", "id": newID("msg"), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": b.Text, "annotations": []any{}}},
		}
	case b.Freeform != "":
		return object{
			"type": "custom_tool_call", "id": newID("ctc"), "call_id": newID("call"), "status": "completed",
			"name": b.Tool, "input": b.Freeform,
		}
	}
	call := object{
		"type": "function_call", "id": newID("fc"), "call_id": newID("call"), "status": "completed",
		"name": b.Tool, "arguments": encoded(b.Args),
	}
	if b.Namespace != "" {
		call["namespace"] = b.Namespace
	}
	return call
}
