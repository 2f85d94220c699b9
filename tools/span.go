package tools

import (
	"fmt"
	"time"
)

// Span is a duration for people: in its largest unit, or two where one says
// too little. What does not fill a unit is left out.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
	case d < 48*time.Hour:
		return "1 day"
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Left is what is left of a lease, rounded up: what is still claimed has time
// left.
func Left(d time.Duration) string {
	unit := time.Second
	if d > time.Minute {
		unit = time.Minute
	}
	return Span((d + unit - 1).Truncate(unit)) + " left"
}
