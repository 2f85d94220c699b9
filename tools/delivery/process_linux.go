package delivery

import "syscall"

// group asks for a process group, and for the end of the command with the
// adapter: one that lived on could show a message that the next adapter has
// shown and recorded meanwhile.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
