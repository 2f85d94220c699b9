package model

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// wire is one client's way to ask for a turn and what the answer must hold.
type wire struct {
	name, path, first, later string
	call                     Call
	want                     []string
}

var wires = []wire{
	{
		"messages", "/v1/messages?beta=true",
		`{"system":[{"type":"text","text":"rules"}],"messages":[{"role":"user","content":"begin"}],"tools":[{"name":"Edit"}]}`,
		`{"messages":[{"role":"user","content":"begin"},{"role":"assistant","content":[{"type":"text","text":"one"}]},
		  {"role":"user","content":[{"type":"tool_result","content":"the question"}]}],"tools":[{"name":"Edit"}]}`,
		Call{Tool: "Edit", Args: map[string]any{"path": "a"}},
		[]string{"event: content_block_delta", `"name":"Edit"`, `"partial_json":"{\"path\":\"a\"}"`, `"stop_reason":"tool_use"`},
	},
	{
		"responses", "/v1/responses",
		`{"instructions":"rules","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"begin"}]}],
		  "tools":[{"type":"namespace","name":"mcp__acc","tools":[{"name":"acc_reply"}]}]}`,
		`{"input":[{"role":"user","content":"begin"},{"type":"reasoning"},{"type":"custom_tool_call","input":"one"},
		  {"type":"custom_tool_call_output","output":"the question"}],"tools":[{"type":"custom","name":"apply_patch"}]}`,
		Call{Tool: "acc_reply", Namespace: "mcp__acc", Args: map[string]any{"path": "a"}},
		[]string{`"namespace":"mcp__acc"`, `"arguments":"{\"path\":\"a\"}"`, `"type":"response.completed"`},
	},
	{
		"freeform", "/v1/responses",
		`{"input":[{"role":"user","content":"begin rules"}],"tools":[{"type":"custom","name":"apply_patch"}]}`,
		`{"input":[{"role":"user","content":"begin"},{"role":"assistant","content":"one"},{"role":"user","content":"the question"}],
		  "tools":[{"type":"custom","name":"apply_patch"}]}`,
		Call{Tool: "apply_patch", Freeform: "*** Begin"},
		[]string{`"type":"custom_tool_call"`, `"input":"*** Begin"`},
	},
	{
		"chat", "/v1/chat/completions",
		`{"messages":[{"role":"system","content":"rules"},{"role":"user","content":"begin"}],"tools":[{"function":{"name":"edit"}}]}`,
		`{"messages":[{"role":"user","content":"begin"},{"role":"assistant","content":"one"},{"role":"tool","content":"the question"}],
		  "tools":[{"function":{"name":"edit"}}]}`,
		Call{Tool: "edit", Args: map[string]any{"path": "a"}},
		[]string{`"arguments":"{\"path\":\"a\"}"`, `"finish_reason":"tool_calls"`, "data: [DONE]"},
	},
	{
		"gemini", "/v1beta/models/x:streamGenerateContent?alt=sse",
		`{"systemInstruction":{"parts":[{"text":"rules"}]},"contents":[{"role":"user","parts":[{"text":"begin"}]}],
		  "tools":[{"functionDeclarations":[{"name":"replace"}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"begin"}]},{"role":"model","parts":[{"text":"one"}]},
		  {"role":"user","parts":[{"functionResponse":{"response":{"output":"the question"}}}]}],"tools":[{"functionDeclarations":[{"name":"replace"}]}]}`,
		Call{Tool: "replace", Args: map[string]any{"path": "a"}},
		[]string{`"functionCall":{"args":{"path":"a"}`, `"name":"replace"`},
	},
}

func TestEachWireForm(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := Start(t, Reply(Say("one")), Reply(Use(w.call)))
			if got := ask(t, s, w.path, w.first); !strings.Contains(got, `"one"`) {
				t.Errorf("the first turn is %s, want the text one", got)
			}
			got := ask(t, s, w.path, w.later)
			for _, want := range w.want {
				if !strings.Contains(got, want) {
					t.Errorf("the call is\n%s\nwant %s in it", got, want)
				}
			}
			if !s.Saw("rules") || !strings.Contains(s.Turn(0), "begin") {
				t.Errorf("the first turn showed %q", s.Seen()[0].All())
			}
			if got := s.Turn(1); !strings.Contains(got, "the question") || strings.Contains(got, "begin") {
				t.Errorf("new with the second turn was %q, want the question alone", got)
			}
		})
	}
}

func TestARepeatedRequestGetsTheSameAnswer(t *testing.T) {
	s := Start(t, Reply(Say("one")), Reply(Say("two")))
	for range 2 {
		if got := ask(t, s, wires[0].path, wires[0].first); !strings.Contains(got, `"one"`) {
			t.Errorf("the turn is %s, want the text one", got)
		}
	}
	if got := len(s.Seen()); got != 1 {
		t.Errorf("the model counts %d turns, want 1", got)
	}
}

func TestAResumedConversationBeginsTheScript(t *testing.T) {
	s := Start(t, Reply(Say("one")))
	if got := ask(t, s, wires[0].path, wires[0].later); !strings.Contains(got, `"one"`) {
		t.Errorf("the turn is %s, want the text one", got)
	}
	if got := s.Turn(0); strings.Contains(got, "begin") {
		t.Errorf("new with the turn was %q, which holds what was said before", got)
	}
}

func TestWhatIsNoTurn(t *testing.T) {
	s := Start(t, Reply(Say("one")))
	title := `{"messages":[{"role":"user","content":"a title, please"}]}`
	if got := ask(t, s, "/v1/messages", title); !strings.Contains(got, `"ok"`) || len(s.Seen()) != 0 {
		t.Errorf("a request without tools got %s and counts as %d turns", got, len(s.Seen()))
	}
	ask(t, s, "/elsewhere", title)
	ask(t, s, "/v1/messages", "{")
	if got := s.Failures(); len(got) != 2 {
		t.Errorf("the model could not make sense of %q, want two requests", got)
	}
}

func ask(t *testing.T, s *Server, path, body string) string {
	t.Helper()
	answer, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
