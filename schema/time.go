package schema

import (
	"encoding/json"
	"fmt"
	"time"
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// Time is an instant as records show it: UTC, RFC 3339 with milliseconds and
// a final Z.
type Time struct{ time.Time }

// At makes a Time: t in UTC, cut to whole milliseconds.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// String is the form in records.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON writes the form in records.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON accepts the form in records and nothing else.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	parsed, err := time.Parse(timeLayout, s)
	// time.Parse also takes a comma for the point, which is not our form.
	if err != nil || parsed.Format(timeLayout) != s {
		return fmt.Errorf("%q is no time of the form 2026-11-30T12:00:00.000Z", s)
	}
	*t = Time{parsed.UTC()}
	return nil
}
