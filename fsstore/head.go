package fsstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
)

// head is where the journal stands. It is a cache for the processes that live
// now: written in place, never synced, and made anew by recovery. Whoever
// takes the lock reads it instead of the journal. It ends in a sum, for those
// who read it without the lock while it is written.
type head struct {
	Epoch uint64 `json:"epoch"`
	Seq   uint64 `json:"seq"`  // last transaction that is applied
	Tail  int64  `json:"tail"` // where the next record goes
	State state  `json:"state"`
}

// headSize leaves room for the largest numbers.
const headSize = 512

func readHead(f file) (head, bool) {
	buf := make([]byte, headSize)
	n, err := f.ReadAt(buf, 0)
	if err != nil && err != io.EOF {
		return head{}, false
	}
	return parseHead(buf[:n])
}

func parseHead(data []byte) (h head, ok bool) {
	line, _, found := bytes.Cut(data, []byte("\n"))
	line, sum, summed := bytes.Cut(line, []byte(" "))
	whole := found && summed && string(sum) == headSum(line)
	return h, whole && json.Unmarshal(line, &h) == nil && h.Tail >= recordsStart && h.Tail <= maxJournal && h.State.possible()
}

func writeHead(f file, h head) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	line = fmt.Appendf(line, " %s", headSum(line))
	buf := bytes.Repeat([]byte{' '}, headSize)
	copy(buf, line)
	buf[len(line)] = '\n'
	buf[headSize-1] = '\n'
	_, err = f.WriteAt(buf, 0)
	return err
}

func headSum(line []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(line, castagnoli)) }

// invalidateHead makes the next holder of the lock recover from the journal.
func invalidateHead(f file) error {
	_, err := f.WriteAt(bytes.Repeat([]byte{'\n'}, headSize), 0)
	return err
}
