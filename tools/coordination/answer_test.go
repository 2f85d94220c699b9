package coordination

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

// answer is a result as a client decodes it.
type answer struct {
	t     *testing.T
	text  string
	value any
}

func answerOf(t *testing.T, value any) answer {
	t.Helper()
	text, err := schema.Format(value)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{t: t, text: string(text)}
	if err := json.Unmarshal(text, &a.value); err != nil {
		t.Fatal(err)
	}
	return a
}

// at walks down a path such as items.0.message.subject.
func (a answer) at(path string) any {
	a.t.Helper()
	value := a.value
	for _, step := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			inner, there := v[step]
			if !there {
				a.t.Fatalf("there is no %s in\n%s", path, a.text)
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				a.t.Fatalf("there is no %s in\n%s", path, a.text)
			}
			value = v[i]
		default:
			a.t.Fatalf("there is no %s in\n%s", path, a.text)
		}
	}
	return value
}

func (a answer) str(path string) string {
	a.t.Helper()
	s, ok := a.at(path).(string)
	if !ok {
		a.t.Fatalf("%s is no string in\n%s", path, a.text)
	}
	return s
}

// list is an array of the answer; the path "" is the answer itself.
func (a answer) list(path string) []any {
	a.t.Helper()
	value := a.value
	if path != "" {
		value = a.at(path)
	}
	list, ok := value.([]any)
	if !ok {
		a.t.Fatalf("%q is no array in\n%s", path, a.text)
	}
	return list
}

// want compares a part of the answer with JSON.
func (a answer) want(path, text string) {
	a.t.Helper()
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		a.t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(want, a.at(path)); diff != "" {
		a.t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// column collects one member of every item of a list.
func (a answer) column(list, member string) []string {
	a.t.Helper()
	column := []string{}
	for i := range a.list(list) {
		path := strconv.Itoa(i) + "." + member
		if list != "" {
			path = list + "." + path
		}
		column = append(column, a.str(path))
	}
	return column
}

// quoted is s as JSON.
func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// refusalView is a failure in the form that results give it.
func refusalView(err error) any {
	e := schema.AsError(err)
	return map[string]any{"error": map[string]any{
		"code": e.Code, "reason": e.Reason, "message": e.Message, "details": e.Details,
	}}
}

func equal[T any](t *testing.T, label string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", label, diff)
	}
}

func contains(s, part string) bool { return strings.Contains(s, part) }
