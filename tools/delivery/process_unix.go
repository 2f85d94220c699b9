//go:build unix

package delivery

import (
	"context"
	"os/exec"
	"syscall"
)

// shell is a command that a person wrote, for the shell of the system.
func shell(ctx context.Context, command string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", command)
}

// separate gives a command a process group of its own, which is killed whole.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = group()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
