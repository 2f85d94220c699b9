package schema

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of text, in code points unless the name says bytes (contract §5).
const (
	MaxLine         = 500   // subject, title, goal
	MaxSummary      = 280   // intent summary
	MaxBodyBytes    = 65536 // body, detail
	MaxItem         = 2000  // one item of completed, remaining, blockers
	MaxItems        = 100   // items in such a list
	MaxReason       = 500   // why a claim is held
	MaxKey          = 200   // clientMessageId
	MaxRecipients   = 100
	MaxResources    = 100
	MaxResource     = 1024
	MaxDecisionRefs = 16
	MaxSubjectBytes = 160 // subject in a message summary, in bytes
)

// CheckLine checks a one-line text: not blank, at most max code points, no
// line break and no control character.
func CheckLine(field, s string, max int) error {
	return checkText(field, s, max, 0, true)
}

// CheckBody checks a text of several lines: not blank, at most MaxBodyBytes
// bytes of UTF-8, control characters only LF, CR and TAB.
func CheckBody(field, s string) error {
	return checkText(field, s, 0, MaxBodyBytes, false)
}

// CheckItems checks a list of texts of several lines.
func CheckItems(field string, items []string) error {
	if len(items) > MaxItems {
		return tooMany(field, len(items), MaxItems)
	}
	for _, item := range items {
		if err := checkText(field, item, MaxItem, 0, false); err != nil {
			return err
		}
	}
	return nil
}

// CheckKey checks an idempotency key: 1 to MaxKey printable characters.
func CheckKey(field, s string) error {
	return checkText(field, s, MaxKey, 0, true)
}

func checkText(field, s string, maxRunes, maxBytes int, oneLine bool) error {
	bad := func(format string, args ...any) error {
		return Fail(ReasonInvalidField, field+": "+format, args...).With("field", field)
	}
	switch {
	case !utf8.ValidString(s):
		return bad("the text is not valid UTF-8; send it without half characters.")
	case blank(s):
		return bad("the text is blank; write at least one visible character.")
	case maxBytes > 0 && len(s) > maxBytes:
		return bad("the text has %d bytes; at most %d are allowed. Put the rest into a file and name it.", len(s), maxBytes)
	case maxRunes > 0 && utf8.RuneCountInString(s) > maxRunes:
		return bad("the text has %d characters; at most %d are allowed.", utf8.RuneCountInString(s), maxRunes)
	}
	for _, r := range s {
		if forbidden(r, oneLine) {
			return bad("the character %U is not allowed here; remove it.", r)
		}
	}
	return nil
}

// blank finds texts in which nothing can be seen: spaces and format
// characters, such as a zero-width space or a byte order mark, alone.
func blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) })
}

// forbidden holds the rule for characters: a body may break lines and indent,
// a one-line field may not, and no text holds any other control character.
func forbidden(r rune, oneLine bool) bool {
	switch r {
	case '\n', '\r', '\t', '\u2028', '\u2029':
		return oneLine
	}
	return unicode.IsControl(r)
}

func tooMany(field string, n, max int) error {
	return Fail(ReasonInvalidField, "%s: %d items; at most %d are allowed.", field, n, max).With("field", field)
}

// CutRunes shortens s to at most max code points; a cut text ends in "…".
func CutRunes(s string, max int) string {
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	runes := []rune(s)
	return string(runes[:max-1]) + "…"
}

// CutBytes shortens s to at most max bytes on a code point boundary; a cut
// text ends in "…", which counts.
func CutBytes(s string, max int) string {
	if len(s) <= max {
		return s
	}
	end := max - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// Visible is s for an error message: control and format characters escaped,
// at most max code points.
func Visible(s string, max int) string {
	var b strings.Builder
	for _, r := range CutRunes(strings.ToValidUTF8(s, "\uFFFD"), max) {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			fmt.Fprintf(&b, "<%U>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
