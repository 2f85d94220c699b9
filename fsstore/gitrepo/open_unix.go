//go:build unix

package gitrepo

import "syscall"

// nonBlock keeps the runtime from asking whether a file can be waited for,
// which takes five system calls and is never so.
const nonBlock = syscall.O_NONBLOCK
