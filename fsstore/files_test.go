package fsstore

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
)

func TestFilesAreNamedAsClaimsNameThem(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked, "-b", "topic")
	gittest.Link(t, "src", filepath.Join(linked, "way"))
	gittest.Link(t, filepath.Join("..", "README"), filepath.Join(linked, "src", "link"))
	gittest.Link(t, "loop", filepath.Join(linked, "loop"))
	w, err := Locate(linked)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what      string
		got, want []schema.Resource
	}{
		{"tracked", w.Files().Tracked("src/a.go"), []schema.Resource{"file:src/a.go"}},
		{"tracked and gone", w.Files().Tracked("old/x.go"), []schema.Resource{"file:old/x.go"}},
		{"tracked link", w.Files().Tracked("src/link"), []schema.Resource{"file:src/link", "file:README"}},
		{"tracked, now behind a link", w.Files().Tracked("way/a.go"), []schema.Resource{"file:way/a.go", "file:src/a.go"}},
		{"odd name", w.Files().Tracked("a*b\n.go"), []schema.Resource{"file:a*b\n.go"}},
		{"composed otherwise", w.Files().Tracked("e\u0301.go"), []schema.Resource{"file:\u00e9.go"}},
		{"from a directory", w.Files().Resources(filepath.Join(linked, "src"), "a.go"), []schema.Resource{"file:src/a.go"}},
		{"through a link", w.Files().Resources(linked, "way/a.go"), []schema.Resource{"file:src/a.go"}},
		{"in another worktree", w.Files().Resources(linked, filepath.Join(repo, "README")), []schema.Resource{"file:README"}},
		{"a link", w.Files().Resources(linked, "src/link"), []schema.Resource{"file:src/link", "file:README"}},
		{"a loop", w.Files().Resources(linked, "loop"), []schema.Resource{"file:loop"}},
		{"outside", w.Files().Resources(linked, "../x"), nil},
		{"the root", w.Files().Resources(linked, "."), nil},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: %s", tt.what, diff)
		}
	}
}

func TestFilesOfANestedRoom(t *testing.T) {
	repo := gittest.NewRepo(t, gittest.TempDir(t))
	gittest.PutFile(t, filepath.Join(repo, "src", ".acc", "workspace.json"), "{}")
	w, err := Locate(filepath.Join(repo, "src"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]schema.Resource{"file:a.go"}, w.Files().Tracked("src/a.go")); diff != "" {
		t.Error(diff)
	}
	if got := w.Files().Tracked("README"); got != nil {
		t.Errorf("a file above the room is %v", got)
	}
}
