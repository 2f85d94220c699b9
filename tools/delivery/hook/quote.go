package hook

import (
	"fmt"
	"strings"
	"unicode"

	"acc/schema"
)

// What peers wrote is shown so that it can be taken for nothing else: no
// character of it moves the cursor, hides, opens a tag or ends a fence.

// safe is one line of a peer's text.
func safe(line string) string {
	var b strings.Builder
	var last rune
	run := 0
	for _, r := range strings.ToValidUTF8(line, "\uFFFD") {
		if r != last {
			last, run = r, 0
		}
		if run++; run > 2 && (r == '`' || r == '~') {
			b.WriteByte(' ') // a fence has three of them in a row
			run = 1
		}
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '\t':
			b.WriteByte('\t')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			fmt.Fprintf(&b, "&lt;%U>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// line is a text in one line of at most max bytes.
func line(s string, max int) string {
	return schema.CutBytes(safe(strings.ReplaceAll(s, "\n", " ")), max)
}

// words is a text of a peer inside a sentence of ours, of at most max bytes, in
// quotation marks that it cannot close.
func words(s string, max int) string {
	return `"` + line(strings.ReplaceAll(s, `"`, "'"), max) + `"`
}

// quoted is a text of many lines, each behind a mark. Its own lines cannot
// leave it.
func quoted(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString(strings.TrimRight("> "+safe(l), " ") + "\n")
	}
	return b.String()
}
