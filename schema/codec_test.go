package schema

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const participantFile = `{
  "schemaVersion": 1,
  "participantId": "bob",
  "displayName": "Bob <b> & \"co\"",
  "kind": "human",
  "createdAt": "2026-11-30T12:00:00.000Z"
}
`

func fileParticipant() *Participant {
	p := aGoodParticipant()
	p.DisplayName = `Bob <b> & "co"`
	return p
}

func TestEncodeForm(t *testing.T) {
	got, err := Encode(fileParticipant())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(participantFile, string(got)); diff != "" {
		t.Errorf("the file differs (-want +got):\n%s", diff)
	}
}

func TestEncodeLineForm(t *testing.T) {
	got, err := EncodeLine(&DecisionLink{SchemaVersion: 1, MessageID: aMessage})
	want := `{"schemaVersion":1,"messageId":"` + aMessage + "\"}\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestEncodeRefusesInvalid(t *testing.T) {
	bad := aGoodParticipant()
	bad.ParticipantID = "../bob"
	if got, err := Encode(bad); err == nil {
		t.Errorf("Encode wrote %q", got)
	}
	if got, err := EncodeLine(bad); err == nil {
		t.Errorf("EncodeLine wrote %q", got)
	}
}

func TestDecodeAccepts(t *testing.T) {
	for label, data := range map[string]string{
		"as written":        participantFile,
		"CRLF":              strings.ReplaceAll(participantFile, "\n", "\r\n"),
		"byte order mark":   "\ufeff" + participantFile,
		"both":              "\ufeff" + strings.ReplaceAll(participantFile, "\n", "\r\n"),
		"no final newline":  strings.TrimSpace(participantFile),
		"one line":          strings.ReplaceAll(participantFile, "\n", ""),
		"blank lines after": participantFile + "\n\n",
		"other order": `{"createdAt": "2026-11-30T12:00:00.000Z", "kind": "human", "displayName": "Bob <b> & \"co\"",
			"participantId": "bob", "schemaVersion": 1}`,
		"escapes": strings.Replace(participantFile, `"bob"`, `"\u0062ob"`, 1),
	} {
		var got Participant
		if err := Decode([]byte(data), &got); err != nil {
			t.Errorf("%s: %v", label, err)
			continue
		}
		if diff := cmp.Diff(*fileParticipant(), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", label, diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(participantFile, old, new, 1) }
	for label, data := range map[string]string{
		"empty":             "",
		"blank":             " \r\n\t",
		"mark alone":        "\ufeff",
		"NUL-filled":        strings.Repeat("\x00", 300),
		"NUL behind":        participantFile + "\x00",
		"truncated":         participantFile[:60],
		"garbage":           "hello",
		"binary":            "\x89PNG\r\n\x1a\n",
		"merge conflict":    "<<<<<<< HEAD\n" + participantFile,
		"null":              "null",
		"list":              "[" + participantFile + "]",
		"string":            `"bob"`,
		"second value":      participantFile + participantFile,
		"garbage behind":    participantFile + "x",
		"comma behind":      edit("000Z\"\n", "000Z\",\n"),
		"comment":           "// bob\n" + participantFile,
		"duplicate name":    edit(`"kind"`, `"kind": "agent", "kind"`),
		"duplicate, spelt":  edit(`"kind"`, `"k\u0069nd": "agent", "kind"`),
		"unknown name":      edit(`"kind"`, `"colour": "red", "kind"`),
		"other letter case": edit(`"kind"`, `"Kind"`),
		"missing member":    edit(`  "kind": "human",`, ``),
		"missing time":      edit(",\n  \"createdAt\": \"2026-11-30T12:00:00.000Z\"", ""),
		"null for a string": edit(`"bob"`, `null`),
		"null for a time":   edit(`"2026-11-30T12:00:00.000Z"`, `null`),
		"number for a word": edit(`"human"`, `7`),
		"word for a number": edit(`1,`, `"1",`),
		"fraction":          edit(`1,`, `1.5,`),
		"newer version":     edit(`1,`, `2,`),
		"bad UTF-8":         edit("Bob", "B\xffb"),
		"lone surrogate":    edit("Bob", `B\ud800b`),
		"wrong half first":  edit("Bob", `\udc00\ud800`),
		"bad id":            edit(`"bob"`, `"../bob"`),
		"UTF-16":            "\xff\xfe{\x00}\x00",
	} {
		var into Participant
		if err := Decode([]byte(data), &into); !HasReason(err, ReasonRecordDamaged) {
			t.Errorf("%s: got %v, want reason record_damaged", label, err)
		}
	}
}

func TestDecodeShowsNoCause(t *testing.T) {
	err := Decode([]byte("{\"\x00secret"), &Participant{})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "json") {
		t.Errorf("the message gives the cause away: %v", err)
	}
	if AsError(err).Unwrap() == nil {
		t.Error("the cause is lost")
	}
}

func TestTimeForm(t *testing.T) {
	east := time.Date(2026, 11, 30, 13, 0, 0, 123_999_999, time.FixedZone("east", 3600))
	if got := At(east).String(); got != "2026-11-30T12:00:00.123Z" {
		t.Errorf("At = %s", got)
	}
	var got Time
	if err := got.UnmarshalJSON([]byte(`"2026-11-30T12:00:00.123Z"`)); err != nil || !got.Equal(At(east).Time) {
		t.Errorf("UnmarshalJSON = %v, %v", got, err)
	}
	for _, bad := range []string{
		`"2026-11-30T12:00:00Z"`, `"2026-11-30T12:00:00.1Z"`, `"2026-11-30T12:00:00.123456Z"`, `"2026-11-30T12:00:00,123Z"`,
		`"2026-11-30T12:00:00.123+00:00"`, `"2026-11-30 12:00:00.123Z"`, `"2026-13-30T12:00:00.123Z"`, `"2026-11-31T12:00:00.123Z"`,
		`"2026-11-30T25:00:00.123Z"`, `""`, `1`, `null`, `"now"`,
	} {
		if err := got.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is accepted as %s", bad, got)
		}
	}
}
