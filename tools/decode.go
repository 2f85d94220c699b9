package tools

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// decode fills the struct that into points to. It is lenient in form, since
// clients send arrays, numbers and null as strings, and strict in meaning: no
// unknown or doubled field, no rounding, no repaired text. It fails with a
// *schema.Error that names the field and the form it expects, and then into
// is of no use.
func (s InputSchema) decode(args json.RawMessage, into any) error {
	object, err := argumentObject(args)
	if err != nil {
		return err
	}
	given, err := s.members(object)
	if err != nil {
		return err
	}
	target := reflect.ValueOf(into).Elem()
	for _, f := range s.fields {
		raw := f.unwrap(given[f.Name])
		if f.notGiven(raw) {
			if f.Required {
				return missingField(f)
			}
			continue
		}
		value, err := f.value(raw)
		if err != nil {
			return err
		}
		assign(target.Field(f.index), value)
	}
	return nil
}

// argumentObject is the text of the arguments object, whichever way it came.
func argumentObject(args []byte) ([]byte, error) {
	object := trimSpace(args)
	if len(object) > 0 && object[0] == '"' {
		text, err := jsontext.AppendUnquote(nil, object)
		if err != nil {
			return nil, badArguments("are not valid JSON text")
		}
		if object = trimSpace(text); len(object) == 0 {
			return nil, badArguments("are an empty string")
		}
	}
	switch {
	case len(object) == 0 || string(object) == "null":
		return []byte("{}"), nil
	case object[0] != '{':
		return nil, badArguments("are no object")
	}
	return object, nil
}

// members splits the object. Bad Unicode passes here and is refused with the
// value that holds it, so that the refusal can name the field.
func (s InputSchema) members(object []byte) (map[string]jsontext.Value, error) {
	in := tolerantDecoder(object)
	if _, err := in.ReadToken(); err != nil {
		return nil, badArguments("are not valid JSON")
	}
	given := map[string]jsontext.Value{}
	for in.PeekKind() == jsontext.KindString {
		token, err := in.ReadToken()
		if err != nil {
			return nil, badArguments("are not valid JSON")
		}
		name := token.String() // before the next read, which voids the token
		value, err := in.ReadValue()
		if err != nil {
			return nil, badArguments("are not valid JSON")
		}
		if err := s.admit(name, given); err != nil {
			return nil, err
		}
		given[name] = value.Clone()
	}
	if _, err := in.ReadToken(); err != nil {
		return nil, badArguments("are not valid JSON")
	}
	if _, err := in.ReadToken(); err != io.EOF {
		return nil, badArguments("go on after the end of the object")
	}
	return given, nil
}

// admit matches a name exactly: the folding of letter case that Go's decoder
// does would accept what another implementation refuses.
func (s InputSchema) admit(name string, given map[string]jsontext.Value) error {
	if _, twice := given[name]; twice {
		return duplicateField(name)
	}
	for _, f := range s.fields {
		if f.Name == name {
			return nil
		}
	}
	return unknownField(name, s.names())
}

// assign sets a Go field, or what it points to.
func assign(target reflect.Value, value any) {
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
		target = target.Elem()
	}
	switch v := value.(type) {
	case string:
		target.SetString(v)
	case int:
		target.SetInt(int64(v))
	case bool:
		target.SetBool(v)
	case []string:
		list := reflect.MakeSlice(target.Type(), len(v), len(v))
		for i, item := range v {
			list.Index(i).SetString(item)
		}
		target.Set(list)
	}
}

func tolerantDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }
