package delivery

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"acc/schema"
)

// isolate gives a process its own limits, where its part asks for that.
func isolate(cmd *exec.Cmd, part string) {
	if part != "watchless" {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// TestNoWatches serves where the system gives no inotify instance any more:
// mail comes a little later, and one warning says why.
func TestNoWatches(t *testing.T) {
	w := newWorld(t)
	w.policy(schema.DeliverAll)
	p := w.run("watchless", "true")
	w.until("the process has its limits", func() bool {
		if strings.Contains(p.errs.String(), "NO LIMIT") {
			t.Skipf("NOT RUN: %s", p.errs)
		}
		return strings.Contains(p.errs.String(), "limited")
	})
	id := w.askWhenServed(p).Message.MessageID
	w.waitFor(func(r map[string]schema.Receipt) bool { return r[id].State == schema.Offered })
	if n := strings.Count(p.errs.String(), "gives no (more) watches"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, p.errs)
	}
}
