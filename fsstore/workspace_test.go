package fsstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"

	"github.com/google/go-cmp/cmp"
)

// locate is Locate where it must not fail.
func locate(t testing.TB, start string, homes ...string) Workspace {
	t.Helper()
	w, err := Locate(start, homes...)
	if err != nil {
		t.Fatalf("Locate(%q): %v", start, err)
	}
	return w
}

// newRoom marks dir as an initialised room.
func newRoom(t testing.TB, dir string) string {
	t.Helper()
	gittest.PutFile(t, filepath.Join(dir, roomDir, workspaceName), "{}\n")
	return dir
}

func TestLocateOutsideGit(t *testing.T) {
	base := gittest.TempDir(t)
	dir := gittest.MakeDir(t, base, "with space", "ünïcode")
	w := locate(t, dir)
	if w.Root != dir || w.Checkout != dir || w.GitDir != "" || w.Worktrees != nil || w.Initialised {
		t.Errorf("plain directory: %+v", w)
	}
	room := newRoom(t, filepath.Join(base, "with space"))
	if w := locate(t, dir); w.Root != room || w.Checkout != room || !w.Initialised {
		t.Errorf("below a room: %+v", w)
	}
}

func TestLocateRepository(t *testing.T) {
	base := gittest.TempDir(t)
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	linked := filepath.Join(base, "linked")
	inside := filepath.Join(repo, ".worktrees", "inside")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	gittest.Run(t, repo, "worktree", "add", "-q", inside)
	deep := gittest.MakeDir(t, linked, "a", "b")
	gittest.MakeDir(t, linked, roomDir, "handoffs") // what Git carries is no room
	newRoom(t, base)                                // above the work tree: of no concern
	tests := []struct{ name, start, checkout, gitDir string }{
		{"top", repo, repo, ".git"},
		{"below", filepath.Join(repo, "src"), repo, ".git"},
		{"linked worktree", linked, linked, ".git/worktrees/linked"},
		{"below a linked worktree", deep, linked, ".git/worktrees/linked"},
		{"worktree inside the main one", inside, inside, ".git/worktrees/inside"},
		{"inside .git", filepath.Join(repo, ".git", "refs"), repo, ".git"},
	}
	for _, tt := range tests {
		w := locate(t, tt.start)
		if w.Root != repo || w.Checkout != tt.checkout || w.GitDir != filepath.Join(repo, tt.gitDir) || w.Initialised {
			t.Errorf("%s: %+v", tt.name, w)
		}
		if w.CommonDir != filepath.Join(repo, ".git") || !slices.Equal(w.Worktrees, []string{repo, inside, linked}) {
			t.Errorf("%s: common dir %s, worktrees %q", tt.name, w.CommonDir, w.Worktrees)
		}
	}
	if w := locate(t, filepath.Join(newRoom(t, repo), "src")); w.Root != repo || !w.Initialised {
		t.Errorf("initialised: %+v", w)
	}
	nested := newRoom(t, filepath.Join(repo, "src"))
	if w := locate(t, gittest.MakeDir(t, nested, "x")); w.Root != nested || w.Checkout != repo || !w.Initialised {
		t.Errorf("room below the top: %+v", w)
	}
}

func TestLocateForgetsRemovedWorktrees(t *testing.T) {
	base := gittest.TempDir(t)
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	for _, name := range []string{"gone", "reused", "moved"} {
		gittest.Run(t, repo, "worktree", "add", "-q", filepath.Join(base, name))
	}
	os.RemoveAll(filepath.Join(base, "gone"))
	os.RemoveAll(filepath.Join(base, "reused"))
	gittest.NewRepo(t, filepath.Join(base, "reused"))
	if got := locate(t, repo).Worktrees; !slices.Equal(got, []string{repo, filepath.Join(base, "moved")}) {
		t.Errorf("worktrees: %q", got)
	}
	moved := filepath.Join(base, "elsewhere")
	if err := os.Rename(filepath.Join(base, "moved"), moved); err != nil {
		t.Fatal(err)
	}
	if w := locate(t, moved); w.Root != repo || w.Checkout != moved || !slices.Contains(w.Worktrees, moved) {
		t.Errorf("moved by hand: %+v", w)
	}
}

func TestLocateRelativeWorktreeFiles(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	gittest.PutFile(t, filepath.Join(linked, ".git"), "gitdir: ../repo/.git/worktrees/linked\n")
	gittest.PutFile(t, filepath.Join(repo, ".git/worktrees/linked/gitdir"), "../../../../linked/.git\n")
	if w := locate(t, linked); w.Root != repo || !slices.Equal(w.Worktrees, []string{repo, linked}) {
		t.Errorf("%+v", w)
	}
}

func TestLocateBare(t *testing.T) {
	base := gittest.TempDir(t)
	bare := filepath.Join(base, "proj", "repo.git")
	gittest.Run(t, base, "clone", "-q", "--bare", gittest.NewRepo(t, filepath.Join(base, "origin")), bare)
	outer, inner := filepath.Join(base, "proj", "outer"), filepath.Join(bare, "inner")
	gittest.Run(t, bare, "worktree", "add", "-q", outer, "-b", "outer")
	gittest.Run(t, bare, "worktree", "add", "-q", inner, "-b", "inner")
	for start, checkout := range map[string]string{
		bare: bare, filepath.Join(bare, "refs"): bare,
		outer: outer, filepath.Join(outer, "src"): outer, inner: inner,
	} {
		w := locate(t, start)
		if w.Root != bare || w.Checkout != checkout || !slices.Equal(w.Worktrees, []string{inner, outer}) {
			t.Errorf("from %s: %+v", start, w)
		}
	}
	// The layout with a .git file beside the worktrees.
	gittest.PutFile(t, filepath.Join(base, "proj", ".git"), "gitdir: ./repo.git\n")
	if w := locate(t, filepath.Join(base, "proj")); w.Root != bare || w.Checkout != bare {
		t.Errorf("from the .git file of a bare repository: %+v", w)
	}
}

func TestLocateDotGitIsBare(t *testing.T) {
	base := gittest.TempDir(t)
	proj := gittest.MakeDir(t, base, "proj")
	gittest.Run(t, base, "clone", "-q", "--bare", gittest.NewRepo(t, filepath.Join(base, "origin")), filepath.Join(proj, ".git"))
	gittest.Run(t, proj, "worktree", "add", "-q", filepath.Join(proj, "feature"), "-b", "feature")
	for _, start := range []string{proj, filepath.Join(proj, "feature")} {
		if w := locate(t, start); w.Root != filepath.Join(proj, ".git") {
			t.Errorf("from %s: %+v", start, w)
		}
	}
}

func TestLocateSubmodule(t *testing.T) {
	base := gittest.TempDir(t)
	super := gittest.NewRepo(t, filepath.Join(base, "super"))
	gittest.Run(t, super, "submodule", "add", "-q", gittest.NewRepo(t, filepath.Join(base, "lib")), "third party/lib")
	gittest.Run(t, super, "commit", "-q", "-m", "submodule")
	sub := filepath.Join(super, "third party", "lib")
	w := locate(t, filepath.Join(sub, "src"))
	if w.Root != sub || w.Checkout != sub || w.GitDir != filepath.Join(super, ".git/modules/third party/lib") {
		t.Errorf("submodule: %+v", w)
	}
	if w := locate(t, w.GitDir); w.Root != sub || w.Checkout != sub {
		t.Errorf("in the submodule's git dir: %+v", w)
	}
	linked := filepath.Join(base, "sub-linked")
	gittest.Run(t, sub, "worktree", "add", "-q", linked)
	if w := locate(t, linked); w.Root != sub || w.Checkout != linked {
		t.Errorf("worktree of a submodule: %+v", w)
	}
}

func TestLocateSeparateGitDir(t *testing.T) {
	base := gittest.TempDir(t)
	repo, store := filepath.Join(base, "repo"), filepath.Join(base, "store")
	gittest.Run(t, base, "init", "-q", "-b", "main", "--separate-git-dir", store, repo)
	gittest.NewRepo(t, repo)
	if w := locate(t, filepath.Join(repo, "src")); w.Root != repo || w.GitDir != store {
		t.Errorf("main worktree: %+v", w)
	}
	linked := filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	_, err := Locate(linked)
	wantRefused(t, err, schema.ReasonWorkspaceInvalid, "core.worktree")
	gittest.Run(t, repo, "config", "core.worktree", repo)
	if w := locate(t, linked); w.Root != repo || w.Checkout != linked {
		t.Errorf("with core.worktree: %+v", w)
	}
}

func TestLocateSymlinkedPaths(t *testing.T) {
	base := gittest.TempDir(t)
	long := strings.Repeat("a long näme ", 18)
	repo := gittest.NewRepo(t, filepath.Join(base, long))
	gittest.Link(t, repo, filepath.Join(base, "link"))
	gittest.Link(t, filepath.Join(base, "link", "src"), filepath.Join(base, "src"))
	for _, start := range []string{"link", "link/", "src", "link/src/..", long + "/./src"} {
		if w := locate(t, base+"/"+start); w.Root != repo || w.Checkout != repo {
			t.Errorf("from %s: %+v", start, w)
		}
	}
	gittest.Link(t, filepath.Join(repo, ".git"), filepath.Join(gittest.MakeDir(t, base, "other"), ".git"))
	if w := locate(t, filepath.Join(base, "other")); w.CommonDir != filepath.Join(repo, ".git") {
		t.Errorf(".git as a link: %+v", w)
	}
}

func TestLocateIgnoresGitVariables(t *testing.T) {
	base := gittest.TempDir(t)
	repo, other := gittest.NewRepo(t, filepath.Join(base, "repo")), gittest.NewRepo(t, filepath.Join(base, "other"))
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_CEILING_DIRECTORIES", repo)
	t.Setenv("PATH", "")
	if w := locate(t, filepath.Join(repo, "src")); w.Root != repo || w.GitFacts() == nil {
		t.Errorf("%+v", w)
	}
}

func TestLocateRefuses(t *testing.T) {
	base := gittest.TempDir(t)
	home := gittest.MakeDir(t, base, "home")
	gittest.Link(t, home, filepath.Join(base, "homelink"))
	gittest.PutFile(t, filepath.Join(base, "file"), "")
	gittest.Link(t, "loop", filepath.Join(base, "loop"))
	dotfiles := gittest.NewRepo(t, filepath.Join(base, "dotfiles"))
	tests := []struct{ start, home, advice string }{
		{"", "", "full path"},
		{filepath.Join(base, "missing"), "", "no such directory"},
		{filepath.Join(base, "file"), "", "not a directory"},
		{filepath.Join(base, "loop"), "", "choose"},
		{"/", "", "root of the file system"},
		{home, home, "home directory"},
		{home, filepath.Join(base, "homelink"), "home directory"},
		{filepath.Join(base, "homelink"), home, "home directory"},
		{filepath.Join(dotfiles, "src"), dotfiles, "home directory"},
	}
	for _, tt := range tests {
		_, err := Locate(tt.start, tt.home)
		wantRefused(t, err, schema.ReasonWorkspaceInvalid, tt.advice)
		if err != nil && tt.start != "/" && strings.Contains(strings.ReplaceAll(err.Error(), tt.start, ""), base) {
			t.Errorf("Locate(%q) names another path: %v", tt.start, err)
		}
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
		t.Errorf("a refusal left %v, %v", entries, err)
	}
	newRoom(t, home)
	if w := locate(t, gittest.MakeDir(t, home, "notes"), home); w.Root != home || !w.Initialised {
		t.Errorf("a home that is a room: %+v", w)
	}
	if w := locate(t, gittest.MakeDir(t, dotfiles, ".x"), "", "relative"); w.Root != dotfiles {
		t.Errorf("unusable homes: %+v", w)
	}
}

func TestLocateForeignRoom(t *testing.T) {
	base := gittest.TempDir(t)
	room := newRoom(t, filepath.Join(base, "room"))
	linked := gittest.MakeDir(t, base, "linked")
	gittest.Link(t, filepath.Join(room, roomDir), filepath.Join(linked, roomDir))
	_, err := Locate(linked)
	wantRefused(t, err, schema.ReasonStoreForeign, "symbolic link")
	_, err = Locate(gittest.MakeDir(t, linked, "below"))
	wantRefused(t, err, schema.ReasonStoreForeign, "symbolic link")

	dangling := gittest.MakeDir(t, base, "dangling")
	gittest.Link(t, "nowhere", filepath.Join(dangling, roomDir))
	_, err = Locate(dangling)
	wantRefused(t, err, schema.ReasonStoreForeign, "symbolic link")

	gittest.PutFile(t, filepath.Join(base, "file", roomDir), "")
	_, err = Locate(filepath.Join(base, "file"))
	wantRefused(t, err, schema.ReasonStoreForeign, "not a directory")
	below := gittest.MakeDir(t, base, "file", "below")
	if w := locate(t, below); w.Root != below {
		t.Errorf("a file .acc on the way up: %+v", w)
	}

	gittest.MakeDir(t, base, "dir", roomDir, workspaceName)
	_, err = Locate(filepath.Join(base, "dir"))
	wantRefused(t, err, schema.ReasonStoreForeign, "regular file")
}

func TestLocateDamagedGit(t *testing.T) {
	base := gittest.TempDir(t)
	for name, content := range map[string]string{"garbage": "nonsense", "empty": "", "gone": "gitdir: /nowhere/at/all"} {
		dir := gittest.MakeDir(t, base, name)
		gittest.PutFile(t, filepath.Join(dir, ".git"), content)
		_, err := Locate(gittest.MakeDir(t, dir, "below"))
		wantRefused(t, err, schema.ReasonWorkspaceInvalid, "git worktree repair")
		newRoom(t, dir)
		if w := locate(t, dir); w.Root != dir || w.GitDir != "" || w.GitFacts() != nil || w.Branch() != "" {
			t.Errorf("%s with a room: %+v", name, w)
		}
	}
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	if err := os.Remove(filepath.Join(repo, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	_, err := Locate(repo)
	wantRefused(t, err, schema.ReasonWorkspaceInvalid, "leads to no repository")
	plain := gittest.MakeDir(t, base, "plain")
	gittest.MakeDir(t, plain, ".git") // Git does not count an empty one either
	if w := locate(t, plain); w.Root != plain || w.GitDir != "" {
		t.Errorf("empty .git: %+v", w)
	}
}

func TestWorkspaceGitFacts(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked, "-b", "topic")
	gittest.PutFile(t, filepath.Join(linked, "README"), "changed\n")
	bare := filepath.Join(base, "bare.git")
	gittest.Run(t, base, "clone", "-q", "--bare", repo, bare)
	commit := gittest.Run(t, repo, "rev-parse", "HEAD")
	for _, tt := range []struct {
		start, branch string
		dirty         bool
	}{
		{filepath.Join(repo, "src"), "main", false}, {linked, "topic", true}, {bare, "main", false},
	} {
		w := locate(t, tt.start)
		want := &schema.GitFacts{Commit: commit, Branch: tt.branch, Dirty: tt.dirty}
		if diff := cmp.Diff(want, w.GitFacts()); diff != "" || w.Branch() != tt.branch {
			t.Errorf("from %s: branch %q, facts (-want +got)\n%s", tt.start, w.Branch(), diff)
		}
	}
	if w := locate(t, base); w.GitFacts() != nil || w.Branch() != "" {
		t.Errorf("outside Git: %+v, branch %q", w.GitFacts(), w.Branch())
	}
}

func TestHome(t *testing.T) {
	if got := Home(func(string) string { return "/home/x" }); got != "/home/x" {
		t.Errorf("Home = %q", got)
	}
	if got := Home(func(string) string { return "" }); got != "" && !filepath.IsAbs(got) {
		t.Errorf("Home from the system = %q", got)
	}
}

func wantRefused(t *testing.T, err error, reason schema.Reason, advice string) {
	t.Helper()
	if !schema.HasReason(err, reason) || !strings.Contains(err.Error(), advice) {
		t.Errorf("got %v; want %s with %q", err, reason, advice)
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
}
