//go:build powercut

package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// shutdownRequest is EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN, which are the
// same number: _IOR('X', 125, __u32).
const shutdownRequest = 0x8004587d

// How the file system goes down. Only the last one is a power cut: what was
// in memory is gone. The others write back all of it, or its log, before.
const (
	cutAfterFlush = 0
	cutAfterLog   = 1
	cutAtOnce     = 2
)

// powerKind is a file system that knows how to lose power.
type powerKind struct {
	name    string
	size    int64 // of the image; mkfs.xfs refuses less than 300 MiB
	options string
}

// ext4 commits every second instead of every five: names become durable ahead
// of the data more often, which is what empties files.
var powerKinds = []powerKind{
	{"ext4", 256 << 20, "loop,commit=1"},
	{"xfs", 320 << 20, "loop"},
}

// powerDisk is a file system of its own in an image file.
type powerDisk struct {
	t       testing.TB
	kind    powerKind
	image   string
	top     string // where it is mounted
	mounted bool
}

func newPowerDisk(t testing.TB, kind powerKind) *powerDisk {
	t.Helper()
	dir := t.TempDir()
	p := &powerDisk{t: t, kind: kind, image: filepath.Join(dir, kind.name+".img"), top: filepath.Join(dir, kind.name)}
	if err := errors.Join(os.WriteFile(p.image, nil, 0o600), os.Truncate(p.image, kind.size), os.Mkdir(p.top, 0o700)); err != nil {
		t.Fatal(err)
	}
	p.command("mkfs."+kind.name, "-q", p.image)
	t.Cleanup(p.remove)
	p.mount()
	return p
}

func (p *powerDisk) command(name string, args ...string) {
	p.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

// mount replays the log of the file system, as a machine does that starts. The
// loop device goes by itself when the file system is unmounted.
func (p *powerDisk) mount() {
	p.t.Helper()
	p.command("mount", "-t", p.kind.name, "-o", p.kind.options, p.image, p.top)
	p.mounted = true
}

// cut takes the power away.
func (p *powerDisk) cut(how int) {
	p.t.Helper()
	dir, err := os.Open(p.top)
	if err != nil {
		p.t.Fatal(err)
	}
	defer dir.Close()
	if err := unix.IoctlSetPointerInt(int(dir.Fd()), shutdownRequest, how); err != nil {
		p.t.Fatalf("the power cannot be cut: %v", err)
	}
}

// restart mounts again what was cut. A file system that is still busy is not
// unmounted lazily: two mounts of one image would destroy it.
func (p *powerDisk) restart() {
	p.t.Helper()
	if err := unix.Unmount(p.top, 0); err != nil {
		p.t.Fatalf("unmount: %v", err)
	}
	p.mounted = false
	p.mount()
}

func (p *powerDisk) remove() {
	if !p.mounted {
		return
	}
	if err := unix.Unmount(p.top, unix.MNT_DETACH); err != nil {
		p.t.Errorf("unmount: %v", err)
	}
}

// needPower says loudly that a test did not run, which is a failure where the
// environment says that it must.
func needPower(t *testing.T) {
	t.Helper()
	why := noPower()
	if why == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "\n*** NOT RUN: %s: %v ***\n\n", t.Name(), why)
	if os.Getenv(powerRequired) != "" {
		t.Fatalf("it must run here (%s): %v", powerRequired, why)
	}
	t.Skip(why)
}

// noPower is what is missing for a file system of our own.
func noPower() error {
	if os.Getuid() != 0 {
		return errors.New("only root may mount")
	}
	for _, tool := range []string{"mount", "mkfs.ext4", "mkfs.xfs"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	return makeLoops()
}

// makeLoops makes the nodes of loop devices where nobody else does so, as in
// many containers.
func makeLoops() error {
	if err := node("/dev/loop-control", unix.S_IFCHR, 10, 237); err != nil {
		return err
	}
	for i := range uint32(8) {
		if err := node(fmt.Sprintf("/dev/loop%d", i), unix.S_IFBLK, 7, i); err != nil {
			return err
		}
	}
	f, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("the kernel offers no loop devices: %w", err)
	}
	return f.Close()
}

func node(name string, kind uint32, major, minor uint32) error {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return unix.Mknod(name, kind|0o600, int(unix.Mkdev(major, minor)))
}

// noise writes back what the room does not ask for, as other programs and the
// kernel do at any time.
type noise struct{ stop, done chan struct{} }

func (p *powerDisk) makeNoise(random *rand.Rand, files ...string) *noise {
	n := &noise{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(n.done)
		for {
			select {
			case <-n.stop:
				return
			case <-time.After(time.Duration(random.Int64N(int64(20 * time.Millisecond)))):
			}
			writeBack(files[random.IntN(len(files))])
		}
	}()
	return n
}

// writeBack syncs one file. On ext4 that commits all names there are, and
// nothing of the data of other files. It may be missing, or the power gone.
func writeBack(name string) {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_ = os.Chtimes(name, time.Time{}, time.Now()) // without a change there is no commit
	_ = f.Sync()
}

func (n *noise) end() {
	if n != nil {
		close(n.stop)
		<-n.done
	}
}
