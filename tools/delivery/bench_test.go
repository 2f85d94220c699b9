//go:build linux

package delivery

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"acc/fsstore/vfs"
	"acc/schema"
	"acc/tools/coordination"
)

// committed notes when a receipt appears in an inbox: right after its
// transaction was decided, and before anybody can read it.
type committed struct {
	vfs.Dir
	at *atomic.Int64
}

func (d committed) Rename(from, to string) error {
	err := d.Dir.Rename(from, to)
	if strings.HasPrefix(to, "inbox/") {
		d.at.Store(time.Now().UnixNano())
	}
	return err
}

// BenchmarkWake measures from a committed send to the first thing that the
// adapter's command does, with 1,000 files in the recipient's inbox. Alice and
// the adapter are processes to each other; the command is run by a shell. What
// the start of a shell alone costs on this machine is measured beside it.
func BenchmarkWake(b *testing.B) {
	w := newWorld(b)
	w.policy(schema.DeliverActionable)
	for i := range 1000 {
		w.call(w.alice, "acc_message", fmt.Sprintf(`{"to":["bob"],"subject":"note %d","body":"b"}`, i), nil)
	}
	pipe := filepath.Join(b.TempDir(), "started")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		b.Fatal(err)
	}
	started, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer started.Close()
	w.awaitAdapter(w.run("adapter", "echo > "+pipe))

	var at atomic.Int64
	cfg := w.config(coordination.Config{ParticipantID: "alice"})
	cfg.Env.Disk = func(real vfs.Dir) vfs.Dir { return committed{real, &at} }
	w.alice = w.room(cfg)
	var wakes, sends, shells []time.Duration
	for i := 0; b.Loop(); i++ {
		began := firstByte(started)
		starting := time.Now()
		if err := exec.Command("/bin/sh", "-c", "echo > "+pipe).Run(); err != nil {
			b.Fatal(err)
		}
		shells = append(shells, (<-began).Sub(starting))
		began = firstByte(started)
		sending := time.Now()
		w.told(w.ask(strconv.Itoa(i)), schema.Offered, "")
		sends = append(sends, time.Since(sending))
		wakes = append(wakes, (<-began).Sub(time.Unix(0, at.Load())))
	}
	report(b, "wake", wakes)
	report(b, "send", sends)
	report(b, "shell", shells)
}

// firstByte tells when the next byte comes.
func firstByte(from *os.File) <-chan time.Time {
	began := make(chan time.Time, 1)
	go func() {
		var line [1]byte
		_, _ = from.Read(line[:])
		began <- time.Now()
	}()
	return began
}

// report gives the middle and the end of what was measured.
func report(b *testing.B, name string, all []time.Duration) {
	slices.Sort(all)
	ms := func(share float64) float64 {
		return float64(all[min(len(all)-1, int(share*float64(len(all))))].Microseconds()) / 1000
	}
	b.ReportMetric(ms(0.5), name+"-p50-ms")
	b.ReportMetric(ms(0.99), name+"-p99-ms")
}

// BenchmarkIdle measures what an adapter costs that has nothing to do, with
// 1,000 files in the inbox.
func BenchmarkIdle(b *testing.B) {
	w := newWorld(b)
	w.policy(schema.DeliverActionable)
	for i := range 1000 {
		w.call(w.alice, "acc_message", fmt.Sprintf(`{"to":["bob"],"subject":"note %d","body":"b"}`, i), nil)
	}
	p := w.run("adapter", "true")
	w.awaitAdapter(p)
	const idle = 10 * time.Second
	for b.Loop() {
		before := ticks(b, p.Process.Pid)
		<-time.After(idle)
		b.ReportMetric(float64(ticks(b, p.Process.Pid)-before)*10/idle.Minutes(), "cpu-ms/min")
	}
}

// ticks is the time that a process has used, in hundredths of a second.
func ticks(b *testing.B, pid int) int {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err1 != nil || err2 != nil {
		b.Fatal(err1, err2)
	}
	return user + system
}
