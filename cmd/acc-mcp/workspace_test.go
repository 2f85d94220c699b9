package main_test

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusedWorkspace holds that no room appears where a client merely
// happened to be started.
func TestRefusedWorkspace(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, dir string) launch // dir is fresh; nothing in it may change
		want  string
	}{
		{"missing", func(t *testing.T, dir string) launch {
			return launch{workspace: filepath.Join(dir, "missing")}
		}, "no such directory"},
		{"a file", func(t *testing.T, dir string) launch {
			put(t, filepath.Join(dir, "file"), "x")
			return launch{workspace: filepath.Join(dir, "file")}
		}, "not a directory"},
		{"root of the file system", func(t *testing.T, dir string) launch {
			return launch{workspace: "/"}
		}, "root of the file system"},
		{"started in the root of the file system", func(t *testing.T, dir string) launch {
			return launch{dir: "/"}
		}, "root of the file system"},
		{"home", func(t *testing.T, dir string) launch {
			return launch{workspace: dir, home: dir}
		}, "home directory"},
		{"started in home", func(t *testing.T, dir string) launch {
			return launch{dir: dir, home: dir}
		}, "home directory"},
		{"a link to home", func(t *testing.T, dir string) launch {
			link := filepath.Join(t.TempDir(), "link")
			symlink(t, dir, link)
			return launch{workspace: link, home: dir}
		}, "home directory"},
		{"home as the user database knows it", func(t *testing.T, dir string) launch {
			u, err := user.Current()
			if err != nil {
				t.Fatal(err)
			}
			return launch{workspace: u.HomeDir, env: []string{"HOME="}}
		}, "home directory"},
		{"subdirectory of a home that is a repository", func(t *testing.T, dir string) launch {
			git(t, dir, "init", "-q")
			put(t, filepath.Join(dir, "sub", "file"), "x")
			return launch{workspace: filepath.Join(dir, "sub"), home: dir}
		}, "home directory"},
		{".acc is a link", func(t *testing.T, dir string) launch {
			git(t, dir, "init", "-q")
			symlink(t, t.TempDir(), filepath.Join(dir, ".acc"))
			return launch{workspace: dir}
		}, "symbolic link"},
		{".acc is a file", func(t *testing.T, dir string) launch {
			put(t, filepath.Join(dir, ".acc"), "x")
			return launch{workspace: dir}
		}, "not a directory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := settled(t.TempDir())
			l := test.setup(t, dir)
			before := tree(t, dir)
			refusesLaunch(t, l, 4, test.want)
			unchanged(t, dir, before)
			if _, err := os.Lstat("/.acc"); err == nil {
				t.Error("there is a /.acc")
			}
		})
	}
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

// TestRoom holds where the room of a directory is. Each case names where a
// server starts and where its room must be.
func TestRoom(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, root string) (start, room string)
	}{
		{"main worktree", func(t *testing.T, root string) (string, string) { return root, root }},
		{"subdirectory", func(t *testing.T, root string) (string, string) { return filepath.Join(root, "src"), root }},
		{"linked worktree", func(t *testing.T, root string) (string, string) {
			git(t, root, "worktree", "add", "-q", "../linked")
			return filepath.Join(filepath.Dir(root), "linked"), root
		}},
		{"subdirectory of a linked worktree", func(t *testing.T, root string) (string, string) {
			git(t, root, "worktree", "add", "-q", "../linked")
			return filepath.Join(filepath.Dir(root), "linked", "src"), root
		}},
		{"worktree of a bare repository", func(t *testing.T, root string) (string, string) {
			git(t, root, "clone", "-q", "--bare", ".", "../bare.git")
			bare := filepath.Join(filepath.Dir(root), "bare.git")
			git(t, bare, "worktree", "add", "-q", "../tree")
			return filepath.Join(filepath.Dir(root), "tree"), bare
		}},
		{"submodule", func(t *testing.T, root string) (string, string) {
			outer := repository(t)
			git(t, outer, "submodule", "--quiet", "add", root, "mod")
			return filepath.Join(outer, "mod", "src"), filepath.Join(outer, "mod")
		}},
		{"outside Git", func(t *testing.T, root string) (string, string) {
			dir := settled(t.TempDir())
			return dir, dir
		}},
		{"below a room outside Git", func(t *testing.T, root string) (string, string) {
			dir := settled(t.TempDir())
			put(t, filepath.Join(dir, "below", "file"), "x")
			join(t, "codex", dir).call("acc_status", nil)
			return filepath.Join(dir, "below"), dir
		}},
		{"a link to the repository", func(t *testing.T, root string) (string, string) {
			link := filepath.Join(filepath.Dir(root), "link")
			symlink(t, root, link)
			return link, root
		}},
		{"spaces, Unicode and length", func(t *testing.T, root string) (string, string) {
			long := filepath.Join(filepath.Dir(root), "Größe und 名前 "+strings.Repeat("n", 180))
			if err := os.Rename(root, long); err != nil {
				t.Fatal(err)
			}
			return long, long
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			start, room := test.setup(t, repository(t))
			s := join(t, "alice", start)
			if got := text(t, s.call("acc_status", nil), "root"); got != room {
				t.Errorf("started in %s: the room is %s, want %s", start, got, room)
			}
			s.note([]string{}, "hello")
			s.end()
			if got := rooms(t, filepath.Dir(room)); len(got) != 1 || got[0] != filepath.Join(room, ".acc") {
				t.Errorf("rooms %v, want only %s", got, room)
			}
			if room != start && !strings.HasSuffix(room, ".git") {
				meet(t, start, room)
			}
		})
	}
}

// rooms are the .acc directories below dir.
func rooms(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == ".acc" {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// meet sends mail from one place to the other.
func meet(t *testing.T, here, there string) {
	t.Helper()
	bob := join(t, "bob", there)
	bob.call("acc_status", nil)
	join(t, "alice", here).note([]string{"bob"}, "are you there?")
	if got := list(t, bob.call("acc_inbox", nil), "items"); len(got) != 1 {
		t.Errorf("bob has %d letters, want 1", len(got))
	}
}

// Git's own variables belong to whoever set them, often a hook.
func TestGitVariablesAreIgnored(t *testing.T) {
	root, other := repository(t), repository(t)
	s := connect(t, launch{participant: "alice", dir: root, env: []string{
		"GIT_DIR=" + filepath.Join(other, ".git"), "GIT_WORK_TREE=" + other, "GIT_CEILING_DIRECTORIES=" + root,
	}})
	if got := text(t, s.call("acc_status", nil), "root"); got != root {
		t.Errorf("the room is %s, want %s", got, root)
	}
}

// Nothing in .acc shows in git status, and the index is left alone, but for
// handoffs, which may wait to be committed.
func TestGitStatusIsQuiet(t *testing.T) {
	root := repository(t)
	index := tree(t, filepath.Join(root, ".git"))["index"]
	s := join(t, "alice", root)
	for range 20 {
		s.note([]string{}, "hello")
	}
	if got := git(t, root, "status", "--porcelain"); got != "" {
		t.Errorf("git status says %q", got)
	}
	if tree(t, filepath.Join(root, ".git"))["index"] != index {
		t.Error("the index changed")
	}
	s.call("acc_finish", args{"goal": "done"})
	file := one(t, root, ".acc/handoffs/*.json")
	if got, want := strings.TrimSpace(git(t, root, "status", "--porcelain", "-uall")), "?? .acc/.gitattributes\n?? "+file; got != want {
		t.Errorf("after a handoff git status says %q, want %q", got, want)
	}
}
