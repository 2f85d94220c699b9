package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The revisions that are served.
const (
	rev2506 = "2025-06-18"
	rev2511 = "2025-11-25"
	rev2026 = "2026-07-28"
)

// object is a JSON object of which a test looks at few fields.
type object = map[string]any

// args are the arguments of a tool.
type args = map[string]any

// answer is one response.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// toolResult is the result of tools/call.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// connect starts a server and opens the initialized era.
func connect(t testing.TB, l launch) *server {
	t.Helper()
	s := start(t, l)
	s.initialize(rev2511)
	return s
}

// join starts a server for a participant of a workspace.
func join(t testing.TB, participant, workspace string) *server {
	t.Helper()
	return connect(t, launch{participant: participant, workspace: workspace})
}

const initializedLine = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

func initializeLine(version string) string {
	return request("0", "initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}`, version))
}

// initialize opens the era and returns the revision that was agreed.
func (s *server) initialize(version string) string {
	s.t.Helper()
	s.send(initializeLine(version), initializedLine)
	var result struct{ ProtocolVersion string }
	s.decode(s.answer().Result, &result)
	return result.ProtocolVersion
}

// request is one line; params may be "".
func request(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
}

func callLine(id, tool string, arguments any) string {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // a test gave what is no JSON
	}
	return request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, encoded))
}

// answer is the next line as a response.
func (s *server) answer() answer {
	s.t.Helper()
	line := s.next()
	var a answer
	s.decode([]byte(line), &a)
	return a
}

func (s *server) decode(data []byte, into any) {
	s.t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		s.t.Fatalf("%v in %.300q", err, data)
	}
}

// request sends one request and returns its answer.
func (s *server) request(method, params string) answer {
	s.t.Helper()
	s.lastID++
	id := fmt.Sprint(s.lastID)
	s.send(request(id, method, params))
	a := s.answer()
	if string(a.ID) != id {
		s.t.Fatalf("%s: the answer has id %s, want %s", method, a.ID, id)
	}
	return a
}

// try calls a tool. Text and structured content must say the same.
func (s *server) try(tool string, arguments any) toolResult {
	s.t.Helper()
	s.lastID++
	s.send(callLine(fmt.Sprint(s.lastID), tool, arguments))
	a := s.answer()
	if a.Error != nil {
		s.t.Fatalf("%s: JSON-RPC error %d: %s", tool, a.Error.Code, a.Error.Message)
	}
	return s.result(a)
}

func (s *server) result(a answer) toolResult {
	s.t.Helper()
	var r toolResult
	s.decode(a.Result, &r)
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		s.t.Fatalf("want one text, got %s", a.Result)
	}
	return r
}

// call wants success and returns the value.
func (s *server) call(tool string, arguments any) object {
	s.t.Helper()
	r := s.try(tool, arguments)
	if r.IsError {
		s.t.Fatalf("%s %v: %s", tool, arguments, r.Content[0].Text)
	}
	var value object
	s.decode([]byte(r.Content[0].Text), &value)
	return value
}

// refused wants a failure of that reason and returns its error object.
func (s *server) refused(reason, tool string, arguments any) object {
	s.t.Helper()
	r := s.try(tool, arguments)
	var value struct{ Error object }
	s.decode([]byte(r.Content[0].Text), &value)
	if !r.IsError || value.Error["reason"] != reason {
		s.t.Errorf("%s %v: want reason %s, got %s", tool, arguments, reason, r.Content[0].Text)
	}
	return value.Error
}

// at walks into a decoded value: a string is a member, an int an element.
func at(t testing.TB, value any, path ...any) any {
	t.Helper()
	for i, step := range path {
		switch key := step.(type) {
		case string:
			member, ok := value.(object)
			if !ok {
				t.Fatalf("no object at %v in %v", path[:i], value)
			}
			value = member[key]
		case int:
			list, ok := value.([]any)
			if !ok || key >= len(list) {
				t.Fatalf("no element at %v in %v", path[:i+1], value)
			}
			value = list[key]
		}
	}
	return value
}

// text is at, for strings.
func text(t testing.TB, value any, path ...any) string {
	t.Helper()
	s, ok := at(t, value, path...).(string)
	if !ok {
		t.Fatalf("no text at %v in %v", path, value)
	}
	return s
}

// list is at, for arrays.
func list(t testing.TB, value any, path ...any) []any {
	t.Helper()
	l, ok := at(t, value, path...).([]any)
	if !ok {
		t.Fatalf("no list at %v in %v", path, value)
	}
	return l
}

// note sends one note and returns its id.
func (s *server) note(to []string, subject string) string {
	s.t.Helper()
	sent := s.call("acc_message", args{"to": to, "subject": subject, "body": strings.Repeat("x", 10)})
	return text(s.t, sent, "message", "messageId")
}
