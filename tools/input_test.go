package tools

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type kindOf string

// everyForm declares one field of every form that a tool may have.
type everyForm struct {
	To      []string `json:"to" jsonschema:"required,description=Who reads it\\, by name,minItems=0,maxItems=3" example:"bob"`
	Subject string   `json:"subject" acc:"text" jsonschema:"required,maxLength=500" jsonschema_description:"One line, please."`
	Kind    kindOf   `json:"kind" jsonschema:"description=What it is,enum=note,enum=question"`
	Note    *string  `json:"note" acc:"text" jsonschema:"description=A remark <b>"`
	Done    []string `json:"done" acc:"text" jsonschema:"description=What is done,maxLength=2000"`
	Tags    []string `json:"tags" jsonschema:"description=Words,enum=red,enum=blue"`
	ID      *string  `json:"messageId" jsonschema:"description=One message"`
	Limit   *int     `json:"limit" jsonschema:"description=How many,minimum=1,maximum=500"`
	Offset  int      `json:"offset" jsonschema:"description=Where to start,minimum=-5"`
	All     bool     `json:"all" jsonschema:"description=Everything"`
	Current *bool    `json:"current" jsonschema:"description=Only what holds"`
}

const everyFormSchema = `{"type":"object","properties":{` +
	`"to":{"type":"array","description":"Who reads it, by name","minItems":0,"maxItems":3,"items":{"type":"string"}},` +
	`"subject":{"type":"string","description":"One line, please.","maxLength":500},` +
	`"kind":{"type":"string","description":"What it is","enum":["note","question"]},` +
	`"note":{"type":"string","description":"A remark <b>"},` +
	`"done":{"type":"array","description":"What is done","items":{"type":"string","maxLength":2000}},` +
	`"tags":{"type":"array","description":"Words","items":{"type":"string","enum":["red","blue"]}},` +
	`"messageId":{"type":"string","description":"One message"},` +
	`"limit":{"type":"integer","description":"How many","minimum":1,"maximum":500},` +
	`"offset":{"type":"integer","description":"Where to start","minimum":-5},` +
	`"all":{"type":"boolean","description":"Everything"},` +
	`"current":{"type":"boolean","description":"Only what holds"}},` +
	`"required":["to","subject"],"additionalProperties":false}`

func TestSchema(t *testing.T) {
	input := reflectInput(reflect.TypeFor[everyForm]())
	if diff := cmp.Diff(everyFormSchema, string(input.Schema())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	input.Schema()[0] = 'x'
	if string(input.Schema()) != everyFormSchema {
		t.Error("a caller can change the published bytes")
	}
	empty := reflectInput(reflect.TypeFor[struct{}]())
	if got, want := string(empty.Schema()), `{"type":"object","properties":{},"additionalProperties":false}`; got != want {
		t.Errorf("schema without fields %s, want %s", got, want)
	}
}

func TestFields(t *testing.T) {
	fields := reflectInput(reflect.TypeFor[everyForm]()).Fields()
	if len(fields) != 11 {
		t.Fatalf("%d fields, want 11", len(fields))
	}
	to, subject, limit := fields[0], fields[1], fields[7]
	if to.Name != "to" || !to.Required || to.Text || to.Example != "bob" || *to.MaxItems != 3 || to.Items.Type != "string" {
		t.Errorf("to is %+v", to)
	}
	if !subject.Text || *subject.MaxLength != 500 {
		t.Errorf("subject is %+v", subject)
	}
	if limit.Required || *limit.Minimum != 1 || *limit.Maximum != 500 {
		t.Errorf("limit is %+v", limit)
	}
}

func TestReflectInputRefuses(t *testing.T) {
	type recursive struct {
		Next *recursive `json:"next" jsonschema:"description=x"`
	}
	type embedded struct {
		recursive
	}
	tests := []struct {
		label string
		input any
		want  string
	}{
		{"no struct", "", "no struct"},
		{"map", struct {
			A map[string]string `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"any", struct {
			A any `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"float", struct {
			A float64 `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"list of integers", struct {
			A []int `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"list of lists", struct {
			A [][]string `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"pointer to a list", struct {
			A *[]string `json:"a" jsonschema:"description=x"`
		}{}, "not supported"},
		{"recursive", recursive{}, "not supported"},
		{"embedded", embedded{}, "embedded"},
		{"no name", struct {
			A string `jsonschema:"description=x"`
		}{}, "no plain field name"},
		{"hidden", struct {
			A string `json:"-"`
		}{}, "no plain field name"},
		{"name with an option", struct {
			A string `json:"a,omitempty" jsonschema:"description=x"`
		}{}, "no plain field name"},
		{"same name folded", struct {
			A string `json:"messageId" jsonschema:"description=x"`
			B string `json:"message_id" jsonschema:"description=x"`
		}{}, "taken"},
		{"no description", struct {
			A string `json:"a" jsonschema:"required"`
		}{}, "description is missing"},
		{"long description", struct {
			A string `json:"a" jsonschema_description:"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"`
		}{}, "at most 300"},
		{"bare comma in a description", struct {
			A string `json:"a" jsonschema:"description=one, two"`
		}{}, `" two"`},
		{"pattern", struct {
			A string `json:"a" jsonschema:"description=x,pattern=^a$"`
		}{}, "pattern"},
		{"default", struct {
			A string `json:"a" jsonschema:"description=x,default=a"`
		}{}, "default"},
		{"nullable", struct {
			A string `json:"a" jsonschema:"description=x,nullable"`
		}{}, "nullable"},
		{"union", struct {
			A string `json:"a" jsonschema:"description=x,oneof_type=string;null"`
		}{}, "in the schema"},
		{"misspelt keyword", struct {
			A string `json:"a" jsonschema:"description=x,maxlength=3"`
		}{}, "maxlength"},
		{"keyword of another type", struct {
			A int `json:"a" jsonschema:"description=x,maxLength=3"`
		}{}, "maxLength"},
		{"enum of integers", struct {
			A int `json:"a" jsonschema:"description=x,enum=1"`
		}{}, "enum"},
		{"empty word", struct {
			A string `json:"a" jsonschema:"description=x,enum="`
		}{}, "enum="},
		{"broken bound", struct {
			A int `json:"a" jsonschema:"description=x,minimum=1.5"`
		}{}, "minimum"},
		{"crossed bounds", struct {
			A int `json:"a" jsonschema:"description=x,minimum=5,maximum=1"`
		}{}, "lower bound"},
		{"extras", struct {
			A string `json:"a" jsonschema:"description=x" jsonschema_extras:"x=y"`
		}{}, "extras"},
		{"unknown mark", struct {
			A string `json:"a" acc:"txt" jsonschema:"description=x"`
		}{}, "txt"},
		{"text mark on an integer", struct {
			A int `json:"a" acc:"text" jsonschema:"description=x"`
		}{}, "integer"},
	}
	for _, test := range tests {
		t.Run(test.label, func(t *testing.T) {
			defer func() {
				message, _ := recover().(string)
				if !strings.HasPrefix(message, "tools: ") || !strings.Contains(message, test.want) {
					t.Errorf("panic %q, want one with %q", message, test.want)
				}
			}()
			reflectInput(reflect.TypeOf(test.input))
		})
	}
}

func BenchmarkReflectInput(b *testing.B) {
	for b.Loop() {
		reflectInput(reflect.TypeFor[everyForm]())
	}
}
