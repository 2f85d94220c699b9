package schema

import (
	"bytes"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
)

// Record is a value that lives in a file of its own.
type Record interface{ Validate() error }

// Encode writes a record as its file holds it: two-space indent, fields in
// the order of the type, LF, a final newline. It refuses an invalid record.
func Encode(r Record) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return Format(r)
}

// Format is the one form of JSON that people read: two-space indent, no HTML
// escapes, a final newline.
func Format(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// EncodeLine writes a record as one line of a log, with its newline.
func EncodeLine(r Record) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode reads a record and validates it. LF, CRLF and a byte order mark are
// all accepted; a duplicate or unknown field, a second value behind the first
// and bad UTF-8 are not. Every failure is of reason record_damaged.
func Decode(data []byte, into Record) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return Fail(ReasonRecordDamaged, "the file is empty")
	}
	if err := jsonv2.Unmarshal(data, into, jsonv2.RejectUnknownMembers(true)); err != nil {
		return Fail(ReasonRecordDamaged, "the file does not hold the JSON of its kind").Because(err)
	}
	if err := into.Validate(); err != nil {
		return Fail(ReasonRecordDamaged, "%s", err.Error()).Because(err)
	}
	return nil
}
