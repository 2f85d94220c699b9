package cli

import (
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	zone := time.FixedZone("there", 2*60*60)
	now := time.Date(2026, 11, 30, 17, 31, 0, 0, zone)
	for text, want := range map[string]time.Time{
		"":                          {},
		"0s":                        now,
		"90s":                       now.Add(-90 * time.Second),
		"2h":                        now.Add(-2 * time.Hour),
		"3d":                        now.Add(-72 * time.Hour),
		"1w":                        now.Add(-7 * 24 * time.Hour),
		"2026-11-30":                time.Date(2026, 11, 30, 0, 0, 0, 0, zone),
		"2026-11-30 09:15":          time.Date(2026, 11, 30, 9, 15, 0, 0, zone),
		"2026-11-30T09:15:30":       time.Date(2026, 11, 30, 9, 15, 30, 0, zone),
		"2026-11-30T09:15:30.250Z":  time.Date(2026, 11, 30, 9, 15, 30, 250e6, time.UTC),
		"2026-11-30T09:15:30+01:00": time.Date(2026, 11, 30, 8, 15, 30, 0, time.UTC),
	} {
		got, err := parseSince(text, now)
		if err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"soon", "-2h", "2", "d", "30.11.2026", "2026-13-01", "999999999d"} {
		if got, err := parseSince(text, now); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
