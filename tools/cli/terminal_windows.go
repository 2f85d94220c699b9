package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// windowSignals are none: the size is asked for each time the page is drawn.
var windowSignals []os.Signal

// understandsSequences has the console take sequences for what they are.
func understandsSequences(out *os.File) error {
	console := windows.Handle(out.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
}
