package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"acc/schema"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of what a refusal repeats. Whatever a caller sent, the message stays
// a few lines that a model can read.
const (
	maxRefusal = 480 // bytes of a message
	maxEcho    = 40  // characters of a value or a name
	maxListed  = 240 // bytes of a list of names or values
)

func badArguments(problem string) error {
	return schema.Fail(schema.ReasonInvalidArguments,
		`the arguments %s; send one JSON object whose members are the tool's fields, {} for none.`, problem)
}

func duplicateField(name string) error {
	name = echo(name)
	return schema.Fail(schema.ReasonInvalidArguments, "%s: the field is given twice; send it once.", name).With("field", name)
}

func unknownField(name string, allowed []string) error {
	hint := "the tool takes no fields; send {}."
	if len(allowed) > 0 {
		hint = "the fields are " + schema.CutBytes(strings.Join(allowed, ", "), maxListed) + "."
	}
	meant := CloseName(name, allowed)
	if meant != "" {
		hint = fmt.Sprintf("did you mean %q? ", meant) + strings.ToUpper(hint[:1]) + hint[1:]
	}
	name = echo(name)
	failure := schema.Fail(schema.ReasonUnknownField, "%s: the tool has no such field; %s", name, hint).
		With("field", name).With("allowed", allowed)
	if meant != "" {
		failure.With("didYouMean", meant)
	}
	return failure
}

func missingField(f Field) error {
	return refusal(schema.ReasonMissingField, f, f.Name, "the field is required; send "+f.form()+".", f.sample())
}

// wrongForm refuses a value of another type, or out of bounds.
func wrongForm(f Field, raw jsontext.Value) error {
	return refusal(schema.ReasonInvalidField, f, f.Name, f.form()+" is expected, not "+shown(raw)+".", f.better(raw))
}

func wrongValue(f Field, place string, raw jsontext.Value) error {
	return refusal(schema.ReasonInvalidField, f, place, f.wordForm()+" is expected, not "+shown(raw)+".", f.sample())
}

func wrongCount(f Field, n int) error {
	return refusal(schema.ReasonInvalidField, f, f.Name, fmt.Sprintf("%s is expected, not %d items.", f.form(), n), f.sample())
}

func wrongItem(f Field, place string, index int, item jsontext.Value) error {
	failure := refusal(schema.ReasonInvalidField, f, place, "a string is expected, not "+shown(item)+".", f.sample())
	return failure.With("index", index)
}

func badUnicode(f Field, place string) error {
	return refusal(schema.ReasonInvalidField, f, place,
		`the text holds half a character (a lone surrogate such as \ud800, or bytes that are not UTF-8); send whole characters.`, f.sample())
}

func refusal(reason schema.Reason, f Field, place, problem, example string) *schema.Error {
	message := fmt.Sprintf("%s: %s Example: %s: %s", place, problem, quote(f.Name), example)
	failure := schema.Fail(reason, "%s", schema.CutBytes(message, maxRefusal)).
		With("field", f.Name).With("expected", f.form())
	if allowed := f.words(); allowed != nil {
		failure.With("allowed", allowed)
	}
	return failure
}

// form says in words what a field takes.
func (f Field) form() string {
	switch f.Type {
	case "integer":
		return "an integer" + between(f.Minimum, f.Maximum, "from %d to %d", "of at least %d", "of at most %d")
	case "boolean":
		return "true or false"
	case "array":
		return "an array of strings" + between(f.MinItems, f.MaxItems, "with %d to %d items", "with at least %d items", "with at most %d items")
	}
	return f.wordForm()
}

// wordForm says what a string of the field, or of its list, may be.
func (f Field) wordForm() string {
	words := f.words()
	if words == nil {
		return "a string"
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return "one of " + schema.CutBytes(strings.Join(quoted, ", "), maxListed)
}

func (f Field) words() []string {
	if f.Items != nil {
		return f.Items.Enum
	}
	return f.Enum
}

func between(low, high *int, both, least, most string) string {
	switch {
	case low != nil && high != nil:
		return " " + fmt.Sprintf(both, *low, *high)
	case low != nil:
		return " " + fmt.Sprintf(least, *low)
	case high != nil:
		return " " + fmt.Sprintf(most, *high)
	}
	return ""
}

// shown is a value as a message may repeat it.
func shown(raw jsontext.Value) string {
	switch raw.Kind() {
	case jsontext.KindString:
		text, _ := unquote(raw)
		return `"` + echo(text) + `"`
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	}
	return echo(string(raw))
}

// echo repeats what a caller sent: short, on one line, nothing invisible.
func echo(text string) string {
	text = schema.CutBytes(text, maxEcho*utf8.UTFMax)
	return schema.Visible(text, maxEcho)
}

func quote(text string) string {
	quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return `""`
	}
	return string(quoted)
}
