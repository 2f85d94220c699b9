package settle

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"acc/fsstore/gitrepo/gittest"
)

// foldingNames is a file system that does not tell letter cases apart.
func foldingNames(listed *int) nameSource {
	real := realNames()
	find := func(name string) string {
		done, segments := splitRoot(name)
		for _, s := range segments {
			list := listNames(done)
			if i := slices.IndexFunc(list, func(n string) bool { return strings.EqualFold(n, s) }); i >= 0 {
				s = list[i]
			}
			done = filepath.Join(done, s)
		}
		return done
	}
	return nameSource{
		lstat:    func(name string) (fs.FileInfo, error) { return real.lstat(find(name)) },
		readlink: func(name string) (string, error) { return real.readlink(find(name)) },
		list:     func(dir string) []string { *listed++; return real.list(find(dir)) },
	}
}

func TestSettleLetterCase(t *testing.T) {
	root := gittest.TempDir(t)
	gittest.PutFile(t, filepath.Join(root, "Src", "App.go"), "")
	gittest.Link(t, "Src", filepath.Join(root, "Link"))
	listed := 0
	folding := foldingNames(&listed)
	for in, want := range map[string]string{
		"src/APP.GO": "Src/App.go", "Src/App.go": "Src/App.go", "link/app.go": "Src/App.go",
		"SRC/New.go": "Src/New.go", "Other/x": "Other/x",
	} {
		got, err := folding.settle(filepath.Join(root, in))
		if err != nil || got != filepath.Join(root, want) {
			t.Errorf("settle(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	if listed == 0 {
		t.Error("no directory was listed")
	}
}

func TestSettleWhereCaseCounts(t *testing.T) {
	root := gittest.TempDir(t)
	gittest.PutFile(t, filepath.Join(root, "a"), "")
	if _, err := os.Lstat(filepath.Join(root, "A")); err == nil {
		t.Log("letter case does not count here")
		return
	}
	source := realNames()
	source.list = func(dir string) []string { t.Errorf("%s was listed", dir); return nil }
	for _, name := range []string{"a", "A", "b/c", "a/x"} {
		if got, err := source.settle(filepath.Join(root, name)); err != nil || got != filepath.Join(root, name) {
			t.Errorf("settle(%q) = %q, %v", name, got, err)
		}
	}
	// Two names of one file are two names.
	if err := os.Link(filepath.Join(root, "a"), filepath.Join(root, "A")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "A"} {
		if got, err := Path(filepath.Join(root, name)); err != nil || got != filepath.Join(root, name) {
			t.Errorf("hard link: settle(%q) = %q, %v", name, got, err)
		}
	}
}
