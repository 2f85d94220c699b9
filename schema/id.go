package schema

import (
	"regexp"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDKind is the word before the underscore of an id.
type IDKind string

// The kinds of id.
const (
	IDMessage   IDKind = "message"
	IDClaim     IDKind = "claim"
	IDSession   IDKind = "session"
	IDWorkspace IDKind = "workspace"
)

// suffixLen is the length of a ULID in text form.
const suffixLen = ulid.EncodedSize

// NewID makes an id from a kind and a ULID. Lower case keeps names apart from
// each other on file systems that fold case.
func NewID(kind IDKind, u ulid.ULID) string {
	return string(kind) + "_" + strings.ToLower(u.String())
}

// lastMoment begins the last ids of the year 9999. Those after it would have a
// day of five digits for the year, which sorts before all others.
const lastMoment = "76ez91zpzz"

// ValidID reports whether s is an id of that kind: the kind, an underscore and
// 26 lower-case Crockford base32 characters whose time lies before the year
// 10000.
func ValidID(kind IDKind, s string) bool {
	word, suffix, ok := strings.Cut(s, "_")
	if !ok || word != string(kind) || len(suffix) != suffixLen || suffix[:len(lastMoment)] > lastMoment {
		return false
	}
	for i := range len(suffix) {
		if !crockford(suffix[i]) {
			return false
		}
	}
	return true
}

// crockford holds the lower-case alphabet: no i, l, o or u. Lists check every
// name with it, so it costs next to nothing.
func crockford(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' && c != 'i' && c != 'l' && c != 'o' && c != 'u'
}

// IDTime is the instant that a valid id carries, in UTC.
func IDTime(id string) time.Time {
	return ulid.Time(idULID(id).Time()).UTC()
}

// IDSuffix is the part of an id behind the underscore.
func IDSuffix(id string) string {
	_, suffix, _ := strings.Cut(id, "_")
	return suffix
}

func idULID(id string) ulid.ULID {
	u, err := ulid.ParseStrict(IDSuffix(id))
	if err != nil {
		return ulid.ULID{}
	}
	return u
}

var participantPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// windowsDevices are names that Windows gives to devices in every folder,
// with or without an extension.
var windowsDevices = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com0": true, "com1": true, "com2": true, "com3": true, "com4": true,
	"com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt0": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true,
	"lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// ValidParticipantID reports whether s may name a participant: 1 to 64 of
// A-Z a-z 0-9 . _ -, first a letter or digit, no trailing dot, and no name
// that Windows keeps for a device.
func ValidParticipantID(s string) bool {
	if !participantPattern.MatchString(s) || strings.HasSuffix(s, ".") {
		return false
	}
	stem, _, _ := strings.Cut(strings.ToLower(s), ".")
	return !windowsDevices[stem]
}

// CheckParticipantID returns the failure that names the field and the grammar.
func CheckParticipantID(field, s string) error {
	if ValidParticipantID(s) {
		return nil
	}
	return Fail(ReasonInvalidField, "%s: %q is no participant id; use 1 to 64 letters, digits, dots, dashes or underscores, "+
		"starting with a letter or digit, for example \"bob\".", field, Visible(s, 80)).With("field", field)
}

// CheckMessageID returns the failure that names the field and the grammar.
func CheckMessageID(field, s string) error { return checkID(field, IDMessage, s) }

// CheckClaimID returns the failure that names the field and the grammar.
func CheckClaimID(field, s string) error { return checkID(field, IDClaim, s) }

func checkID(field string, kind IDKind, s string) error {
	if ValidID(kind, s) {
		return nil
	}
	return Fail(ReasonInvalidField, "%s: %q is no %s id; pass one exactly as a tool returned it (%s_ and 26 characters).",
		field, Visible(s, 80), kind, kind).With("field", field)
}
