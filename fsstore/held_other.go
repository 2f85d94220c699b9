//go:build !unix

package fsstore

import (
	"io/fs"
	"os"
)

// heldDirs keeps nothing on this system: a directory that is open can neither
// be renamed nor removed here.
type heldDirs struct{}

func newHeldDirs(*os.File) *heldDirs { return &heldDirs{} }

func (*heldDirs) hold() (end func() (after func())) { return func() func() { return func() {} } }

func (*heldDirs) in(string, func(heldDir) error) (ok bool, err error) { return false, nil }

func (*heldDirs) rename(string, string) (ok bool, err error) { return false, nil }

func (*heldDirs) forget(string) {}

type heldDir struct{}

func (heldDir) read() ([]byte, error)            { return nil, fs.ErrInvalid }
func (heldDir) kind() (fs.FileMode, error)       { return 0, fs.ErrInvalid }
func (heldDir) create([]byte, fs.FileMode) error { return fs.ErrInvalid }
