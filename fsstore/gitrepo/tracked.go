package gitrepo

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Bounds of the work for one answer. Beyond them the answer is "changed": who
// copied a huge repository without its times has nothing that could be known
// in the time a handoff may take.
const (
	maxTrackedFiles = 1_000_000
	maxHashedFiles  = 5_000
	maxHashedBytes  = 64 << 20
)

// trackedFiles compares the files of a work tree with entries of its index.
type trackedFiles struct {
	top         string
	newHash     func() hash.Hash
	indexTime   time.Time
	execBits    bool // core.fileMode: the file system keeps them
	symlinks    bool // core.symlinks: else links are files that hold the target
	checkedDir  string
	files       int
	hashedFiles int
	hashedBytes int64
	buffer      []byte // for reading files; one for all keeps the process small
}

func newTrackedFiles(top string, cfg config, newHash func() hash.Hash, indexTime time.Time) *trackedFiles {
	unix := runtime.GOOS != "windows"
	return &trackedFiles{
		top: top, newHash: newHash, indexTime: indexTime, buffer: make([]byte, 1<<15),
		execBits: unix && cfg.flag("core.filemode", true),
		symlinks: cfg.flag("core.symlinks", unix),
	}
}

// changed reports whether a file differs from its entry in the index, or may.
func (t *trackedFiles) changed(e *indexEntry) bool {
	t.files++
	switch {
	case e.flags&flagStage != 0, e.extended&flagIntentToAdd != 0, t.files > maxTrackedFiles:
		return true // a conflict, or git add -N
	case e.flags&flagAssumeValid != 0, e.extended&flagSkipWorktree != 0, e.mode&modeType == modeTree:
		return false // Git was told not to look
	}
	name := string(e.name)
	if !filepath.IsLocal(filepath.FromSlash(name)) || !t.realDir(name) {
		return true
	}
	path := t.top + string(filepath.Separator) + filepath.FromSlash(name)
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return true
	case e.mode&modeType == modeGitlink:
		return !info.IsDir() || submoduleMoved(path, e.id)
	case e.mode&modeType == modeSymlink && t.symlinks:
		return info.Mode()&fs.ModeSymlink == 0 || t.linkDiffers(path, info, e)
	}
	return t.fileDiffers(path, info, e)
}

// realDir reports whether the folders of name are folders. Behind a link Git
// sees no tracked file, even if one is there.
func (t *trackedFiles) realDir(name string) bool {
	end := strings.LastIndexByte(name, '/')
	if end < 0 || name[:end] == t.checkedDir {
		return true
	}
	dir := name[:end]
	for i := range len(dir) + 1 {
		if i < len(dir) && dir[i] != '/' || strings.HasPrefix(t.checkedDir+"/", dir[:i]+"/") {
			continue
		}
		info, err := os.Lstat(filepath.Join(t.top, filepath.FromSlash(dir[:i])))
		if err != nil || !info.IsDir() {
			return false
		}
	}
	t.checkedDir = dir
	return true
}

func (t *trackedFiles) fileDiffers(path string, info fs.FileInfo, e *indexEntry) bool {
	if !info.Mode().IsRegular() || t.execBits && (info.Mode()&modeExec != 0) != (e.mode&modeExec != 0) {
		return true
	}
	sameSize := uint32(info.Size()) == e.size
	switch {
	case sameSize && sameTime(info.ModTime(), e) && !t.racy(e):
		return false
	case !sameSize && e.size != 0: // 0 also says: look at the content
		return true
	}
	return t.contentDiffers(path, info.Size(), e.id)
}

func (t *trackedFiles) linkDiffers(path string, info fs.FileInfo, e *indexEntry) bool {
	if uint32(info.Size()) == e.size && sameTime(info.ModTime(), e) && !t.racy(e) {
		return false
	}
	target, err := os.Readlink(path)
	id := objectID(t.newHash(), "blob", []byte(filepath.ToSlash(target)))
	return err != nil || !bytes.Equal(id, e.id)
}

// sameTime compares modification times. Some writers of an index, and archives
// that a work tree was unpacked from, leave the parts of a second out.
func sameTime(mtime time.Time, e *indexEntry) bool {
	part := uint32(mtime.Nanosecond())
	return uint32(mtime.Unix()) == e.mtimeSec && (part == e.mtimeNsec || part == 0 || e.mtimeNsec == 0)
}

// racy: a file that was written no earlier than the index may have changed
// once more within the same tick of the clock.
func (t *trackedFiles) racy(e *indexEntry) bool {
	if e.mtimeNsec == 0 {
		return int64(e.mtimeSec) >= t.indexTime.Unix()
	}
	return !time.Unix(int64(e.mtimeSec), int64(e.mtimeNsec)).Before(t.indexTime)
}

// contentDiffers hashes a file. When the bytes differ, CRLF is read as LF
// once: that is how a checkout with converted line ends looks.
func (t *trackedFiles) contentDiffers(path string, size int64, id []byte) bool {
	t.hashedFiles++
	t.hashedBytes += size
	if t.hashedFiles > maxHashedFiles || t.hashedBytes > maxHashedBytes {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	whole, ends := t.newHash(), &lfWriter{w: io.Discard}
	fmt.Fprintf(whole, "blob %d\x00", size)
	if t.copy(io.MultiWriter(whole, ends), f) != nil {
		return true
	}
	if bytes.Equal(whole.Sum(nil), id) || ends.dropped == 0 {
		return !bytes.Equal(whole.Sum(nil), id)
	}
	return t.convertedDiffers(f, size-ends.dropped, id)
}

// convertedDiffers hashes f, which has size bytes without the CR of its line
// ends.
func (t *trackedFiles) convertedDiffers(f io.ReadSeeker, size int64, id []byte) bool {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return true
	}
	h := t.newHash()
	fmt.Fprintf(h, "blob %d\x00", size)
	lines := &lfWriter{w: h}
	err := t.copy(lines, f)
	return err != nil || lines.end() != nil || !bytes.Equal(h.Sum(nil), id)
}

// copy hides the other methods of r, for which io would make a buffer anew.
func (t *trackedFiles) copy(w io.Writer, r io.Reader) error {
	_, err := io.CopyBuffer(w, struct{ io.Reader }{r}, t.buffer)
	return err
}

// submoduleMoved reports whether a submodule is at another commit than id. One
// that is not checked out is at none.
func submoduleMoved(path string, id []byte) bool {
	gitDir, ok, err := gitDirOf(path)
	if err != nil || !ok {
		return err != nil
	}
	own := refs{gitDir: gitDir, commonDir: commonDirOf(gitDir)}
	ref, commit, ok := own.head()
	if ok && ref != "" {
		commit, ok = own.resolve(ref)
	}
	return !ok || commit != hex.EncodeToString(id)
}
