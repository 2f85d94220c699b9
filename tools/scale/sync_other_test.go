//go:build !linux

package scale

import "os"

func datasync(f *os.File) error { return f.Sync() }
