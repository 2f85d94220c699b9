package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// footprint is what a process holds; zero where the system does not tell.
type footprint struct {
	residentMB  float64
	descriptors int // but for logs
	logs        int // files of the event log and of the decisions index, kept open for the next append
}

// maxLogs is how many logs the store keeps open at most.
const maxLogs = 4

// maxGrowth is how much more memory a process may hold after long work, in MB.
// What the collector has not given back yet is in it.
const maxGrowth = 15

// dayListing is what one message more in a day may add to that, in MB: a page
// of history lists the names of its day, and all of a test is one day.
const dayListing = 512.0 / (1 << 20)

func (f footprint) String() string {
	return fmt.Sprintf("%.1f MB, %d descriptors and %d logs", f.residentMB, f.descriptors, f.logs)
}

// footprint looks at a server that has nothing to do.
func (s *server) footprint() footprint {
	s.t.Helper()
	pid := s.cmd.Process.Pid
	f := footprint{residentMB: residentMB(s.t, pid)}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	open, err := os.ReadDir(dir)
	if err != nil {
		s.t.Logf("NOT MEASURED: %v", err)
	}
	for _, e := range open {
		target, err := os.Readlink(filepath.Join(dir, e.Name()))
		switch {
		case err != nil: // closed meanwhile
		case strings.Contains(target, "/.acc/events/") || strings.Contains(target, "/.acc/index/"):
			f.logs++
		default:
			f.descriptors++
		}
	}
	return f
}

// settled waits until a server has given back the descriptors of its last
// call, and of what it does by itself.
func (s *server) settled(before footprint) footprint {
	s.t.Helper()
	for end := time.Now().Add(soon); ; {
		now := s.footprint()
		if now.descriptors <= before.descriptors || time.Now().After(end) {
			return now
		}
		s.request("ping", "")
	}
}

// wantNoMoreThan holds a process to what it held before, in a room that has
// more messages of this day now. With the race
// detector, memory says nothing.
func (f footprint) wantNoMoreThan(t testing.TB, before footprint, messages int) {
	t.Helper()
	if f.descriptors > before.descriptors || f.logs > maxLogs {
		t.Errorf("the process holds %v, and held %v", f, before)
	}
	if grown := f.residentMB - before.residentMB; grown > maxGrowth+float64(messages)*dayListing && !raceEnabled {
		t.Errorf("the process has grown by %.1f MB", grown)
	}
}
