package doctor

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// mounts are the kinds of file system that are known, by their magic number.
var mounts = map[uint32]mount{
	unix.EXT4_SUPER_MAGIC: {name: "ext"}, unix.XFS_SUPER_MAGIC: {name: "xfs"}, unix.BTRFS_SUPER_MAGIC: {name: "btrfs"},
	unix.F2FS_SUPER_MAGIC: {name: "f2fs"}, 0x2fc12fc1: {name: "zfs"}, unix.OVERLAYFS_SUPER_MAGIC: {name: "overlay"},
	0xca451a4e: {name: "bcachefs"}, unix.REISERFS_SUPER_MAGIC: {name: "reiserfs"}, 0x3153464a: {name: "jfs"},
	unix.TMPFS_MAGIC: {name: "tmpfs", volatile: true}, unix.RAMFS_MAGIC: {name: "ramfs", volatile: true},
	unix.NFS_SUPER_MAGIC: {name: "nfs", network: true}, unix.SMB_SUPER_MAGIC: {name: "smb", network: true},
	unix.CIFS_SUPER_MAGIC: {name: "cifs", network: true}, unix.SMB2_SUPER_MAGIC: {name: "smb2", network: true},
	unix.V9FS_MAGIC: {name: "9p", network: true}, unix.AFS_SUPER_MAGIC: {name: "afs", network: true},
	unix.CODA_SUPER_MAGIC: {name: "coda", network: true}, unix.CEPH_SUPER_MAGIC: {name: "ceph", network: true},
	0x0bd00bd0: {name: "lustre", network: true}, 0x01161970: {name: "gfs2", network: true}, 0x7461636f: {name: "ocfs2", network: true},
	unix.FUSE_SUPER_MAGIC: {name: "fuse", network: true},
}

func mountOf(dir string) (mount, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return mount{}, false
	}
	return mounts[uint32(st.Type)], true
}

// watches tries whether the kernel still gives a watch.
func watches(r *Report, dir string) {
	const do = "acc watch polls until then; raise fs.inotify.max_user_watches and max_user_instances"
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err == nil {
		defer unix.Close(fd)
		_, err = unix.InotifyAddWatch(fd, dir, unix.IN_CREATE)
	}
	switch {
	case err == nil:
		r.ok("inotify gives watches%s", limits())
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENOSPC), errors.Is(err, unix.ENFILE):
		r.add(Warning, "", "no inotify watches are left"+limits(), do)
	default:
		r.add(Note, "", "inotify does not work here: "+err.Error(), do)
	}
}

// limits are what the kernel allows a user, "" where it does not say.
func limits() string {
	read := func(name string) string {
		text, err := os.ReadFile("/proc/sys/fs/inotify/" + name)
		if err != nil {
			return "?"
		}
		return strings.TrimSpace(string(text))
	}
	return fmt.Sprintf(" (of %s, in %s instances)", read("max_user_watches"), read("max_user_instances"))
}
