package gitrepo

import (
	"errors"
	"path/filepath"
	"testing"

	"acc/fsstore/gitrepo/gittest"

	"github.com/google/go-cmp/cmp"
)

// find is Find where there is a repository.
func find(t testing.TB, start string) Repo {
	t.Helper()
	r, ok, err := Find(start)
	if err != nil || !ok {
		t.Fatalf("Find(%q) = %v, %v", start, ok, err)
	}
	return r
}

func TestFind(t *testing.T) {
	base := gittest.TempDir(t)
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	common := filepath.Join(repo, ".git")
	linked, bare := filepath.Join(base, "linked"), filepath.Join(base, "bare.git")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	gittest.Run(t, base, "clone", "-q", "--bare", repo, bare)
	main := Repo{Found: repo, Top: repo, Main: repo, GitDir: common, CommonDir: common}
	inGit := main
	inGit.Found = common
	tests := []struct {
		name, start string
		want        Repo
		worktrees   []string
	}{
		{"main worktree", filepath.Join(repo, "src"), main, []string{repo, linked}},
		{"inside .git", filepath.Join(common, "refs"), inGit, []string{repo, linked}},
		{"linked worktree", filepath.Join(linked, "src"), Repo{
			Found: linked, Top: linked, Main: repo, GitDir: filepath.Join(common, "worktrees", "linked"), CommonDir: common,
		}, []string{repo, linked}},
		{"bare", filepath.Join(bare, "refs"), Repo{Found: bare, GitDir: bare, CommonDir: bare, Bare: true}, nil},
	}
	for _, tt := range tests {
		got := find(t, tt.start)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.worktrees, got.Worktrees()); diff != "" {
			t.Errorf("%s: worktrees (-want +got)\n%s", tt.name, diff)
		}
	}
	for dir, want := range map[string]bool{linked: true, repo: false, bare: false, filepath.Join(linked, "src"): false} {
		if got := main.IsLinkedWorktree(dir); got != want {
			t.Errorf("IsLinkedWorktree(%q) = %v", dir, got)
		}
	}
}

func TestFindNothing(t *testing.T) {
	base := gittest.TempDir(t)
	gittest.MakeDir(t, base, ".git") // Git does not count an empty one either
	if r, ok, err := Find(base); ok || err != nil || r != (Repo{}) {
		t.Errorf("Find = %+v, %v, %v", r, ok, err)
	}
	gittest.PutFile(t, filepath.Join(base, "damaged", ".git"), "gitdir: nowhere\n")
	want := Repo{Found: filepath.Join(base, "damaged")}
	if r, ok, err := Find(gittest.MakeDir(t, base, "damaged", "below")); ok || !errors.Is(err, ErrDamaged) || r != want {
		t.Errorf("damaged: Find = %+v, %v, %v", r, ok, err)
	}
	var none Repo
	if none.Worktrees() != nil || none.Branch() != "" || none.Facts() != nil || none.IsLinkedWorktree(base) {
		t.Error("the zero Repo says something")
	}
}
