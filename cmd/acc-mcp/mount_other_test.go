//go:build !linux

package main_test

import "testing"

func mountScratch(t *testing.T, size int) (root string, ok bool) {
	t.Log("NOT RUN: this test mounts a small file system, which it can do on Linux only")
	return "", false
}

func remountScratch(*testing.T, string, bool) {}
