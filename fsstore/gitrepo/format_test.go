package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acc/fsstore/gitrepo/gittest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestConfig(t *testing.T) {
	c := config{}
	c.parse("\ufeff# comment\r\n[core]\r\n\tbare = true\r\n\tfileMode=FALSE ; why\n" +
		"  symlinks\n worktree = \"../a # b\"\\\\c\\\n d  \t# end\n[Remote \"Origin.X\"] URL = x  y \n" +
		"[extensions]\nobjectFormat = sha256\n[broken\n = 1\n[user]\n name = \"a\\tb\\\"\"\n")
	want := config{
		"core.bare": "true", "core.filemode": "FALSE", "core.symlinks": "true", "core.worktree": `../a # b\c d`,
		"remote.Origin.X.url": "x  y", "extensions.objectformat": "sha256", "user.name": "a\tb\"",
		"broken.": "1",
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if !c.flag("core.bare", false) || c.flag("core.filemode", true) || !c.flag("core.other", true) {
		t.Error("flags are read wrong")
	}
}

func TestRefs(t *testing.T) {
	dir := gittest.TempDir(t)
	id := strings.Repeat("ab", 20)
	gittest.PutFile(t, filepath.Join(dir, "refs/heads/main"), id+"\n")
	gittest.PutFile(t, filepath.Join(dir, "refs/heads/alias"), "ref: refs/heads/main\n")
	gittest.PutFile(t, filepath.Join(dir, "refs/heads/loop"), "ref: refs/heads/loop\n")
	gittest.PutFile(t, filepath.Join(dir, "refs/heads/out"), "ref: ../../secret\n")
	gittest.PutFile(t, filepath.Join(dir, "packed-refs"), "# pack-refs with: peeled\n"+id+" refs/heads/packed\n^"+id+"\n"+id+" refs/heads/last")
	gittest.Link(t, "refs/heads/main", filepath.Join(dir, "HEAD"))
	r := refs{gitDir: dir, commonDir: dir}
	if ref, commit, ok := r.head(); ref != "refs/heads/main" || commit != "" || !ok {
		t.Errorf("HEAD as a link: %q, %q, %v", ref, commit, ok)
	}
	for ref, want := range map[string]struct {
		commit string
		ok     bool
	}{
		"main": {id, true}, "alias": {id, true}, "packed": {id, true}, "last": {id, true}, "unborn": {"", true},
		"loop": {"", false}, "out": {"", false}, "pack": {"", true},
	} {
		if commit, ok := r.resolve(branchPrefix + ref); commit != want.commit || ok != want.ok {
			t.Errorf("%s: %q, %v", ref, commit, ok)
		}
	}
}

func TestApplyDelta(t *testing.T) {
	base := []byte("0123456789")
	long := bytes.Repeat([]byte("x"), 1<<16)
	tests := []struct {
		name        string
		base, delta []byte
		want        string
	}{
		{"copy and insert", base, []byte{10, 5, 0x91, 2, 3, 2, 'a', 'b'}, "234ab"},
		{"copy 64 KiB", long, []byte{0x80, 0x80, 4, 0x80, 0x80, 4, 0x80}, string(long)},
		{"beyond the base", base, []byte{10, 5, 0x91, 8, 5}, ""},
		{"far beyond the base", base, []byte{10, 5, 0xff, 255, 255, 255, 255, 255, 255, 255}, ""},
		{"other base", base, []byte{9, 1, 1, 'a'}, ""},
		{"too long", base, []byte{10, 1, 2, 'a', 'b'}, ""},
		{"too short", base, []byte{10, 3, 2, 'a', 'b'}, ""},
		{"reserved", base, []byte{10, 1, 0}, ""},
		{"torn", base, []byte{10, 9, 9, 'a'}, ""},
		{"torn copy", base, []byte{10, 9, 0x91, 1}, ""},
		{"empty", base, nil, ""},
	}
	for _, tt := range tests {
		got, err := applyDelta(tt.base, tt.delta)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %d bytes, %v", tt.name, len(got), err)
		}
	}
}

func TestPackHeader(t *testing.T) {
	id := bytes.Repeat([]byte{7}, 20)
	tests := []struct {
		name string
		in   []byte
		want packHeader
		ok   bool
	}{
		{"commit of 300 bytes", []byte{0x9c, 0x12}, packHeader{kind: "commit", size: 300, length: 2}, true},
		{"blob", []byte{0x35}, packHeader{kind: "other", size: 5, length: 1}, true},
		{"delta by offset", []byte{0x65, 0x80, 0x01}, packHeader{size: 5, baseOffset: 1000 - 129, length: 3}, true},
		{"delta by id", append([]byte{0x75}, id...), packHeader{size: 5, baseID: id, length: 21}, true},
		{"delta before the pack", []byte{0x65, 0xff, 0x7f}, packHeader{}, false},
		{"delta on itself", []byte{0x65, 0x00}, packHeader{}, false},
		{"torn id", []byte{0x75, 1}, packHeader{}, false},
		{"unknown", []byte{0x55}, packHeader{}, false},
		{"empty", nil, packHeader{}, false},
	}
	for _, tt := range tests {
		got, err := parsePackHeader(tt.in, 1000, 20)
		if (err == nil) != tt.ok || tt.ok && !cmp.Equal(tt.want, got, cmp.AllowUnexported(packHeader{})) {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
}

func TestLFWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"\r", "\n", "\r\n", "a", "", "\n\r"})).Draw(t, "parts")
		var out bytes.Buffer
		w := lfWriter{w: &out}
		for _, p := range parts {
			if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatalf("Write = %d, %v", n, err)
			}
		}
		whole := strings.Join(parts, "")
		want := strings.ReplaceAll(whole, "\r\n", "\n")
		if err := w.end(); err != nil || out.String() != want || w.dropped != int64(len(whole)-len(want)) {
			t.Fatalf("%q gives %q, %d dropped", whole, out.String(), w.dropped)
		}
	})
}

// Nothing in a repository may bring the process down.
func TestFormatsSurviveGarbage(t *testing.T) {
	repo := gittest.NewRepo(t, gittest.TempDir(t))
	index, _ := readText(filepath.Join(repo, ".git", "index"))
	files := newTrackedFiles(repo, config{}, sha1.New, time.Unix(0, 0))
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(index)
		for range rapid.IntRange(0, 8).Draw(t, "damage") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		tree := newTreeHasher(sha1.New)
		scanIndex(bytes.NewReader(data), sha1.Size, func(e *indexEntry) bool {
			files.changed(e)
			tree.add(e)
			return true
		})
		tree.root()
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw")
		applyDelta(data, raw)
		parsePackHeader(raw, 100, 20)
		config{}.parse(string(raw))
	})
}

func TestTreeHasherEmpty(t *testing.T) {
	if got := hex.EncodeToString(newTreeHasher(sha1.New).root()); got != "4b825dc642cb6eb9a060e54bf8d69288fbee4904" {
		t.Errorf("empty tree %s", got)
	}
}
