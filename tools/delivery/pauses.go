package delivery

import "time"

// How long a message waits that was not accepted: twice as long each time.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = time.Minute
)

// pauses are the messages that wait to be offered again. They are not kept: an
// adapter that starts offers everything at once.
type pauses struct {
	now  func() time.Time
	of   map[string]pause
	seen map[string]bool // in the current pass over the mail
}

type pause struct {
	length time.Duration
	until  time.Time
}

func newPauses(now func() time.Time) *pauses {
	return &pauses{now: now, of: map[string]pause{}, seen: map[string]bool{}}
}

// pass begins a pass over all waiting mail.
func (p *pauses) pass() { clear(p.seen) }

// skip reports whether a message still waits.
func (p *pauses) skip(id string) bool {
	one, known := p.of[id]
	if known {
		p.seen[id] = true
	}
	return known && one.until.After(p.now())
}

// swept ends a pass: what was not met waits no more, its message is settled.
func (p *pauses) swept() {
	for id := range p.of {
		if !p.seen[id] {
			delete(p.of, id)
		}
	}
}

// longer lets a message wait, twice as long as the last time.
func (p *pauses) longer(id string) time.Duration {
	length := firstPause
	if last := p.of[id].length; last > 0 {
		length = min(2*last, lastPause)
	}
	p.of[id] = pause{length, p.now().Add(length)}
	p.seen[id] = true
	return length
}

// next is when the first of them may be offered again.
func (p *pauses) next() (in time.Duration, any bool) {
	for _, one := range p.of {
		left := max(0, one.until.Sub(p.now()))
		if !any || left < in {
			in, any = left, true
		}
	}
	return in, any
}
