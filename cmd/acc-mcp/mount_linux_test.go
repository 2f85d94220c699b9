package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// mountScratch mounts a small file system of its own. Only root may; for
// anybody else the test says that it did not run.
func mountScratch(t *testing.T, size int) (root string, ok bool) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Log("NOT RUN: only root can mount the small file system that this test needs")
		return "", false
	}
	root = filepath.Join(settled(t.TempDir()), "project")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Logf("NOT RUN: this system does not let root mount a tmpfs: %v", err)
		return "", false
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Errorf("the scratch file system stays mounted: %v", err)
		}
	})
	return root, true
}

func remountScratch(t *testing.T, root string, readOnly bool) {
	t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if readOnly {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("", root, "", flags, ""); err != nil {
		t.Fatal(err)
	}
}
