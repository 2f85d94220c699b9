package fsstore

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// processStart is the start time of a process in microseconds; "" when there
// is no such process.
func processStart(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || info.Proc.P_pid != int32(pid) {
		return ""
	}
	start := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", start.Sec, start.Usec)
}
