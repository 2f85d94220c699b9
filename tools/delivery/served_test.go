//go:build unix

package delivery

import (
	"os"
	"path/filepath"

	"acc/schema"
	"acc/tools/coordination"
)

// awaitAdapter waits until the process has recorded its route to bob.
func (w *world) awaitAdapter(p *process) {
	w.t.Helper()
	w.until("the route is recorded", func() bool {
		select {
		case <-p.ended:
			w.t.Fatalf("it ended by itself:\n%s", p.errs)
		default:
		}
		return w.servedBy(p.Process.Pid)
	})
}

func (w *world) servedBy(pid int) bool {
	found, _ := filepath.Glob(filepath.Join(w.dir, ".acc", "run", "bindings", "*.json"))
	for _, name := range found {
		var b schema.Binding
		if data, err := os.ReadFile(name); err == nil && schema.Decode(data, &b) == nil && b.PID == pid {
			return true
		}
	}
	return false
}

// askWhenServed asks as soon as the process serves bob.
func (w *world) askWhenServed(p *process) coordination.Sent {
	w.t.Helper()
	w.awaitAdapter(p)
	return w.ask("q")
}
