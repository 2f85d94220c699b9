package schema

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCheckLine(t *testing.T) {
	tests := []struct {
		label, in string
		want      string // part of the refusal, "" when there is none
	}{
		{"plain", "hello", ""},
		{"punctuation", `a: b # '--`, ""},
		{"emoji last", strings.Repeat("a", 9) + "\U0001f600", ""},
		{"code points, not bytes", strings.Repeat("\u20ac", 10), ""},
		{"code points, not clusters", "e\u0301e\u0301e\u0301e\u0301e\u0301", ""},
		{"one too many", strings.Repeat("\u20ac", 11), "11 characters; at most 10"},
		{"one cluster too many", strings.Repeat("e\u0301", 6), "12 characters"},
		{"spaces around", " a ", ""},
		{"empty", "", "blank"},
		{"spaces", "   ", "blank"},
		{"no-break space", "\u00a0\u2003", "blank"},
		{"zero width", "\u200b\ufeff\u200d", "blank"},
		{"tab", "a\tb", "U+0009"},
		{"LF", "a\nb", "U+000A"},
		{"CR", "a\rb", "U+000D"},
		{"NUL", "a\x00b", "U+0000"},
		{"escape", "a\x1bb", "U+001B"},
		{"DEL", "a\x7fb", "U+007F"},
		{"C1", "a\u0085b", "U+0085"},
		{"last C1", "a\u009fb", "U+009F"},
		{"line separator", "a\u2028b", "U+2028"},
		{"paragraph separator", "a\u2029b", "U+2029"},
		{"bad UTF-8", "a\xffb", "not valid UTF-8"},
		{"half a character", "a\xed\xa0\x80", "not valid UTF-8"},
	}
	for _, test := range tests {
		wantText(t, test.label, CheckLine("subject", test.in, 10), test.want)
	}
}

func TestCheckBody(t *testing.T) {
	tests := []struct{ label, in, want string }{
		{"lines", "a\r\n\tb\n", ""},
		{"separators", "a\u2028b\u2029c", ""},
		{"full", strings.Repeat("a", MaxBodyBytes), ""},
		{"full in bytes", strings.Repeat("\u20ac", MaxBodyBytes/3) + "a", ""},
		{"over", strings.Repeat("a", MaxBodyBytes+1), "65537 bytes; at most 65536"},
		{"over in bytes", strings.Repeat("\u20ac", MaxBodyBytes/3+1), "bytes"},
		{"blank", " \n\t\r\n ", "blank"},
		{"NUL", "a\x00", "U+0000"},
		{"vertical tab", "a\v", "U+000B"},
		{"form feed", "a\f", "U+000C"},
		{"backspace", "a\b", "U+0008"},
		{"C1", "a\u0090", "U+0090"},
		{"bad UTF-8", "\xc3", "not valid UTF-8"},
	}
	for _, test := range tests {
		wantText(t, test.label, CheckBody("body", test.in), test.want)
	}
}

func TestCheckItems(t *testing.T) {
	tests := []struct {
		label string
		in    []string
		want  string
	}{
		{"none", nil, ""},
		{"full list", repeat("a", MaxItems), ""},
		{"one too many", repeat("a", MaxItems+1), "101 items; at most 100"},
		{"full item", []string{strings.Repeat("\u20ac", MaxItem)}, ""},
		{"long item", []string{"a", strings.Repeat("a", MaxItem+1)}, "2001 characters"},
		{"lines", []string{"a\n\tb"}, ""},
		{"blank item", []string{"a", ""}, "blank"},
		{"control character", []string{"\x1b[2J"}, "U+001B"},
	}
	for _, test := range tests {
		wantText(t, test.label, CheckItems("remaining", test.in), test.want)
	}
}

func TestCheckKey(t *testing.T) {
	tests := []struct{ label, in, want string }{
		{"one", "a", ""},
		{"full", strings.Repeat("k", MaxKey), ""},
		{"over", strings.Repeat("k", MaxKey+1), "201 characters"},
		{"path", "../../etc/passwd", ""},
		{"empty", "", "blank"},
		{"line break", "a\nb", "U+000A"},
	}
	for _, test := range tests {
		wantText(t, test.label, CheckKey("clientMessageId", test.in), test.want)
	}
}

// wantText wants a refusal that names a field, or none.
func wantText(t *testing.T, label string, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("%s: %v", label, err)
		}
		return
	}
	if !HasReason(err, ReasonInvalidField) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, want a refusal with %q", label, err, want)
		return
	}
	if AsError(err).Details["field"] == nil {
		t.Errorf("%s: no field in the details", label)
	}
}

func repeat(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

func TestCuts(t *testing.T) {
	tests := []struct {
		label, got, want string
	}{
		{"runes, short", CutRunes("abc", 3), "abc"},
		{"runes", CutRunes("abcd", 3), "ab\u2026"},
		{"runes, wide", CutRunes("\U0001f600\U0001f600\U0001f600", 2), "\U0001f600\u2026"},
		{"bytes, short", CutBytes("abc", 3), "abc"},
		{"bytes", CutBytes("abcdefg", 6), "abc\u2026"},
		{"bytes within a character", CutBytes("aa\u20acbcd", 7), "aa\u2026"},
		{"bytes, nothing fits", CutBytes("\U0001f600\U0001f600", 5), "\u2026"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.label, test.got, test.want)
		}
	}
}

func TestCutsKeepTheirLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		max := rapid.IntRange(3, 40).Draw(t, "max")
		if cut := CutBytes(s, max); len(cut) > max || !utf8.ValidString(cut) {
			t.Errorf("CutBytes(%q, %d) = %q", s, max, cut)
		}
		if cut := CutRunes(s, max); utf8.RuneCountInString(cut) > max || !utf8.ValidString(cut) {
			t.Errorf("CutRunes(%q, %d) = %q", s, max, cut)
		}
	})
}

func TestVisible(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain \u20ac", "plain \u20ac"},
		{"a\nb", "a<U+000A>b"},
		{"a\u202eb", "a<U+202E>b"},
		{"a\u200bb", "a<U+200B>b"},
		{"a\u2028b", "a<U+2028>b"},
		{"a\xffb", "a\ufffdb"},
		{strings.Repeat("a", 21), strings.Repeat("a", 19) + "\u2026"},
	}
	for _, test := range tests {
		if got := Visible(test.in, 20); got != test.want {
			t.Errorf("Visible(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}
