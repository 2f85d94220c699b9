package doctor

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// place is the directory whose file system matters: that of the room, or the
// one in which it will be.
func (cfg Config) place() string {
	room := filepath.Join(cfg.Workspace.Root, ".acc")
	if info, err := os.Lstat(room); err == nil && info.IsDir() {
		return room
	}
	return cfg.Workspace.Root
}

// fileSystem looks at what the store relies on.
func (cfg Config) fileSystem(r *Report) {
	dir := cfg.place()
	kind, known := mountOf(dir)
	switch {
	case !known:
	case kind.network:
		r.add(Warning, "", "the room lies on a network mount ("+kind.name+"): locks and renames may not hold between machines",
			"keep the repository on a local disk, or let one machine at a time use it")
	case kind.volatile:
		r.add(Note, "", "the room lies in memory ("+kind.name+") and is gone after a restart", "keep the repository on a disk if it matters")
	case kind.name != "":
		r.ok("local file system (%s): a rename is one step", kind.name)
	default:
		r.add(Note, "", "the file system is of a kind that acc does not know", "acc doctor --repair tries whether a rename is one step there")
	}
	lockWorks(r, filepath.Join(dir, "workspace.json"))
	watches(r, dir)
}

// mount is what is known of a file system.
type mount struct {
	name     string // "" for an unknown kind
	network  bool
	volatile bool
}

// lockWorks tries a lock against a second descriptor. It takes it on a file
// that is there and that nobody locks; nothing is written.
func lockWorks(r *Report, name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || runtime.GOOS == "windows" {
		return // without a file there is nothing to try it on; Windows keeps readers out meanwhile
	}
	one, other := flock.New(name, flock.SetFlag(os.O_RDONLY)), flock.New(name, flock.SetFlag(os.O_RDONLY))
	defer one.Close()
	defer other.Close()
	got, err := one.TryLock()
	if err == nil && got {
		var second bool
		second, err = other.TryLock()
		if err == nil && second {
			r.add(Problem, inRoom("workspace.json"), "two processes can hold one lock here: nothing keeps them apart", "keep the repository on a local disk")
			return
		}
	}
	if err != nil {
		r.add(Problem, inRoom("workspace.json"), "files cannot be locked here: "+why(err), "keep the repository on a local disk")
		return
	}
	r.ok("locks hold")
}
