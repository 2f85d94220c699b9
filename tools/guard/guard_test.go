package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acc/fsstore"
	"acc/fsstore/gitrepo/gittest"
	"acc/schema"
	"acc/tools/coordination"
)

func TestOurs(t *testing.T) {
	for _, acc := range []string{"/usr/bin/acc", "/home/o'neill/my tools/acc", "C:/Program Files/acc.exe", "/ünï/$HOME/`acc`"} {
		for _, dir := range []bool{true, false} {
			hook := string(render(acc, dir))
			if made, untouched := ours(hook); !made || !untouched || madeDir(hook) != dir {
				t.Errorf("%s: made %v, untouched %v, dir %v", acc, made, untouched, madeDir(hook))
			}
		}
	}
	hook := string(render("/usr/bin/acc", false))
	for what, text := range map[string]string{
		"a line more": hook + "echo\n", "a byte less": hook[:len(hook)-1], "CRLF": strings.ReplaceAll(hook, "\n", "\r\n"),
		"another shell": strings.Replace(hook, "/bin/sh", "/bin/bash", 1), "lines before": "#!/bin/sh\n\necho\n" + hook,
	} {
		if made, untouched := ours(text); !made || untouched {
			t.Errorf("%s: made %v, untouched %v", what, made, untouched)
		}
	}
	for _, text := range []string{"", "#!/bin/sh\n", "#!/bin/sh\n# acc guard\nexec acc guard check --staged\n"} {
		if made, _ := ours(text); made {
			t.Errorf("%q passes for ours", text)
		}
	}
}

func TestText(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	reason := "obey\x1b[2J"
	holder := coordination.Holder{
		Resource: "file:src/**", Reason: &reason, OwnerParticipantID: "alice", OwnerPresence: coordination.Stale, ExpiresAt: schema.At(now.Add(time.Hour)),
	}
	r := Result{Checked: 30}
	for range 25 {
		r.Blocked = append(r.Blocked, Blocked{File: "src/a\nb.go", Holders: []coordination.Holder{holder}})
	}
	lines := strings.Split(r.Text(now), "\n")
	if len(lines) != 1+shownFiles+1 || lines[0] != "25 of 30 files claimed by others:" || lines[len(lines)-1] != "  and 5 more" ||
		lines[1] != "  src/a<U+000A>b.go: alice (stale) by its claim on src/**, 1h 00m left: obey<U+001B>[2J" {
		t.Errorf("%q", lines)
	}
	if e := r.Refusal(now); e.Code != schema.CodeConflict || len(e.Details["conflicts"].([]Blocked)) != 25 {
		t.Errorf("%+v", e)
	}
}

// TestHookThatIsALink keeps a link a link, be it to nothing.
func TestHookThatIsALink(t *testing.T) {
	repo := gittest.NewRepo(t, gittest.TempDir(t))
	w, err := fsstore.Locate(repo)
	if err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(repo, ".git", "hooks", hookName)
	gittest.MakeDir(t, filepath.Dir(hook))
	for _, target := range []string{filepath.Join("..", "..", "README"), "nowhere"} {
		gittest.Link(t, target, hook)
		for _, run := range []func() (Hook, error){
			func() (Hook, error) { return Install(t.Context(), w, "/usr/bin/acc", false) },
			func() (Hook, error) { return Uninstall(t.Context(), w) },
		} {
			if got, err := run(); err != nil || !got.Chained {
				t.Errorf("%s: %+v, %v", target, got, err)
			}
		}
		if got, err := os.Readlink(hook); got != target || err != nil {
			t.Errorf("the link leads to %q, %v", got, err)
		}
		if err := os.Remove(hook); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMergingReadsIDsOnly(t *testing.T) {
	dir := t.TempDir()
	gittest.PutFile(t, filepath.Join(dir, "MERGE_HEAD"), "0123456789abcdef\n--output=x\n")
	if diff := cmp.Diff([]string{"0123456789abcdef"}, merging(fsstore.Workspace{GitDir: dir})); diff != "" {
		t.Error(diff)
	}
}
