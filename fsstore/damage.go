package fsstore

import (
	"log/slog"
	"sync"
)

// damageLog reports each damaged or foreign file once a process. A damaged
// file hides nothing else and is never changed.
type damageLog struct {
	log  *slog.Logger
	mu   sync.Mutex
	seen map[string]bool
}

func (d *damageLog) report(name string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen[name] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seen[name] = true
	d.log.Warn("a file in .acc/ is damaged or foreign; it is left as it is", "file", name, "error", err)
}
