//go:build !linux

package fsstore

// gate is the lock of one file. Where the kernel has no locks that a queue can
// be made of, it is not fair among those who wait at it.
type gate struct{ fileLock }

func newGate(path string) (*gate, error) { return &gate{newFileLock(path, true)}, nil }
