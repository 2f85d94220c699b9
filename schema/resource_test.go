package schema

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestParseResourceAccepts(t *testing.T) {
	tests := []struct{ in, want string }{
		{"file:src/a.go", "file:src/a.go"},
		{"file:./src/a.go", "file:src/a.go"},
		{"file:src//a.go", "file:src/a.go"},
		{"file:src/x/../a.go", "file:src/a.go"},
		{"file:src/.", "file:src"},
		{"file:src/**", "file:src/**"},
		{"file:src//./**", "file:src/**"},
		{"file:src/../**", "file:**"},
		{"file:**", "file:**"},
		{"file:./**", "file:**"},
		{"file:a b/c d.txt", "file:a b/c d.txt"},
		{"file: lead", "file: lead"},
		{"file:100%25.txt", "file:100%25.txt"},
		{`file:a\b`, `file:a\b`},
		{"file:what?.txt", "file:what?.txt"},
		{"file:re\u0301sume\u0301.txt", "file:r\u00e9sum\u00e9.txt"},
		{"file:/repo//src/../a.go", "file:/repo/a.go"},
		{"file:///repo/a.go", "file:/repo/a.go"},
		{"file:/../repo/**", "file:/repo/**"},
		{"file:...", "file:..."},
		{"file:a:b", "file:a:b"},
		{"FILE:src", "file:src"},
		{"issue:42", "issue:42"},
		{"ISSUE:AbC", "issue:AbC"},
		{"db:orders/*/x/", "db:orders/*/x/"},
		{"https://example.org/a/../b", "https://example.org/a/../b"},
		{"x-y+z.1:e\u0301", "x-y+z.1:e\u0301"},
		{"port:8080", "port:8080"},
	}
	for _, tt := range tests {
		scheme, rest, err := ParseResource(tt.in)
		if got := string(MakeResource(scheme, rest)); err != nil || got != tt.want {
			t.Errorf("ParseResource(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestParseResourceRefuses(t *testing.T) {
	tests := []struct {
		in     string
		reason Reason
		advice string // part of the message
	}{
		{"", ReasonResourceInvalid, "file:src/app.go"},
		{"src/app.go", ReasonResourceInvalid, "file:src/app.go"},
		{":x", ReasonResourceInvalid, "scheme:rest"},
		{"1a:x", ReasonResourceInvalid, "scheme:rest"},
		{"a b:x", ReasonResourceInvalid, "scheme:rest"},
		{"\u212aey:x", ReasonResourceInvalid, "scheme:rest"},
		{`C:\repo\a.go`, ReasonResourceInvalid, "file:src/app.go"},
		{"issue:", ReasonResourceInvalid, "empty"},
		{"file:", ReasonResourceInvalid, "write file:**"},
		{"file:.", ReasonResourceInvalid, "write file:**"},
		{"file:./", ReasonResourceInvalid, "write file:**"},
		{"file:/", ReasonResourceInvalid, "write file:**"},
		{"file:/**", ReasonResourceInvalid, "write file:**"},
		{"file:**/", ReasonResourceInvalid, "write file:**"},
		{"file:src/..", ReasonResourceInvalid, "write file:**"},
		{"file:/a/../..", ReasonResourceInvalid, "write file:**"},
		{"file:*", ReasonResourceInvalid, "write file:**"},
		{"file:src/", ReasonResourceInvalid, "write file:src/**"},
		{"file:src/x//", ReasonResourceInvalid, "write file:src/x/**"},
		{"file:src/**/", ReasonResourceInvalid, "write file:src/**"},
		{"file:src/*.go", ReasonResourceInvalid, "write file:src/**"},
		{"file:src/*", ReasonResourceInvalid, "write file:src/**"},
		{"file:a/b/../*.go", ReasonResourceInvalid, "write file:a/**"},
		{"file:**/x.go", ReasonResourceInvalid, "write file:**"},
		{"file:src/**/x.go", ReasonResourceInvalid, "write file:src/**"},
		{"file:src/***", ReasonResourceInvalid, "write file:src/**"},
		{"file:src/**/**", ReasonResourceInvalid, "write file:src/**"},
		{"file:/repo/*.go", ReasonResourceInvalid, "write file:/repo/**"},
		{"file:..", ReasonResourceOutside, "outside the workspace"},
		{"file:../x", ReasonResourceOutside, "outside the workspace"},
		{"file:../**", ReasonResourceOutside, "outside the workspace"},
		{"file:../*.go", ReasonResourceOutside, "outside the workspace"},
		{"file:a/../../x", ReasonResourceOutside, "outside the workspace"},
		{"file:a\nb", ReasonResourceInvalid, "control characters"},
		{"file:a\x00", ReasonResourceInvalid, "control characters"},
		{"issue:\u0085", ReasonResourceInvalid, "control characters"},
		{"file:a\xff", ReasonResourceInvalid, "UTF-8"},
		{"file:" + strings.Repeat("é", 1020), ReasonResourceInvalid, "1024 characters"},
		{"file:" + strings.Repeat("\u0958", 600), ReasonResourceInvalid, "1024 characters"},
	}
	for _, tt := range tests {
		_, _, err := ParseResource(tt.in)
		if !HasReason(err, tt.reason) || !strings.Contains(err.Error(), tt.advice) {
			t.Errorf("ParseResource(%.40q) = %v; want %s with %q", tt.in, err, tt.reason, tt.advice)
			continue
		}
		if _, ok := AsError(err).Details["resource"].(string); !ok {
			t.Errorf("ParseResource(%.40q): no details.resource", tt.in)
		}
	}
}

func TestParseResourceLimit(t *testing.T) {
	longest := "file:" + strings.Repeat("é", MaxResource-5)
	if _, _, err := ParseResource(longest); err != nil {
		t.Errorf("a resource of %d code points: %v", MaxResource, err)
	}
	_, _, err := ParseResource(strings.Repeat("x", 1<<20))
	if e := AsError(err); len(e.Message) > 500 || len(e.Details["resource"].(string)) > MaxResource {
		t.Errorf("a long resource makes a long error: %d bytes", len(e.Message))
	}
}

func TestCanonical(t *testing.T) {
	for r, want := range map[Resource]bool{
		"file:src/a.go": true, "file:**": true, "file:src/**": true, "issue:1": true,
		"file:/abs/a.go": false, "file:./a": false, "file:../a": false, "file:a/": false, "FILE:a": false,
		"file:re\u0301": false, "": false, "file:": false, "a": false,
	} {
		if got := r.Canonical(); got != want {
			t.Errorf("%q.Canonical() = %v", r, got)
		}
	}
}

func TestOverlap(t *testing.T) {
	tests := []struct{ a, b, ground Resource }{
		{"file:src/**", "file:src/app.go", "file:src/app.go"},
		{"file:src/**", "file:src", "file:src"},
		{"file:src/**", "file:src/**", "file:src/**"},
		{"file:src/**", "file:src/a/**", "file:src/a/**"},
		{"file:**", "file:x", "file:x"},
		{"file:**", "file:x/**", "file:x/**"},
		{"file:**", "file:**", "file:**"},
		{"file:a/**", "file:ab/c", ""},
		{"file:a/**", "file:ab/**", ""},
		{"file:a", "file:a/b", ""},
		{"file:a", "file:A", ""},
		{"file:**", "issue:1", ""},
		{"file:a/**", "db:a/b", ""},
		{"db:a/**", "db:a/b", "db:a/b"},
		{"db:a/**", "db:a", "db:a"},
		{"db:a/**", "db:a/**/**", "db:a/**/**"},
		{"db:**", "db:a", ""},
		{"issue:1", "issue:1", "issue:1"},
		{"issue:1", "issue:12", ""},
	}
	for _, tt := range tests {
		for _, pair := range [][2]Resource{{tt.a, tt.b}, {tt.b, tt.a}} {
			ground, ok := Overlap(pair[0], pair[1])
			if ground != tt.ground || ok != (tt.ground != "") {
				t.Errorf("Overlap(%q, %q) = %q, %v; want %q", pair[0], pair[1], ground, ok, tt.ground)
			}
		}
	}
}

// uris makes URIs that are dense in the special cases.
func uris() *rapid.Generator[string] {
	segment := rapid.SampledFrom([]string{"", ".", "..", "**", "*", "a", "b", "ab", "a b", "e\u0301", "\u0301", "\u0958", `\`, "%2e"})
	scheme := rapid.SampledFrom([]string{"file:", "file:", "FILE:", "db:", "db:/", "file:/", ""})
	return rapid.Custom(func(t *rapid.T) string {
		return scheme.Draw(t, "scheme") + strings.Join(rapid.SliceOfN(segment, 0, 6).Draw(t, "segments"), "/")
	})
}

func TestCanonicalisationIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(uris(), rapid.String()).Draw(t, "uri")
		scheme, rest, err := ParseResource(in)
		if err != nil {
			if e := AsError(err); e.Reason != ReasonResourceInvalid && e.Reason != ReasonResourceOutside {
				t.Fatalf("ParseResource(%q) fails with %s", in, e.Reason)
			}
			return
		}
		once := string(MakeResource(scheme, rest))
		again, rest, err := ParseResource(once)
		if err != nil || string(MakeResource(again, rest)) != once {
			t.Fatalf("%q gives %q, which gives %q, %v", in, once, MakeResource(again, rest), err)
		}
		if utf8.RuneCountInString(once) > MaxResource {
			t.Fatalf("%q gives a resource over the limit", in)
		}
	})
}

func TestOverlapIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Resource(uris().Draw(t, "a")), Resource(uris().Draw(t, "b"))
		ab, ok1 := Overlap(a, b)
		ba, ok2 := Overlap(b, a)
		if ab != ba || ok1 != ok2 {
			t.Fatalf("Overlap(%q, %q) = %q, %v and %q, %v the other way", a, b, ab, ok1, ba, ok2)
		}
		if ok1 && ab != a && ab != b {
			t.Fatalf("the ground %q is neither %q nor %q", ab, a, b)
		}
	})
}

// Advice that is refused in its turn would send a caller in circles.
func TestAdviceIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, _, err := ParseResource(uris().Draw(t, "uri"))
		if err == nil {
			return
		}
		if _, advice, ok := strings.Cut(err.Error(), "write "); ok {
			advice = strings.TrimSuffix(advice, ".")
			if _, _, err := ParseResource(advice); err != nil {
				t.Fatalf("advice %q is refused: %v", advice, err)
			}
		}
	})
}
