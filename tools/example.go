package tools

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"acc/schema"

	"github.com/go-json-experiment/json/jsontext"
)

// sampleInteger is a count that most limits allow.
const sampleInteger = 20

// sample is a value of the right form, as JSON text.
func (f Field) sample() string {
	switch f.Type {
	case "integer":
		return f.sampleInteger()
	case "boolean":
		return "true"
	case "array":
		return "[" + quote(f.sampleWord()) + "]"
	}
	return quote(f.sampleWord())
}

func (f Field) sampleInteger() string {
	if f.Example != "" {
		return f.Example
	}
	n := sampleInteger
	if f.Maximum != nil {
		n = min(n, *f.Maximum)
	}
	if f.Minimum != nil {
		n = max(n, *f.Minimum)
	}
	return strconv.Itoa(n)
}

func (f Field) sampleWord() string {
	switch words := f.words(); {
	case f.Example != "":
		return f.Example
	case words != nil:
		return words[0]
	case f.Text:
		return "text"
	}
	return "name"
}

// better is the value that was sent, in the form that was expected, when that
// is easy to tell: "bob" for a list is ["bob"], 7 for a string is "7".
// Otherwise it is the sample.
func (f Field) better(raw jsontext.Value) string {
	if f.words() != nil {
		return f.sample()
	}
	switch kind := raw.Kind(); {
	case f.Type == "string" && kind == jsontext.KindNumber && len(raw) <= maxEcho:
		return quote(string(raw))
	case f.Type == "array" && kind == jsontext.KindString:
		if text, ok := unquote(raw); ok && plainWord(text) {
			return "[" + quote(text) + "]"
		}
	}
	return f.sample()
}

// plainWord keeps damaged JSON and whole texts out of an example.
func plainWord(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= maxEcho &&
		!strings.ContainsAny(text, "[]{}\"\\\n\r\t") && schema.Visible(text, maxEcho) == text
}
