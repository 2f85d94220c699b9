package scale

import (
	"slices"
	"testing"
	"time"
)

// sample is how long something took, time after time.
type sample []time.Duration

// at is the time that a share of the sample does not exceed.
func (s sample) at(share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// report gives what the table is made of: the median, the slowest of a
// hundred, the median of the floor and how many times that the median is. The
// fastest tenth is what the machine can do when nobody else keeps it busy.
func (s sample) report(b *testing.B, f floor, took sample) {
	b.ReportMetric(microseconds(s.at(0.5)), "p50-µs")
	b.ReportMetric(microseconds(s.at(0.99)), "p99-µs")
	b.ReportMetric(microseconds(s.at(0.1)), "p10-µs")
	b.ReportMetric(microseconds(took.at(0.1)), f.name+"-p10-µs")
	b.ReportMetric(microseconds(took.at(0.5)), f.name+"-µs")
	b.ReportMetric(float64(s.at(0.5))/float64(took.at(0.5)), "x-"+f.name)
	b.ReportMetric(0, "ns/op") // it would count the floor and the preparation
}

// step is one thing that is measured. What it needs is made right before it,
// and that time does not count.
type step struct {
	name    string
	floor   floor
	prepare func()
	do      func()
}

// measure takes the step and its floor in turns, because disks change their
// speed.
func (s step) measure(b *testing.B) {
	b.Run("op="+s.name, func(b *testing.B) {
		var took, floor sample
		for b.Loop() {
			floor = append(floor, timed(s.floor.do))
			if s.prepare != nil {
				s.prepare()
			}
			took = append(took, timed(s.do))
		}
		took.report(b, s.floor, floor)
	})
}

func timed(fn func()) time.Duration {
	began := time.Now()
	fn()
	return time.Since(began)
}
