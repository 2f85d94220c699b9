package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"acc/schema"
)

// Bounds of an error as a client gets it. details.conflicts is not counted:
// whoever is refused needs to see every claim in the way.
const (
	maxError   = 1900 // bytes, under the 2,000 that clients are promised
	maxMessage = 600  // code points
)

// errPanic stands for a panic, which has been logged where it happened.
var errPanic = errors.New("panic")

// render is the text of a value: its JSON with two-space indent.
func render(value any, q quirks) ([]byte, error) {
	text, err := format(value)
	if err == nil && q.wrapArrays && text[0] == '[' {
		return format(struct {
			Result json.RawMessage `json:"result"`
		}{text})
	}
	return text, err
}

func format(value any) ([]byte, error) {
	text, err := schema.Format(value)
	return bytes.TrimSpace(text), err
}

// errorView is the form of a failure (contract of the results).
type errorView struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    schema.Code    `json:"code"`
	Reason  schema.Reason  `json:"reason"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// renderError is the text of a failure, cut to its bound.
func renderError(e *schema.Error) []byte {
	body := errorBody{e.Code, e.Reason, cutText(e.Message, maxMessage), map[string]any{}}
	for name, value := range e.Details {
		if _, err := json.Marshal(value); err == nil {
			body.Details[name] = value
		}
	}
	conflicts, has := body.Details["conflicts"]
	delete(body.Details, "conflicts")
	for len(body.render()) > maxError {
		if len(body.Details) > 0 {
			delete(body.Details, largest(body.Details))
		} else {
			body.Message = cutText(body.Message, utf8.RuneCountInString(body.Message)/2)
		}
	}
	if has {
		body.Details["conflicts"] = conflicts
	}
	return body.render()
}

func (b errorBody) render() []byte {
	text, err := format(errorView{b})
	if err != nil {
		panic(err) // strings, and details that have been encoded before
	}
	return text
}

// largest names the detail that takes most room.
func largest(details map[string]any) string {
	name, size := "", -1
	for n, v := range details {
		b, _ := json.Marshal(v)
		if len(b) > size || len(b) == size && n < name {
			name, size = n, len(b)
		}
	}
	return name
}

// cutText shortens s to at most n code points, which is at least one.
func cutText(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}
