//go:build unix

package settle

import (
	"path/filepath"
	"syscall"
	"testing"

	"acc/fsstore/gitrepo/gittest"
)

func TestSettleBelowAPipe(t *testing.T) {
	pipe := filepath.Join(gittest.TempDir(t), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(pipe, "\u00e9") // a name for which the directory is read
	if got, err := Path(want); err != nil || got != want {
		t.Errorf("Path(%q) = %q, %v", want, got, err)
	}
}
