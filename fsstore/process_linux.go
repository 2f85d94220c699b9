package fsstore

import (
	"os"
	"strconv"
	"strings"
)

// processStart is the start time of a process in clock ticks since boot, as
// the kernel counts them; "" when there is no such process.
func processStart(pid int) string {
	f, err := os.OpenFile("/proc/"+strconv.Itoa(pid)+"/stat", os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	stat := make([]byte, 1024) // the line is a third of that
	n, err := f.Read(stat)
	if err != nil {
		return ""
	}
	stat = stat[:n]
	// The command in parentheses may hold anything, so count from its end.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const startTime = 19 // field 22 of stat, less the three up to the parenthesis
	if len(fields) <= startTime || fields[0] == "Z" {
		return ""
	}
	return fields[startTime]
}
