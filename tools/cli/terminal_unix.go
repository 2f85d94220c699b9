//go:build unix

package cli

import (
	"os"
	"syscall"
)

// windowSignals say that the window has another size.
var windowSignals = []os.Signal{syscall.SIGWINCH}

func understandsSequences(*os.File) error { return nil }
