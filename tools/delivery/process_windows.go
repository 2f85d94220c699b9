package delivery

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// shell is a command that a person wrote, for the shell of the system.
func shell(ctx context.Context, command string) *exec.Cmd {
	interpreter := os.Getenv("ComSpec")
	if interpreter == "" {
		interpreter = "cmd.exe"
	}
	cmd := exec.CommandContext(ctx, interpreter)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `/d /s /c "` + command + `"`}
	return cmd
}

// separate does nothing: when the time of a command is over, the command alone
// is killed.
func separate(*exec.Cmd) {}
