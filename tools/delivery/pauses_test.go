package delivery

import (
	"testing"
	"time"
)

func TestPausesGrow(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := newPauses(func() time.Time { return now })
	if _, any := p.next(); any || p.skip("a") {
		t.Error("something waits")
	}
	want := firstPause
	for range 12 {
		if got := p.longer("a"); got != want {
			t.Errorf("pause of %s, want %s", got, want)
		}
		if in, any := p.next(); in != want || !any || !p.skip("a") || p.skip("b") {
			t.Errorf("next in %s, %t", in, any)
		}
		now = now.Add(want)
		if in, _ := p.next(); in != 0 || p.skip("a") {
			t.Errorf("it still waits, for %s", in)
		}
		want = min(2*want, lastPause)
	}
	p.longer("b")
	if in, _ := p.next(); in != 0 { // a is the first
		t.Errorf("next in %s", in)
	}
	// What is not met in a pass waits no more.
	p.pass()
	p.skip("b")
	p.swept()
	if in, _ := p.next(); in != firstPause || p.longer("a") != firstPause {
		t.Errorf("a is remembered: next in %s", in)
	}
}
