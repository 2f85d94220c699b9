package fsstore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The benchmarks measure against the floor: one record of the size of a send
// appended to a file and made durable, which no store with the same promise
// can undercut. Both are measured in turns, because disks change their speed.

// floorRecord is about what a send writes to the journal.
const floorRecord = 1500

// floorLog is the cheapest durable log that there is.
type floorLog struct {
	f    *os.File
	data []byte
}

func newFloorLog(b *testing.B) *floorLog {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return &floorLog{f, bytes.Repeat([]byte("x"), floorRecord)}
}

func (l *floorLog) append(b *testing.B) {
	if _, err := l.f.Write(l.data); err != nil {
		b.Fatal(err)
	}
	if err := datasync(l.f); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkAppendFdatasync(b *testing.B) {
	l := newFloorLog(b)
	for b.Loop() {
		l.append(b)
	}
}

// sizes are how many settled messages a room holds already. Larger rooms are
// measured in tools/scale.
var sizes = []int{100, 10_000}

// rooms runs a benchmark in rooms of each size.
func rooms(b *testing.B, run func(b *testing.B, s *Store)) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			// Not b.TempDir, which is removed before the next one is made.
			dir, err := os.MkdirTemp("", "room-")
			if err != nil {
				b.Fatal(err)
			}
			s := openTestRoom(b, dir, io.Discard)
			me := join(b, s, "alice")
			join(b, s, "bob")
			fill(b, s, me, size)
			for range 30 {
				send(b, s, me, note("bob"))
			}
			run(b, s)
		})
	}
}

// BenchmarkSend reports how many times the floor a send takes.
func BenchmarkSend(b *testing.B) {
	rooms(b, func(b *testing.B, s *Store) {
		me := join(b, s, "carol")
		l := newFloorLog(b)
		var floor, sends time.Duration
		for b.Loop() {
			start := time.Now()
			l.append(b)
			middle := time.Now()
			send(b, s, me, note("bob"))
			floor, sends = floor+middle.Sub(start), sends+time.Since(middle)
		}
		b.ReportMetric(float64(sends)/float64(floor), "x-floor")
		b.ReportMetric(float64(sends.Microseconds())/float64(b.N), "µs/send")
		b.ReportMetric(float64(floor.Microseconds())/float64(b.N), "µs/floor")
	})
}

func benchmarkView(b *testing.B, do func(*View) error) {
	rooms(b, func(b *testing.B, s *Store) {
		for b.Loop() {
			if err := s.View(context.Background(), do); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkInboxPage(b *testing.B) {
	benchmarkView(b, func(v *View) error { return readInbox(v, "bob", 20) })
}

func BenchmarkEvents(b *testing.B) {
	benchmarkView(b, func(v *View) error { _, err := v.Events(v.Cursor()-100, 100); return err })
}

func BenchmarkClaims(b *testing.B) {
	benchmarkView(b, func(v *View) error { _, err := v.Claims(); return err })
}
