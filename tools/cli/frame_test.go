package cli

import (
	"strings"
	"testing"
)

func TestCutColumns(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 5, "short"},
		{"", 5, ""},
		{"longer", 5, "long\x1b[0m…"},
		{"\x1b[1mbold\x1b[0m", 4, "\x1b[1mbold\x1b[0m"},
		{"\x1b[1mbold text\x1b[0m", 5, "\x1b[1mbold\x1b[0m…"},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本\x1b[0m…"},
		{"日本語", 4, "日\x1b[0m…"},
		{"e\u0301te\u0301s", 4, "e\u0301te\u0301s"},
		{"x", 1, "x"},
		{"xy", 1, "\x1b[0m…"},
	} {
		if got := cutColumns(c.line, c.width); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.line, c.width, got, c.want)
		}
	}
}

func TestFrame(t *testing.T) {
	got := frame([]string{"one", "two and more"}, 6)
	if want := "\x1b[Hone\x1b[K\r\ntwo a\x1b[0m…\x1b[K\x1b[J"; got != want {
		t.Errorf("the frame is %q, want %q", got, want)
	}
}

func TestReadKeys(t *testing.T) {
	for _, keys := range []string{"q", "xyzQ", "\x03", "a\x04", ""} {
		left := 0
		readKeys(strings.NewReader(keys), func() { left++ })
		if left != 1 {
			t.Errorf("after %q it left %d times", keys, left)
		}
	}
}
