package scale

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// floor is the least that something can cost on this machine: one durable
// append for what writes, one listing for what reads, one start for a command.
type floor struct {
	name string
	do   func()
}

// floorRecord is about what a send writes to the journal.
const floorRecord = 1500

// appends is one record appended to a file and made durable.
func appends(b *testing.B) floor {
	b.Helper()
	f, err := os.Create(filepath.Join(kept(b), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	data := bytes.Repeat([]byte("x"), floorRecord)
	return floor{"append", func() {
		if _, err := f.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := datasync(f); err != nil {
			b.Fatal(err)
		}
	}}
}

// kept is a directory that stays until the end, as the rooms do.
func kept(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "floor-")
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

// floorNames is how many names the folder has whose listing is the floor of
// what reads: a day of mail in the rooms that are measured.
const floorNames = 1000

// listing is one os.ReadDir of a folder of its own.
func listing(b *testing.B) floor {
	b.Helper()
	dir := kept(b)
	for i := range floorNames {
		name := filepath.Join(dir, fmt.Sprintf("message_01m8pr5b6k4939zmgnfp2%05d.question.json", i))
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return listingOf(b, dir)
}

// listingOf is one os.ReadDir of a folder.
func listingOf(b *testing.B, dir string) floor {
	return floor{"readdir", func() {
		if _, err := os.ReadDir(dir); err != nil {
			b.Fatal(err)
		}
	}}
}

// starts is one run of a program that does nothing.
func starts(b *testing.B) floor {
	b.Helper()
	empty := program(b, "empty")
	return floor{"start", func() { run(b, empty) }}
}

// built makes the programs once, before anything is measured.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "bin-"); err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../../cmd/acc", "../../cmd/acc/testdata/empty").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

func program(b *testing.B, name string) string {
	b.Helper()
	dir, err := built()
	if err != nil {
		b.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

func run(b *testing.B, program string, args ...string) {
	b.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		b.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}
