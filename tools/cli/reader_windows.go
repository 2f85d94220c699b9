package cli

import "os"

// whenUnread does nothing here: the next write finds out.
func whenUnread(*os.File, func()) {}
