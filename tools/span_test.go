package tools_test

import (
	"testing"
	"time"

	"acc/tools"
)

func TestSpanAndLeft(t *testing.T) {
	for _, tt := range []struct {
		d          time.Duration
		span, left string
	}{
		{time.Millisecond, "0s", "1s left"},
		{59 * time.Second, "59s", "59s left"},
		{time.Minute, "1 min", "1 min left"},
		{29*time.Minute + 59*time.Second, "29 min", "30 min left"},
		{30 * time.Minute, "30 min", "30 min left"},
		{59*time.Minute + time.Second, "59 min", "1h 00m left"},
		{26 * time.Hour, "1 day", "1 day left"},
		{7 * 24 * time.Hour, "7 days", "7 days left"},
	} {
		if got := tools.Span(tt.d); got != tt.span {
			t.Errorf("Span(%v) = %q, want %q", tt.d, got, tt.span)
		}
		if got := tools.Left(tt.d); got != tt.left {
			t.Errorf("Left(%v) = %q, want %q", tt.d, got, tt.left)
		}
	}
}
