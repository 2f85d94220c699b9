//go:build unix && !linux

package delivery

import "syscall"

// group asks for a process group.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
