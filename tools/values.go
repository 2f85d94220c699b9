package tools

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// unwrap gives the value that a string encodes, for the types that are no
// strings themselves: "20", "true", "null" and "[\"bob\"]" are common forms.
func (f Field) unwrap(raw jsontext.Value) jsontext.Value {
	if f.Type == "string" || raw.Kind() != jsontext.KindString {
		return raw
	}
	text, ok := unquote(raw)
	if !ok {
		return raw
	}
	inner := jsontext.Value(trimSpace([]byte(text)))
	if !inner.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return raw
	}
	return inner
}

// notGiven reports whether a value stands for an absent one. In free text
// "null" is a word; in a required string "null" and "" are left to the tool.
func (f Field) notGiven(raw jsontext.Value) bool {
	switch raw.Kind() {
	case jsontext.KindInvalid, jsontext.KindNull:
		return true
	case jsontext.KindString:
		text, ok := unquote(raw)
		return ok && !f.Required && (text == "" || text == "null" && !f.Text)
	case jsontext.KindBeginArray:
		items := elements(raw)
		if f.Required || f.Text || len(items) != 1 || items[0].Kind() != jsontext.KindString {
			return false
		}
		text, _ := unquote(items[0])
		return text == "null"
	}
	return false
}

// value is the Go value of a field that was given.
func (f Field) value(raw jsontext.Value) (any, error) {
	switch kind := raw.Kind(); {
	case f.Type == "string" && kind == jsontext.KindString:
		return f.word(f.Name, raw, f.Enum)
	case f.Type == "integer" && kind == jsontext.KindNumber:
		return f.integer(raw)
	case f.Type == "boolean" && (kind == jsontext.KindTrue || kind == jsontext.KindFalse):
		return kind == jsontext.KindTrue, nil
	case f.Type == "array" && kind == jsontext.KindBeginArray:
		return f.list(raw)
	}
	return nil, wrongForm(f, raw)
}

// word is one string, of the field itself or at a place in its list.
func (f Field) word(place string, raw jsontext.Value, enum []string) (string, error) {
	text, ok := unquote(raw)
	if !ok {
		return "", badUnicode(f, place)
	}
	if enum != nil && !slices.Contains(enum, text) {
		return "", wrongValue(f, place, raw)
	}
	return text, nil
}

func (f Field) integer(raw jsontext.Value) (int, error) {
	n, ok := integral(string(raw))
	if !ok || f.Minimum != nil && n < *f.Minimum || f.Maximum != nil && n > *f.Maximum {
		return 0, wrongForm(f, raw)
	}
	return n, nil
}

// integral reads a JSON number without rounding: 20, 20.0 and 2e1 are twenty.
func integral(text string) (int, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, true
	}
	// A float first, because an exact 1e999999 would be a million digits.
	if f, err := strconv.ParseFloat(text, 64); err != nil || f > 1e19 || f < -1e19 || len(text) > 64 {
		return 0, false
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0, false
	}
	n := exact.Num().Int64()
	return int(n), int64(int(n)) == n
}

func (f Field) list(raw jsontext.Value) ([]string, error) {
	items := elements(raw)
	if f.MinItems != nil && len(items) < *f.MinItems || f.MaxItems != nil && len(items) > *f.MaxItems {
		return nil, wrongCount(f, len(items))
	}
	list := make([]string, len(items))
	for i, item := range items {
		place := f.Name + "[" + strconv.Itoa(i) + "]"
		if item.Kind() != jsontext.KindString {
			return nil, wrongItem(f, place, i, item)
		}
		text, err := f.word(place, item, f.Items.Enum)
		if err != nil {
			return nil, err
		}
		list[i] = text
	}
	return list, nil
}

// elements splits an array that is known to be well formed.
func elements(array jsontext.Value) []jsontext.Value {
	in := tolerantDecoder(array)
	if _, err := in.ReadToken(); err != nil {
		return nil
	}
	var items []jsontext.Value
	for in.PeekKind() != jsontext.KindEndArray {
		item, err := in.ReadValue()
		if err != nil {
			return nil
		}
		items = append(items, item.Clone())
	}
	return items
}

// unquote refuses half characters instead of replacing them.
func unquote(raw jsontext.Value) (string, bool) {
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}
