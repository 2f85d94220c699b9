package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkStart is what a client waits for: from the start of the process to
// the answer of tools/list. The empty server is the floor that the SDK sets.
func BenchmarkStart(b *testing.B) {
	empty, err := build(b.TempDir(), "emptyserver", "./testdata/emptyserver")
	if err != nil {
		b.Fatal(err)
	}
	root := repository(b)
	for _, program := range []struct{ name, path string }{{"acc-mcp", programPath}, {"empty", empty}} {
		b.Run(program.name, func(b *testing.B) {
			for b.Loop() {
				openAndList(b, program.path, root)
			}
		})
	}
}

// openAndList runs a program until it has listed its tools.
func openAndList(b *testing.B, program, root string) {
	cmd := exec.Command(program)
	cmd.Env = launch{participant: "alice", workspace: root, home: root + "/.."}.environment(b)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	answers := bufio.NewReader(stdout)
	fmt.Fprintln(stdin, initializeLine(rev2511)+"\n"+initializedLine+"\n"+request("1", "tools/list", ""))
	for range 2 {
		if _, err := answers.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	stdin.Close()
	_, _ = io.Copy(io.Discard, answers)
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
}

// maxResident is what one server may hold, in MB: a person runs many.
const maxResident = 30

// BenchmarkResident is the memory that a server holds after 10,000 calls of a
// session that polls often and writes now and then.
func BenchmarkResident(b *testing.B) {
	for b.Loop() {
		root := repository(b)
		s := join(b, "alice", root)
		s.call("acc_status", nil)
		for i := range 2_500 {
			s.call("acc_status", nil)
			s.call("acc_inbox", nil)
			s.call("acc_sync", args{"limit": 20})
			if i%5 == 0 {
				s.note([]string{"alice"}, "to myself")
			} else {
				s.call("acc_work", args{"summary": fmt.Sprintf("step %d", i), "mode": "edit"})
			}
		}
		resident := residentMB(b, s.cmd.Process.Pid)
		b.ReportMetric(resident, "MB-resident")
		if resident > maxResident {
			b.Errorf("%.1f MB resident after 10,000 calls, want at most %d", resident, maxResident)
		}
		s.end()
	}
}

// residentMB is VmRSS of a process; 0 where the system does not tell.
func residentMB(b testing.TB, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Logf("NOT MEASURED: %v", err)
		return 0
	}
	for line := range bytes.Lines(data) {
		if rest, ok := strings.CutPrefix(string(line), "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb) / 1024
		}
	}
	return 0
}
