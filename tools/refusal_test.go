package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"acc/schema"
)

func TestDecodeRefusesArguments(t *testing.T) {
	tests := []struct {
		label, args string
		reason      schema.Reason
		want        string // in the message
	}{
		{"list", `[]`, schema.ReasonInvalidArguments, "no object"},
		{"number", `7`, schema.ReasonInvalidArguments, "no object"},
		{"true", `true`, schema.ReasonInvalidArguments, "no object"},
		{"word", `"bob"`, schema.ReasonInvalidArguments, "no object"},
		{"empty string", `""`, schema.ReasonInvalidArguments, "empty"},
		{"encoded list", `"[]"`, schema.ReasonInvalidArguments, "no object"},
		{"doubly encoded", `"\"{}\""`, schema.ReasonInvalidArguments, "no object"},
		{"half a character", `"{\"note\":\"\ud800\"}"`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"cut off", `{"to":["bob"]`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"cut off name", `{"to`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"no value", `{"to"}`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"trailing comma", `{"to":["bob"],}`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"more behind", `{} {}`, schema.ReasonInvalidArguments, "after the end"},
		{"very deep", `{"to":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, schema.ReasonInvalidArguments, "not valid JSON"},
		{"twice", `{"to":["a"],"to":["b"]}`, schema.ReasonInvalidArguments, "to: the field is given twice"},
		{"twice, once escaped", `{"to":["a"],"\u0074o":["b"]}`, schema.ReasonInvalidArguments, "to: the field is given twice"},
		{"unknown", `{"colour":"red"}`, schema.ReasonUnknownField, "the fields are to, subject, kind"},
		{"other letter case", `{"TO":["bob"]}`, schema.ReasonUnknownField, `did you mean "to"`},
		{"other separators", `{"message_id":"x"}`, schema.ReasonUnknownField, `did you mean "messageId"`},
		{"misspelt", `{"subjet":"x"}`, schema.ReasonUnknownField, `did you mean "subject"`},
		{"shorter", `{"message":"x"}`, schema.ReasonUnknownField, `did you mean "messageId"`},
		{"control character", "{\"a\\u001bb\":1}", schema.ReasonUnknownField, "a<U+001B>b"},
		{"required field missing", `{"subject":"s"}`, schema.ReasonMissingField, `"to": ["bob"]`},
		{"required field null", `{"to":["bob"],"subject":null}`, schema.ReasonMissingField, `"subject": "text"`},
		{"required list encoded null", `{"to":"null","subject":"s"}`, schema.ReasonMissingField, `"to": ["bob"]`},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			_, err := decoded(t, test.args)
			checkRefusal(t, err, test.reason, test.want)
		})
	}
}

func TestDecodeRefusesValues(t *testing.T) {
	tests := []struct {
		label, member, field string
		want                 []string // in the message
	}{
		{"number for a string", `"messageId":7`, "messageId", []string{"a string is expected, not 7", `"messageId": "7"`}},
		{"object for a string", `"note":{"a":1}`, "note", []string{"a string is expected, not an object", `"note": "text"`}},
		{"list for a string", `"note":["a"]`, "note", []string{"not an array"}},
		{"word that is not listed", `"kind":"Note"`, "kind", []string{`one of "note", "question"`, `not "Note"`, `"kind": "note"`}},
		{"number for a listed word", `"kind":1`, "kind", []string{`one of "note", "question"`}},
		{"surrogate", `"note":"a\ud800"`, "note", []string{"half a character"}},
		{"low surrogate", `"note":"\udc00"`, "note", []string{"half a character"}},
		{"bytes that are not UTF-8", "\"note\":\"a\xff\"", "note", []string{"half a character"}},
		{"surrogate in a list", `"done":["ok","\ud800"]`, "done", []string{"done[1]", "half a character"}},
		{"surrogate in an encoded list", `"done":"[\"\\ud800\"]"`, "done", []string{"done[0]", "half a character"}},
		{"fraction", `"limit":1.5`, "limit", []string{"an integer from 1 to 500 is expected, not 1.5", `"limit": 20`}},
		{"fraction as a string", `"limit":"1.5"`, "limit", []string{"not 1.5"}},
		{"almost integral", `"limit":20.00000000000000000001`, "limit", []string{"an integer"}},
		{"huge", `"limit":1e999`, "limit", []string{"not 1e999"}},
		{"tiny", `"offset":1e-999`, "offset", []string{"an integer"}},
		{"over 64 bits", `"offset":9223372036854775808`, "offset", []string{"an integer of at least -5"}},
		{"very long", `"offset":1` + strings.Repeat("0", 400), "offset", []string{"…"}},
		{"word for an integer", `"limit":"abc"`, "limit", []string{`not "abc"`}},
		{"plus sign", `"limit":"+20"`, "limit", []string{`not "+20"`}},
		{"leading zero", `"limit":"020"`, "limit", []string{`not "020"`}},
		{"boolean for an integer", `"limit":true`, "limit", []string{"not true"}},
		{"below", `"limit":0`, "limit", []string{"from 1 to 500 is expected, not 0"}},
		{"above as a string", `"limit":"501"`, "limit", []string{"not 501"}},
		{"one for a boolean", `"all":1`, "all", []string{"true or false is expected, not 1", `"all": true`}},
		{"word for a boolean", `"all":"yes"`, "all", []string{`not "yes"`}},
		{"capital for a boolean", `"all":"True"`, "all", []string{`not "True"`}},
		{"bare word for a list", `"tags":"red"`, "tags", []string{"an array of strings is expected", `"tags": ["red"]`}},
		{"broken encoded list", `"tags":"[red"`, "tags", []string{`not "[red"`, `"tags": ["red"]`}},
		{"encoded word for a list", `"done":"\"a\""`, "done", []string{`"done": ["a"]`}},
		{"object for a list", `"done":{}`, "done", []string{"not an object"}},
		{"number in a list", `"done":["a",7]`, "done", []string{"done[1]: a string is expected, not 7"}},
		{"null in a list", `"done":[null]`, "done", []string{"done[0]", "not null"}},
		{"list in a list", `"done":[["a"]]`, "done", []string{"done[0]", "not an array"}},
		{"word that is not listed in a list", `"tags":["red","green"]`, "tags", []string{"tags[1]", `one of "red", "blue"`, `not "green"`}},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			_, err := decoded(t, `{"to":["bob"],"subject":"s",`+test.member+`}`)
			checkRefusal(t, err, schema.ReasonInvalidField, test.want...)
			if got := schema.AsError(err).Details["field"]; got != test.field {
				t.Errorf("details name the field %v, want %s", got, test.field)
			}
		})
	}
}

func TestDecodeRefusesRecipients(t *testing.T) {
	_, err := decoded(t, `{"to":"bob smith","subject":"s"}`)
	checkRefusal(t, err, schema.ReasonInvalidField, "an array of strings with 0 to 3 items", `"to": ["bob smith"]`)
	_, err = decoded(t, `{"to":["a","b","c","d"],"subject":"s"}`)
	checkRefusal(t, err, schema.ReasonInvalidField, "with 0 to 3 items is expected, not 4 items", `"to": ["bob"]`)
	_, err = decoded(t, `{"to":["a",{}],"subject":"s"}`)
	checkRefusal(t, err, schema.ReasonInvalidField, "to[1]")
	if got := schema.AsError(err).Details["index"]; got != 1 {
		t.Errorf("details name the index %v, want 1", got)
	}
}

func TestDecodeNamesUnknownField(t *testing.T) {
	_, err := decoded(t, `{"mesageId":"x"}`)
	details := schema.AsError(err).Details
	if details["field"] != "mesageId" || details["didYouMean"] != "messageId" {
		t.Errorf("details %v", details)
	}
	if allowed, _ := details["allowed"].([]string); len(allowed) != 11 {
		t.Errorf("allowed is %v", details["allowed"])
	}
	err = reflectInput(reflect.TypeFor[struct{}]()).decode(json.RawMessage(`{"a":1}`), &struct{}{})
	checkRefusal(t, err, schema.ReasonUnknownField, "takes no fields")
}

// TestRefusalsStaySmall sends long and hostile values everywhere.
func TestRefusalsStaySmall(t *testing.T) {
	for _, text := range []string{strings.Repeat("é", 100000), strings.Repeat(`\u200b`, 5000), strings.Repeat(`\u001b`, 5000)} {
		for _, args := range []string{
			`{"` + text + `":1}`, `{"to":"` + text + `"}`, `{"to":["a"],"subject":"s","kind":"` + text + `"}`,
			`{"to":["a"],"subject":"s","limit":"` + text + `"}`, `{"to":["a"],"subject":"s","tags":["` + text + `"]}`,
		} {
			_, err := decoded(t, args)
			failure := schema.AsError(err)
			encoded, _ := json.Marshal(failure.Details)
			if failure.Code != schema.CodeUsage || len(failure.Message) >= 500 || !utf8.ValidString(failure.Message) || len(encoded) > 1000 {
				t.Errorf("%.30s: %d bytes of message, %d of details: %s", args, len(failure.Message), len(encoded), failure.Message)
			}
			if strings.ContainsAny(failure.Message, "\x1b\u200b\n") {
				t.Errorf("%.30s: invisible characters in %q", args, failure.Message)
			}
		}
	}
}

func checkRefusal(t *testing.T, err error, reason schema.Reason, want ...string) {
	t.Helper()
	if !schema.HasReason(err, reason) {
		t.Fatalf("error %v, want reason %s", err, reason)
	}
	message := err.Error()
	for _, part := range want {
		if !strings.Contains(message, part) {
			t.Errorf("message %q, want one with %q", message, part)
		}
	}
	if len(message) >= 500 {
		t.Errorf("message has %d bytes", len(message))
	}
}

// FuzzDecode holds the promises that no argument may break: no panic, only
// refusals that a caller may see, and nothing decoded that the declaration
// forbids.
func FuzzDecode(f *testing.F) {
	f.Add(`{"to":["bob"],"subject":"s","limit":"2e1","done":"[\"a\"]"}`)
	f.Add(`"{\"to\":\"[]\",\"subject\":\"null\"}"`)
	f.Add("{\"to\":[\"\xff\"],\"subject\":\"\\ud800\",\"offset\":1e-99}")
	input := reflectInput(reflect.TypeFor[everyForm]())
	f.Fuzz(func(t *testing.T, args string) {
		var got everyForm
		if err := input.decode(json.RawMessage(args), &got); err != nil {
			failure := schema.AsError(err)
			if failure.Code != schema.CodeUsage || len(failure.Message) >= 500 || !utf8.ValidString(failure.Message) {
				t.Fatalf("refusal %q of code %s", failure.Message, failure.Code)
			}
			return
		}
		if got.To == nil || len(got.To) > 3 || got.Limit != nil && (*got.Limit < 1 || *got.Limit > 500) {
			t.Fatalf("decoded %+v", got)
		}
		for _, text := range append(append(got.To, got.Done...), got.Subject) {
			if !utf8.ValidString(text) {
				t.Fatalf("decoded invalid text %q", text)
			}
		}
	})
}
