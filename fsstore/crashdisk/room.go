package crashdisk

import (
	"fmt"
	"os"
	"path/filepath"

	"acc/fsstore/vfs"
)

// Instead puts d in the place of a room's real directory, for fsstore.Env.
func Instead(d vfs.Dir) func(real vfs.Dir) vfs.Dir {
	return func(real vfs.Dir) vfs.Dir {
		_ = real.Close()
		return d
	}
}

// MakeLocks makes, in a real directory, what processes lock of the room in it.
// The kernel's locks need real files.
func MakeLocks(workspace string) error {
	run := filepath.Join(workspace, ".acc", "run")
	if err := os.MkdirAll(filepath.Join(run, "offers"), 0o700); err != nil {
		return err
	}
	names := []string{"gate", "lock", "live"}
	for i := range 64 {
		names = append(names, fmt.Sprintf("offers/%02x.lock", i))
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(run, name), nil, 0o600); err != nil {
			return err
		}
	}
	return nil
}
