package gitrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore/gitrepo/gittest"
)

// wantFacts holds the facts against what git itself says.
func wantFacts(t *testing.T, name, dir string) {
	t.Helper()
	r := find(t, dir)
	facts := r.Facts()
	if facts == nil {
		t.Errorf("%s: no facts", name)
		return
	}
	ref := strings.TrimSuffix(gittest.Run(t, dir, "rev-parse", "--symbolic-full-name", "HEAD"), "HEAD")
	if branch := strings.TrimPrefix(ref, branchPrefix); facts.Branch != branch || r.Branch() != branch {
		t.Errorf("%s: branch %q, Branch() %q, want %q", name, facts.Branch, r.Branch(), branch)
	}
	if commit := gittest.Run(t, dir, "rev-parse", "HEAD"); facts.Commit != commit {
		t.Errorf("%s: commit %q, want %q", name, facts.Commit, commit)
	}
	// Asked last: it refreshes the index.
	status := gittest.Run(t, dir, "--no-optional-locks", "status", "--porcelain", "-uno")
	if facts.Dirty != (status != "") {
		t.Errorf("%s: dirty %v, git says %q", name, facts.Dirty, status)
	}
}

// clean makes the next answer independent of the one before.
func clean(t *testing.T, dir string) {
	t.Helper()
	gittest.Run(t, dir, "reset", "-q", "--hard")
	gittest.Run(t, dir, "clean", "-qfdx")
}

// changes are what people do to a work tree; each starts from a clean one.
var changes = []struct {
	name string
	do   func(t *testing.T, dir string)
}{
	{"nothing", func(t *testing.T, dir string) {}},
	{"untracked", func(t *testing.T, dir string) { gittest.PutFile(t, filepath.Join(dir, "new"), "x") }},
	{"longer", func(t *testing.T, dir string) { gittest.PutFile(t, filepath.Join(dir, "src/a.go"), "package abc\n") }},
	{"same length", func(t *testing.T, dir string) { gittest.PutFile(t, filepath.Join(dir, "src/a.go"), "package b\n") }},
	{"emptied", func(t *testing.T, dir string) { gittest.PutFile(t, filepath.Join(dir, "src/a.go"), "") }},
	{"touched", func(t *testing.T, dir string) {
		when := time.Unix(1e9, 0)
		if err := os.Chtimes(filepath.Join(dir, "README"), when, when); err != nil {
			t.Fatal(err)
		}
	}},
	{"written again", func(t *testing.T, dir string) { gittest.PutFile(t, filepath.Join(dir, "README"), "read me\n") }},
	{"deleted", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "README")) }},
	{"a folder in its place", func(t *testing.T, dir string) {
		os.Remove(filepath.Join(dir, "README"))
		gittest.MakeDir(t, dir, "README")
	}},
	{"folder behind a link", func(t *testing.T, dir string) {
		if err := os.Rename(filepath.Join(dir, "src"), filepath.Join(dir, "elsewhere")); err != nil {
			t.Fatal(err)
		}
		gittest.Link(t, "elsewhere", filepath.Join(dir, "src"))
	}},
	{"made executable", func(t *testing.T, dir string) { os.Chmod(filepath.Join(dir, "README"), 0o755) }},
	{"made executable, not counted", func(t *testing.T, dir string) {
		os.Chmod(filepath.Join(dir, "README"), 0o755)
		gittest.Run(t, dir, "config", "core.fileMode", "false")
		t.Cleanup(func() { gittest.Run(t, dir, "config", "core.fileMode", "true") })
	}},
	{"link changed", func(t *testing.T, dir string) {
		os.Remove(filepath.Join(dir, "link"))
		gittest.Link(t, "src/b.go", filepath.Join(dir, "link"))
	}},
	{"link made again", func(t *testing.T, dir string) {
		os.Remove(filepath.Join(dir, "link"))
		gittest.Link(t, "src/a.go", filepath.Join(dir, "link"))
	}},
	{"link became a file", func(t *testing.T, dir string) {
		os.Remove(filepath.Join(dir, "link"))
		gittest.PutFile(t, filepath.Join(dir, "link"), "src/a.go")
	}},
	{"staged", func(t *testing.T, dir string) {
		gittest.PutFile(t, filepath.Join(dir, "src/new.go"), "package a\n")
		gittest.Run(t, dir, "add", "src/new.go")
	}},
	{"staged and unstaged", func(t *testing.T, dir string) {
		gittest.PutFile(t, filepath.Join(dir, "src/new.go"), "package a\n")
		gittest.Run(t, dir, "add", "src/new.go")
		gittest.Run(t, dir, "rm", "-q", "--cached", "src/new.go") // the noted tree is void, nothing differs
	}},
	{"staged for removal only", func(t *testing.T, dir string) { gittest.Run(t, dir, "rm", "-q", "--cached", "README") }},
	{"announced", func(t *testing.T, dir string) {
		gittest.PutFile(t, filepath.Join(dir, "soon"), "x")
		gittest.Run(t, dir, "add", "-N", "soon")
	}},
	{"assumed unchanged", func(t *testing.T, dir string) {
		gittest.Run(t, dir, "update-index", "--assume-unchanged", "README")
		t.Cleanup(func() { gittest.Run(t, dir, "update-index", "--no-assume-unchanged", "README") })
		gittest.PutFile(t, filepath.Join(dir, "README"), "changed\n")
	}},
	{"skipped in the work tree", func(t *testing.T, dir string) {
		gittest.Run(t, dir, "update-index", "--skip-worktree", "src/deep/er/x")
		t.Cleanup(func() { gittest.Run(t, dir, "update-index", "--no-skip-worktree", "src/deep/er/x") })
		os.RemoveAll(filepath.Join(dir, "src", "deep"))
	}},
	{"committed", func(t *testing.T, dir string) {
		gittest.PutFile(t, filepath.Join(dir, "more"), "x")
		gittest.Run(t, dir, "add", ".")
		gittest.Run(t, dir, "commit", "-q", "-m", "more")
	}},
	{"soft reset", func(t *testing.T, dir string) { gittest.Run(t, dir, "reset", "-q", "--soft", "HEAD~1") }},
	{"detached", func(t *testing.T, dir string) { gittest.Run(t, dir, "checkout", "-q", "--detach") }},
}

func TestFactsAgainstGit(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run("index v"+version+" "+format, func(t *testing.T) {
				t.Parallel()
				dir := factsRepo(t, format)
				gittest.Run(t, dir, "update-index", "--index-version", version)
				for _, c := range changes {
					clean(t, dir)
					c.do(t, dir)
					wantFacts(t, c.name, dir)
				}
			})
		}
	}
}

// factsRepo has names that sort unlike their folders, links, depth and some
// history.
func factsRepo(t *testing.T, format string) string {
	dir := gittest.MakeDir(t, gittest.TempDir(t), "repo")
	gittest.Run(t, dir, "init", "-q", "-b", "main", "--object-format", format)
	for _, name := range []string{"src.go", "src-x/y", "src/deep/er/x", "src/deep.er", "src/deep-er/x", "ünï/ö ä", "a/b/c/d/e"} {
		gittest.PutFile(t, filepath.Join(dir, name), name)
	}
	gittest.Link(t, "src/a.go", filepath.Join(dir, "link"))
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "zero")
	gittest.NewRepo(t, dir)
	return dir
}

func TestFactsWithoutCommit(t *testing.T) {
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "-q", "-b", "feature/ä-b")
	facts := find(t, dir).Facts()
	if facts == nil || facts.Commit != "" || facts.Branch != "feature/ä-b" || facts.Dirty {
		t.Errorf("unborn: %+v", facts)
	}
	gittest.PutFile(t, filepath.Join(dir, "x"), "x")
	gittest.Run(t, dir, "add", "x")
	if facts := find(t, dir).Facts(); !facts.Dirty {
		t.Error("unborn with a staged file is clean")
	}
	gittest.Run(t, dir, "rm", "-q", "--cached", "x")
	if facts := find(t, dir).Facts(); facts.Dirty {
		t.Error("unborn with an empty index is dirty")
	}
}

func TestFactsOfWorktrees(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked, "-b", "topic")
	gittest.PutFile(t, filepath.Join(linked, "topic"), "x")
	gittest.Run(t, linked, "add", ".")
	gittest.Run(t, linked, "commit", "-q", "-m", "topic")
	gittest.PutFile(t, filepath.Join(repo, "README"), "changed\n")
	wantFacts(t, "main", repo)
	wantFacts(t, "linked", linked)
	gittest.Run(t, repo, "pack-refs", "--all")
	wantFacts(t, "packed refs", linked)
	gittest.Run(t, linked, "bisect", "start")
	wantFacts(t, "bisecting", linked)

	bare := filepath.Join(base, "bare.git")
	gittest.Run(t, base, "clone", "-q", "--bare", repo, bare)
	facts := find(t, bare).Facts()
	if facts == nil || facts.Dirty || facts.Branch != "main" || facts.Commit != gittest.Run(t, bare, "rev-parse", "HEAD") {
		t.Errorf("bare: %+v", facts)
	}
	gittest.Run(t, base, "clone", "-q", "--no-checkout", repo, filepath.Join(base, "unchecked"))
	wantFacts(t, "nothing checked out", filepath.Join(base, "unchecked"))
}

func TestFactsOfSubmodule(t *testing.T) {
	base := gittest.TempDir(t)
	super := gittest.NewRepo(t, filepath.Join(base, "super"))
	lib := gittest.NewRepo(t, filepath.Join(base, "lib"))
	gittest.Run(t, super, "submodule", "add", "-q", lib, "lib")
	gittest.Run(t, super, "commit", "-q", "-m", "submodule")
	wantFacts(t, "submodule in place", super)
	sub := filepath.Join(super, "lib")
	wantFacts(t, "the submodule itself", sub)
	gittest.Run(t, sub, "commit", "-q", "--allow-empty", "-m", "on")
	wantFacts(t, "submodule moved", super)
	gittest.Run(t, base, "clone", "-q", super, filepath.Join(base, "clone"))
	wantFacts(t, "submodule not checked out", filepath.Join(base, "clone"))
}

func TestFactsFromPacks(t *testing.T) {
	base := gittest.TempDir(t)
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	for i := range 30 { // long, similar commits become deltas
		body := strings.Repeat(fmt.Sprintf("line of a long message %d\n", i/10), 100)
		gittest.Run(t, repo, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("commit %d\n\n%s", i, body))
	}
	gittest.Run(t, repo, "gc", "-q", "--aggressive")
	deltas := 0
	for _, line := range strings.Split(gittest.Run(t, repo, "verify-pack", "-v", packsOf(filepath.Join(repo, ".git/objects"))[0]+".idx"), "\n") {
		if f := strings.Fields(line); len(f) == 7 && f[1] == "commit" {
			deltas++
			gittest.Run(t, repo, "checkout", "-q", f[0])
			wantFacts(t, "delta "+f[0], repo)
		}
	}
	if deltas == 0 {
		t.Error("no commit was stored as a delta")
	}
	borrower := filepath.Join(base, "borrower")
	gittest.Run(t, base, "clone", "-q", "--shared", repo, borrower)
	wantFacts(t, "borrowed objects", borrower)
}

func TestFactsLineEnds(t *testing.T) {
	dir := gittest.NewRepo(t, gittest.TempDir(t))
	gittest.Run(t, dir, "config", "core.autocrlf", "true")
	os.Remove(filepath.Join(dir, "README"))
	gittest.Run(t, dir, "checkout", "-q", ".")
	when := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(dir, "README"), when, when); err != nil {
		t.Fatal(err)
	}
	wantFacts(t, "converted and touched", dir)
	gittest.PutFile(t, filepath.Join(dir, "README"), "read ME\r\n")
	wantFacts(t, "converted and changed", dir)
}

func TestFactsSparseIndex(t *testing.T) {
	dir := factsRepo(t, "sha1")
	gittest.Run(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "src-x")
	wantFacts(t, "sparse", dir)
	gittest.PutFile(t, filepath.Join(dir, "src-x/y"), "changed")
	wantFacts(t, "sparse and changed", dir)
}

// What cannot be read must neither fail nor pass for clean.
func TestFactsOfTheUnreadable(t *testing.T) {
	base := gittest.TempDir(t)
	split := gittest.NewRepo(t, filepath.Join(base, "split"))
	gittest.Run(t, split, "update-index", "--split-index")
	reftable := gittest.NewRepo(t, filepath.Join(base, "reftable"))
	gittest.PutFile(t, filepath.Join(reftable, ".git/HEAD"), "ref: refs/heads/.invalid\n")
	escape := gittest.NewRepo(t, filepath.Join(base, "escape"))
	gittest.PutFile(t, filepath.Join(escape, ".git/HEAD"), "ref: refs/../../secret\n")
	garbage := gittest.NewRepo(t, filepath.Join(base, "garbage"))
	gittest.PutFile(t, filepath.Join(garbage, ".git/index"), strings.Repeat("DIRC\x00\x00\x00\x02\x00\x00\xff\xff", 20))
	lost := gittest.NewRepo(t, filepath.Join(base, "lost"))
	os.RemoveAll(filepath.Join(lost, ".git/objects"))
	gittest.MakeDir(t, lost, ".git/objects")
	torn := gittest.NewRepo(t, filepath.Join(base, "torn"))
	gittest.PutFile(t, filepath.Join(torn, ".git/refs/heads/main"), "")
	for _, tt := range []struct {
		dir, branch string
		none        bool
	}{
		{dir: split, branch: "main"}, {dir: garbage, branch: "main"}, {dir: lost, branch: "main"},
		{dir: torn, branch: "main"}, {dir: reftable, none: true}, {dir: escape, none: true},
	} {
		facts := find(t, tt.dir).Facts()
		if tt.none != (facts == nil) || facts != nil && (!facts.Dirty || facts.Branch != tt.branch) {
			t.Errorf("%s: %+v", filepath.Base(tt.dir), facts)
		}
	}
}

func TestTrackedFilesBudget(t *testing.T) {
	dir := gittest.NewRepo(t, gittest.TempDir(t))
	when := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(dir, "README"), when, when); err != nil {
		t.Fatal(err)
	}
	files := &trackedFiles{top: dir, hashedBytes: maxHashedBytes}
	info, err := os.Lstat(filepath.Join(dir, "README"))
	if err != nil || !files.fileDiffers(filepath.Join(dir, "README"), info, &indexEntry{size: 8}) {
		t.Error("a file beyond the budget passes for unchanged")
	}
}

func BenchmarkFacts(b *testing.B) {
	dir := b.TempDir()
	for i := range 50_000 {
		gittest.PutFile(b, filepath.Join(dir, "src", fmt.Sprint("package", i/200), "sub", fmt.Sprint("file_number_", i, ".go")), fmt.Sprint(i))
	}
	gittest.Run(b, dir, "init", "-q")
	gittest.Run(b, dir, "add", ".")
	gittest.Run(b, dir, "commit", "-q", "-m", "many")
	r := find(b, dir)
	b.ReportAllocs()
	for b.Loop() {
		if r.Facts().Dirty {
			b.Fatal("dirty")
		}
	}
}
