//go:build !linux

package doctor

// mountOf knows the kinds of file system on Linux only.
func mountOf(string) (mount, bool) { return mount{}, false }

// watches are not counted on other systems.
func watches(*Report, string) {}
