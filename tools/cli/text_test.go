package cli

import (
	"strings"
	"testing"
	"time"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain":          "plain",
		"a\x1b[31mred":   "a<U+001B>[31mred",
		"a\u202eb\u200b": "a<U+202E>b<U+200B>",
		"one\r":          "one<U+000D>",
		"a\tb":           "a    b",
		"\xff":           "\uFFFD",
	} {
		if got := visible(text); got != want {
			t.Errorf("visible(%q) = %q, want %q", text, got, want)
		}
	}
	long := strings.Repeat("long ", 10_000)
	if visible(long) != long {
		t.Error("a long text is cut")
	}
}

func TestBodyIsShownWhole(t *testing.T) {
	p := &printer{}
	p.body("one\n\n\ttwo\x1b\nlast")
	if got, want := p.buf.String(), "    one\n    \n        two<U+001B>\n    last\n"; got != want {
		t.Errorf("body = %q, want %q", got, want)
	}
}

func TestTimes(t *testing.T) {
	p := &printer{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	for d, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "59s ago", 90 * time.Second: "1 min ago", 61 * time.Minute: "1h 01m ago",
		24 * time.Hour: "1 day ago", 71 * time.Hour: "2 days ago", -time.Minute: "just now",
	} {
		if got := p.ago(p.now.Add(-d)); got != want {
			t.Errorf("%s before: %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "ended", time.Second: "1s left", 30 * time.Minute: "30 min left"} {
		if got := p.left(p.now.Add(d)); got != want {
			t.Errorf("%s after: %q, want %q", d, got, want)
		}
	}
}

func TestTableAlignsColumns(t *testing.T) {
	p := &printer{}
	p.table([][]cell{cells("a", "", "c"), cells("日本", "x", "y"), cells("e\u0301", "", "")})
	want := "  a        c\n  日本  x  y\n  e\u0301\n"
	if got := p.buf.String(); got != want {
		t.Errorf("table:\n%s\nwant:\n%s", got, want)
	}
	coloured := &printer{colour: true}
	coloured.table([][]cell{{{"a", red}, {text: "b"}}, cells("long", "b")})
	if got, want := coloured.buf.String(), "  \x1b[31ma\x1b[0m     b\n  long  b\n"; got != want {
		t.Errorf("a coloured table: %q, want %q", got, want)
	}
}
