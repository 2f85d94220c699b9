package tools

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// decoded runs decode with the two required fields filled in.
func decoded(t *testing.T, args string) (everyForm, error) {
	t.Helper()
	var got everyForm
	err := reflectInput(reflect.TypeFor[everyForm]()).decode(json.RawMessage(args), &got)
	return got, err
}

func pointer[T any](v T) *T { return &v }

func TestDecodeAccepts(t *testing.T) {
	base := everyForm{To: []string{"bob"}, Subject: "s"}
	with := func(change func(*everyForm)) everyForm {
		in := base
		change(&in)
		return in
	}
	tests := []struct {
		label, members string
		want           everyForm
	}{
		{"nothing more", ``, base},
		{"every field null", `,"kind":null,"note":null,"done":null,"tags":null,"messageId":null,"limit":null,"offset":null,"all":null,"current":null`, base},
		{"every field the word null", `,"kind":"null","done":"null","tags":"null","messageId":"null","limit":"null","offset":"null","all":"null","current":"null"`, base},
		{"every field empty", `,"kind":"","note":"","done":"","tags":"","messageId":"","limit":"","offset":"","all":"","current":""`, base},
		{"every field a list of null", `,"kind":["null"],"tags":["null"],"messageId":["null"],"limit":["null"],"offset":["null"],"all":["null"],"current":["null"]`, base},
		{"encoded list of null", `,"tags":"[\"null\"]"`, base},
		{"null is a word in text", `,"note":"null","done":["null"]`,
			with(func(in *everyForm) { in.Note, in.Done = pointer("null"), []string{"null"} })},
		{"empty list", `,"done":[],"tags":"[]"`,
			with(func(in *everyForm) { in.Done, in.Tags = []string{}, []string{} })},
		{"list as a string", `,"done":"[\"a\",\"b, c\"]"`,
			with(func(in *everyForm) { in.Done = []string{"a", "b, c"} })},
		{"list as a string with space", `,"done":" [ \"a\" ]\n"`,
			with(func(in *everyForm) { in.Done = []string{"a"} })},
		{"list of listed words", `,"tags":["blue","red"]`,
			with(func(in *everyForm) { in.Tags = []string{"blue", "red"} })},
		{"word", `,"kind":"question"`, with(func(in *everyForm) { in.Kind = "question" })},
		{"text that looks like JSON", `,"note":"[\"a\"]","messageId":"20"`,
			with(func(in *everyForm) { in.Note, in.ID = pointer(`["a"]`), pointer("20") })},
		{"text with escapes", `,"note":"\ud83d\ude00 \u0000\n"`,
			with(func(in *everyForm) { in.Note = pointer("\U0001F600 \x00\n") })},
		{"escaped name", `,"\u006eote":"x"`, with(func(in *everyForm) { in.Note = pointer("x") })},
		{"integer", `,"limit":20`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"integer as a string", `,"limit":"20"`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"integer as a string with space", `,"limit":" 20 "`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"integral decimal", `,"limit":20.0`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"integral decimal as a string", `,"limit":"20.0"`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"integral exponent", `,"limit":2e1`, with(func(in *everyForm) { in.Limit = pointer(20) })},
		{"lowest", `,"limit":1,"offset":-5`, with(func(in *everyForm) { in.Limit, in.Offset = pointer(1), -5 })},
		{"highest", `,"limit":500,"offset":9223372036854775807`,
			with(func(in *everyForm) { in.Limit, in.Offset = pointer(500), 9223372036854775807 })},
		{"zero is given", `,"offset":0`, base},
		{"booleans", `,"all":true,"current":false`,
			with(func(in *everyForm) { in.All, in.Current = true, pointer(false) })},
		{"booleans as strings", `,"all":"true","current":"false"`,
			with(func(in *everyForm) { in.All, in.Current = true, pointer(false) })},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			got, err := decoded(t, `{"to":["bob"],"subject":"s"`+test.members+`}`)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRequired(t *testing.T) {
	tests := []struct {
		label, args string
		want        everyForm
	}{
		{"blank text is left to the tool", `{"to":["bob"],"subject":""}`, everyForm{To: []string{"bob"}}},
		{"null is a word", `{"to":["bob"],"subject":"null"}`, everyForm{To: []string{"bob"}, Subject: "null"}},
		{"an empty list is given", `{"to":[],"subject":"s"}`, everyForm{To: []string{}, Subject: "s"}},
		{"a name may be null", `{"to":["null"],"subject":"s"}`, everyForm{To: []string{"null"}, Subject: "s"}},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			got, err := decoded(t, test.args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeArgumentsObject(t *testing.T) {
	type optional struct {
		Limit *int `json:"limit" jsonschema:"description=x"`
	}
	input := reflectInput(reflect.TypeFor[optional]())
	for _, args := range []string{``, ` `, `null`, `{}`, ` {} `, `"{}"`, `" {}\n"`, `"null"`} {
		var got optional
		if err := input.decode(json.RawMessage(args), &got); err != nil || got.Limit != nil {
			t.Errorf("%q: %v, %v", args, got, err)
		}
	}
	var got optional
	if err := input.decode(json.RawMessage(`"{\"limit\":\"7\"}"`), &got); err != nil || got.Limit == nil || *got.Limit != 7 {
		t.Errorf("an encoded object gives %v, %v", got, err)
	}
}
