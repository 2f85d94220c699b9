//go:build !unix

package fsstore

import (
	"io/fs"
	"os"
)

// heldDirs keeps nothing on this system: a directory that is open can neither
// be renamed nor removed here.
type heldDirs struct{}

func newHeldDirs(*os.Root) *heldDirs { return &heldDirs{} }

func (*heldDirs) hold() (end func() (done func())) { return func() func() { return func() {} } }

func (*heldDirs) at(string) (heldDir, bool) { return heldDir{}, false }

func (*heldDirs) rename(string, string) (err error, ok bool) { return nil, false }

func (*heldDirs) forget(string) {}

type heldDir struct{}

func (heldDir) read() ([]byte, error)            { return nil, fs.ErrInvalid }
func (heldDir) kind() (fs.FileMode, error)       { return 0, fs.ErrInvalid }
func (heldDir) create([]byte, fs.FileMode) error { return fs.ErrInvalid }
