package cli

import (
	"regexp"
	"strconv"
	"time"

	"acc/schema"
)

// sinceLayouts are the ways to write an instant, in the local zone unless the
// text names one.
var sinceLayouts = []string{
	time.RFC3339Nano, "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05",
}

var daysPattern = regexp.MustCompile(`^(\d{1,5})([dw])$`)

// parseSince reads an instant, or a span before now: 90s, 2h, 3d, 1w. The zero
// time stands for nothing given.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, ok := parseSpan(text); ok {
		return now.Add(-d), nil
	}
	for _, layout := range sinceLayouts {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, schema.Fail(schema.ReasonInvalidField,
		"--since: %q is no time; write a span before now (2h, 3d), a date (2026-11-30) or a time (\"2026-11-30 17:31\").", visible(text)).
		With("field", "since")
}

// parseSpan reads a duration, days and weeks too.
func parseSpan(text string) (time.Duration, bool) {
	if m := daysPattern.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		days := map[string]int{"d": 1, "w": 7}[m[2]]
		return time.Duration(n*days) * 24 * time.Hour, err == nil
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// when is an instant for a person, in the zone of the printer's clock.
func (p *printer) when(t time.Time) string {
	return t.In(p.now.Location()).Format("2006-01-02 15:04:05")
}
