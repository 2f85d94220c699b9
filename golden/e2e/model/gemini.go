package model

import "encoding/json"

// readGemini reads a request for a stream of the Gemini API.
func readGemini(body []byte) (Seen, error) {
	var r struct {
		SystemInstruction any
		Contents          []map[string]any
		Tools             []struct {
			FunctionDeclarations []struct{ Name string }
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return Seen{}, err
	}
	items := make([]item, len(r.Contents))
	for i, c := range r.Contents {
		items[i] = item{c["role"] == "model", c}
	}
	var tools []string
	for _, t := range r.Tools {
		for _, f := range t.FunctionDeclarations {
			tools = append(tools, f.Name)
		}
	}
	return conversation(r.SystemInstruction, items, tools), nil
}

func speakGemini(s stream, blocks []Block) {
	parts := make([]object, len(blocks))
	for i, b := range blocks {
		parts[i] = object{"text": b.Text}
		if b.Tool != "" {
			args := b.Args
			if args == nil {
				args = map[string]any{}
			}
			parts[i] = object{"functionCall": object{"id": newID("call"), "name": b.Tool, "args": args}}
		}
	}
	s.data(object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": tokens, "candidatesTokenCount": tokens, "totalTokenCount": 2 * tokens},
		"modelVersion":  "scripted",
	})
}
