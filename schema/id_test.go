package schema

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
)

func TestValidID(t *testing.T) {
	tests := []struct {
		label, in string
		want      bool
	}{
		{"good", aMessage, true},
		{"smallest", "message_" + strings.Repeat("0", 26), true},
		{"last of the year 9999", "message_76ez91zpzz" + strings.Repeat("z", 16), true},
		{"first of the year 10000", "message_76ez91zq00" + strings.Repeat("0", 16), false},
		{"128 bits", "message_7" + strings.Repeat("z", 25), false},
		{"over 128 bits", "message_8" + strings.Repeat("0", 25), false},
		{"other kind", aClaim, false},
		{"no kind", strings.TrimPrefix(aMessage, "message_"), false},
		{"capital suffix", "message_" + strings.ToUpper(IDSuffix(aMessage)), false},
		{"capital kind", "Message_" + IDSuffix(aMessage), false},
		{"short", aMessage[:len(aMessage)-1], false},
		{"long", aMessage + "0", false},
		{"letter i", "message_01k5x0f4e2m9v8r7c6b5a4z3yi", false},
		{"letter l", "message_01k5x0f4e2m9v8r7c6b5a4z3yl", false},
		{"letter o", "message_01k5x0f4e2m9v8r7c6b5a4z3yo", false},
		{"letter u", "message_01k5x0f4e2m9v8r7c6b5a4z3yu", false},
		{"path", "message_../../../../etc/passwd0000", false},
		{"slash behind", aMessage + "/", false},
		{"line break behind", aMessage + "\n", false},
		{"NUL", "message_01k5x0f4e2m9v8r7c6b5a4z3y\x00", false},
		{"letter outside ASCII", "message_01k5x0f4e2m9v8r7c6b5a4z3\u0130", false},
		{"empty", "", false},
		{"kind alone", "message_", false},
	}
	for _, test := range tests {
		if got := ValidID(IDMessage, test.in); got != test.want {
			t.Errorf("%s: ValidID(%q) = %v", test.label, test.in, got)
		}
	}
}

func TestNewIDSortsByTime(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 123e6, time.UTC)
	first := NewID(IDClaim, ulid.MustNew(ulid.Timestamp(at), zeros{}))
	second := NewID(IDClaim, ulid.MustNew(ulid.Timestamp(at.Add(time.Millisecond)), zeros{}))
	if !ValidID(IDClaim, first) || first >= second {
		t.Errorf("%q does not come before %q", first, second)
	}
	if got := IDTime(first); !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("IDTime = %v, want %v", got, at)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestCheckIDNamesFieldAndGrammar(t *testing.T) {
	tests := []struct {
		err  error
		want []string
	}{
		{CheckMessageID("cursor", "../x"), []string{"cursor:", `"../x"`, "message_ and 26 characters"}},
		{CheckClaimID("claimId", "c\x1b1"), []string{"claimId:", "c<U+001B>1", "claim_"}},
		{CheckParticipantID("to", "b b"), []string{"to:", `"b b"`, "64"}},
	}
	for _, test := range tests {
		if !HasReason(test.err, ReasonInvalidField) {
			t.Errorf("%v is not of reason invalid_field", test.err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(test.err.Error(), want) {
				t.Errorf("%q does not contain %q", test.err, want)
			}
		}
	}
	if err := CheckMessageID("cursor", aMessage); err != nil {
		t.Error(err)
	}
}

func TestValidParticipantID(t *testing.T) {
	good := []string{
		"a", "7", "bob", "Bob", "BOB", "a.b-c_d", "mcp", "codex-2", strings.Repeat("a", 64),
		"con1", "con-1", "com10", "lpt", "null", "nulls.txt", "a.con", "x.nul",
	}
	for _, s := range good {
		if !ValidParticipantID(s) {
			t.Errorf("%q is refused", s)
		}
	}
	bad := []string{
		"", " ", ".", "..", ".a", "-a", "_a", "a.", "a..", "a b", "a/b", `a\b`, "a:b", "a*", "bob\n", "b\x00b", "b\u00f6b",
		strings.Repeat("a", 65), "../bob",
		"con", "CON", "Con", "prn", "aux", "nul", "NUL.txt", "con.tar.gz", "com1", "COM9", "com0", "lpt1", "lpt9.log", "Lpt0",
	}
	for _, s := range bad {
		if ValidParticipantID(s) {
			t.Errorf("%q is accepted", s)
		}
	}
}

func TestParseCursor(t *testing.T) {
	for in, want := range map[string]int64{
		"0000000000000000": 0, "0000000000000042": 42, "9999999999999999": 9999999999999999,
	} {
		got, err := ParseCursor("cursor", in)
		if err != nil || got != want {
			t.Errorf("ParseCursor(%q) = %d, %v", in, got, err)
		}
		if FormatCursor(want) != in {
			t.Errorf("FormatCursor(%d) = %q", want, FormatCursor(want))
		}
	}
	for _, in := range []string{
		"", "0", "42", "000000000000000", "00000000000000000", "+000000000000042", "-000000000000001", "000000000000000x",
		" 000000000000042", "0000000000000042\n", "\u0660000000000000042", aMessage,
	} {
		if _, err := ParseCursor("cursor", in); !HasReason(err, ReasonInvalidField) {
			t.Errorf("ParseCursor(%q) = %v", in, err)
		}
	}
}
