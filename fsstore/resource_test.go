package fsstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"acc/fsstore/gitrepo/gittest"
	"acc/schema"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// canonicalCase is a URI and what it comes to, or why it is refused.
type canonicalCase struct {
	uri, want string
	reason    schema.Reason
}

func testCanonical(t *testing.T, w Workspace, tests []canonicalCase) {
	t.Helper()
	for _, tt := range tests {
		got, err := w.Canonical(tt.uri)
		switch {
		case tt.reason == "" && (err != nil || string(got) != tt.want || !got.Canonical()):
			t.Errorf("Canonical(%q) = %q, %v; want %q", tt.uri, got, err, tt.want)
		case tt.reason != "" && !schema.HasReason(err, tt.reason):
			t.Errorf("Canonical(%q) = %q, %v; want %s", tt.uri, got, err, tt.reason)
		case err != nil && schema.AsError(err).Details["resource"] == nil:
			t.Errorf("Canonical(%q): no details.resource", tt.uri)
		}
	}
}

func TestCanonicalInRepository(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	inside := filepath.Join(repo, ".worktrees", "inside")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	gittest.Run(t, repo, "worktree", "add", "-q", inside)
	gittest.Link(t, repo, filepath.Join(base, "link"))
	gittest.Link(t, "src", filepath.Join(repo, "alias"))
	gittest.Link(t, "src/new.go", filepath.Join(repo, "dangling"))
	gittest.Link(t, base, filepath.Join(repo, "out"))
	gittest.Link(t, filepath.Join(base, "nowhere"), filepath.Join(repo, "dangling-out"))
	gittest.Link(t, "loop", filepath.Join(repo, "loop"))
	gittest.Link(t, ".", filepath.Join(repo, "self"))
	gittest.Link(t, "src/..", filepath.Join(repo, "self2"))
	gittest.Link(t, filepath.Join(linked, "src"), filepath.Join(repo, "other"))
	gittest.PutFile(t, filepath.Join(repo, "odd*dir", "x"), "")
	gittest.Link(t, "odd*dir", filepath.Join(repo, "odd"))
	testCanonical(t, locate(t, repo), []canonicalCase{
		{uri: "file:src/a.go", want: "file:src/a.go"},
		{uri: "file:./src/a.go", want: "file:src/a.go"},
		{uri: "file:src//a.go", want: "file:src/a.go"},
		{uri: "file:src/x/../a.go", want: "file:src/a.go"},
		{uri: "file:" + repo + "/src/a.go", want: "file:src/a.go"},
		{uri: "file://" + repo + "/src/a.go", want: "file:src/a.go"},
		{uri: "file:" + base + "/link/src/a.go", want: "file:src/a.go"},
		{uri: "file:alias/a.go", want: "file:src/a.go"},
		{uri: "file:alias/new/deep/x.go", want: "file:src/new/deep/x.go"},
		{uri: "file:alias/**", want: "file:src/**"},
		{uri: "file:alias/../README", want: "file:README"}, // lexically, before the link
		{uri: "file:dangling", want: "file:src/new.go"},
		{uri: "file:self/self2/src/a.go", want: "file:src/a.go"},
		{uri: "file:README/below", want: "file:README/below"},
		{uri: "file:100%25 new.txt", want: "file:100%25 new.txt"},
		{uri: "file:" + strings.Repeat("x", 300) + "/y", want: "file:" + strings.Repeat("x", 300) + "/y"},
		{uri: "file:**", want: "file:**"},
		{uri: "file:./**", want: "file:**"},
		{uri: "file:" + repo + "/**", want: "file:**"},
		{uri: "file:self/**", want: "file:**"},
		{uri: "file:" + linked + "/src/a.go", want: "file:src/a.go"},
		{uri: "file:" + inside + "/src/a.go", want: "file:src/a.go"},
		{uri: "file:" + inside + "/src/**", want: "file:src/**"},
		{uri: "file:.worktrees/inside/src/a.go", want: "file:src/a.go"},
		{uri: "file:.worktrees/new", want: "file:.worktrees/new"},
		{uri: "file:other/a.go", want: "file:src/a.go"}, // through a link into another worktree
		{uri: "issue:42", want: "issue:42"},
		{uri: `db:a\b/../c`, want: `db:a\b/../c`},
		{uri: "file:" + repo, reason: schema.ReasonResourceInvalid},
		{uri: "file:" + linked, reason: schema.ReasonResourceInvalid},
		{uri: "file:self", reason: schema.ReasonResourceInvalid},
		{uri: "file:loop", reason: schema.ReasonResourceInvalid},
		{uri: "file:odd/x", reason: schema.ReasonResourceInvalid},
		{uri: "file:src/", reason: schema.ReasonResourceInvalid},
		{uri: "file:out/x", reason: schema.ReasonResourceOutside},
		{uri: "file:out/**", reason: schema.ReasonResourceOutside},
		{uri: "file:dangling-out", reason: schema.ReasonResourceOutside},
		{uri: "file:dangling-out/new/x", reason: schema.ReasonResourceOutside},
		{uri: "file:/etc/passwd", reason: schema.ReasonResourceOutside},
		{uri: "file:" + repo + "-2/x", reason: schema.ReasonResourceOutside},
		{uri: "file:" + base + "/**", reason: schema.ReasonResourceOutside},
		{uri: "file:../x", reason: schema.ReasonResourceOutside},
	})
}

func TestCanonicalFromLinkedWorktree(t *testing.T) {
	base := gittest.TempDir(t)
	repo, linked := gittest.NewRepo(t, filepath.Join(base, "repo")), filepath.Join(base, "linked")
	gittest.Run(t, repo, "worktree", "add", "-q", linked)
	w := locate(t, linked)
	gittest.Link(t, "src", filepath.Join(linked, "alias"))  // only here
	gittest.Link(t, "README", filepath.Join(repo, "alias")) // something else there
	young := filepath.Join(base, "young")
	gittest.Run(t, repo, "worktree", "add", "-q", young) // younger than w
	foreign := gittest.NewRepo(t, filepath.Join(repo, "vendored"))
	testCanonical(t, w, []canonicalCase{
		{uri: "file:alias/a.go", want: "file:src/a.go"},
		{uri: "file:" + repo + "/alias", want: "file:README"},
		{uri: "file:" + young + "/src/a.go", want: "file:src/a.go"},
		{uri: "file:" + foreign + "/src/a.go", want: "file:vendored/src/a.go"},
	})
	os.RemoveAll(linked)
	testCanonical(t, w, []canonicalCase{{uri: "file:src/a.go", want: "file:src/a.go"}})
}

func TestCanonicalElsewhere(t *testing.T) {
	base := gittest.TempDir(t)
	plain := gittest.MakeDir(t, base, "plain")
	testCanonical(t, locate(t, plain), []canonicalCase{
		{uri: "file:x", want: "file:x"},
		{uri: "file:" + plain + "/x", want: "file:x"},
		{uri: "file:" + base + "/x", reason: schema.ReasonResourceOutside},
	})
	repo := gittest.NewRepo(t, filepath.Join(base, "repo"))
	nested := newRoom(t, filepath.Join(repo, "src"))
	testCanonical(t, locate(t, nested), []canonicalCase{
		{uri: "file:a.go", want: "file:a.go"},
		{uri: "file:" + nested + "/a.go", want: "file:a.go"},
		{uri: "file:" + repo + "/README", reason: schema.ReasonResourceOutside},
	})
	bare, inner := filepath.Join(base, "bare.git"), filepath.Join(base, "bare.git", "inner")
	gittest.Run(t, base, "clone", "-q", "--bare", repo, bare)
	gittest.Run(t, bare, "worktree", "add", "-q", inner, "-b", "inner")
	for _, start := range []string{bare, inner} {
		testCanonical(t, locate(t, start), []canonicalCase{
			{uri: "file:src/a.go", want: "file:src/a.go"},
			{uri: "file:" + inner + "/src/a.go", want: "file:src/a.go"},
			{uri: "file:" + repo + "/src/a.go", reason: schema.ReasonResourceOutside},
		})
	}
}

func TestCanonicalComposes(t *testing.T) {
	base := gittest.TempDir(t)
	apart := "re\u0301sume\u0301" // as a Mac writes it
	root := gittest.MakeDir(t, base, apart)
	gittest.MakeDir(t, root, "target")
	gittest.Link(t, "target", filepath.Join(root, apart))
	w := locate(t, root)
	testCanonical(t, w, []canonicalCase{
		{uri: "file:" + apart + "/x", want: "file:target/x"},
		{uri: "file:r\u00e9sum\u00e9/x", want: "file:target/x"},
		{uri: "file:" + root + "/n\u0303", want: "file:\u00f1"},
		{uri: "file:" + norm.NFC.String(root) + "/x", want: "file:x"},
	})
}

func TestCanonicalIsIdempotent(t *testing.T) {
	root := gittest.TempDir(t)
	gittest.MakeDir(t, root, "a", "b")
	gittest.Link(t, "a", filepath.Join(root, "l"))
	gittest.Link(t, "../l/b", filepath.Join(root, "a", "m"))
	gittest.Link(t, "..", filepath.Join(root, "a", "up"))
	w := locate(t, root)
	segment := rapid.SampledFrom([]string{"", ".", "..", "**", "a", "b", "l", "m", "up", "new", "e\u0301", root})
	rapid.Check(t, func(t *rapid.T) {
		uri := "file:" + strings.Join(rapid.SliceOfN(segment, 1, 6).Draw(t, "segments"), "/")
		once, err := w.Canonical(uri)
		if err != nil {
			return
		}
		if again, err := w.Canonical(string(once)); err != nil || again != once || !once.Canonical() {
			t.Fatalf("%q gives %q, which gives %q, %v", uri, once, again, err)
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	repo := gittest.NewRepo(b, filepath.Join(gittest.TempDir(b), "repo"))
	w := locate(b, repo)
	for b.Loop() {
		if _, err := w.Canonical("file:src/a.go"); err != nil {
			b.Fatal(err)
		}
	}
}
