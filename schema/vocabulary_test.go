package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAllowedObligation is the table of contract §6, written out.
func TestAllowedObligation(t *testing.T) {
	const room, addressed = false, true
	allowed := map[MessageKind]map[bool][]Obligation{
		Note:     {room: {OweNothing}, addressed: {OweNothing}},
		Question: {addressed: {OweReply}},
		Request:  {addressed: {OweReply}},
		Answer:   {addressed: {OweNothing}},
		Decision: {room: {OweNothing}, addressed: {OweNothing, OweAcknowledge}},
		Handoff:  {room: {OweNothing}, addressed: {OweAcknowledge}},
	}
	for _, kind := range append(MessageKinds(), "poem") {
		for _, to := range []bool{room, addressed} {
			for _, o := range []Obligation{OweNothing, OweAcknowledge, OweReply, "pay", ""} {
				want := false
				for _, one := range allowed[kind][to] {
					want = want || one == o
				}
				if got := AllowedObligation(kind, o, to); got != want {
					t.Errorf("%s, %s, addressed %v: %v", kind, o, to, got)
				}
			}
			if len(allowed[kind][to]) > 0 && !AllowedObligation(kind, DefaultObligation(kind, to), to) {
				t.Errorf("%s, addressed %v: the default %s is not allowed", kind, to, DefaultObligation(kind, to))
			}
		}
	}
}

func TestReceiptStates(t *testing.T) {
	for i, s := range ReceiptStates() {
		if s.Rank() != i {
			t.Errorf("%s has rank %d", s, s.Rank())
		}
	}
	if ReceiptState("seen").Rank() != -1 || ReceiptState("").Rank() != -1 {
		t.Error("an unknown state has a rank")
	}
	pending := map[ReceiptState]map[Obligation]bool{
		Queued: {OweNothing: true, OweAcknowledge: true, OweReply: true}, Offered: {OweNothing: true, OweAcknowledge: true, OweReply: true},
		Retrieved: {OweAcknowledge: true, OweReply: true}, Acknowledged: {},
	}
	for _, s := range ReceiptStates() {
		for _, o := range []Obligation{OweNothing, OweAcknowledge, OweReply} {
			if got := s.Pending(o); got != pending[s][o] {
				t.Errorf("%s, owing %s: pending is %v", s, o, got)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for reason, code := range Reasons() {
		if !snake.MatchString(string(reason)) {
			t.Errorf("%s is not snake case", reason)
		}
		if code.ExitCode() < 2 {
			t.Errorf("%s has the unknown code %s", reason, code)
		}
		if text := reason.Describe(); !strings.HasSuffix(text, ".") || utf8.RuneCountInString(text) > 160 {
			t.Errorf("%s is described as %q", reason, text)
		}
		if e := Fail(reason, "no %s", "x"); e.Code != code || e.Message != "no x" {
			t.Errorf("Fail(%s) = %+v", reason, e)
		}
	}
	if Reason("bad_luck").Describe() != "" {
		t.Error("an unknown reason is described")
	}
}

func TestExitCodes(t *testing.T) {
	for code, want := range map[Code]int{
		CodeUsage: 2, CodeTimeout: 3, CodeData: 4, CodeConflict: 5, CodeAttention: 6, "": 1, "other": 1,
	} {
		if got := code.ExitCode(); got != want {
			t.Errorf("%q: exit code %d, want %d", code, got, want)
		}
	}
}

func TestErrorsHideTheirCause(t *testing.T) {
	cause := errors.New("open /home/bob/secret: no such file")
	wrapped := fmt.Errorf("reading: %w", Fail(ReasonStoreFailed, "it failed").With("field", "to").Because(cause))
	got := AsError(wrapped)
	if got.Error() != "it failed" || !errors.Is(got, cause) || got.Details["field"] != "to" || !HasReason(wrapped, ReasonStoreFailed) {
		t.Errorf("AsError = %+v", got)
	}
	unknown := AsError(cause)
	if unknown.Reason != ReasonInternalUnexpected || strings.Contains(unknown.Error(), "bob") || !errors.Is(unknown, cause) {
		t.Errorf("AsError of a foreign error = %+v", unknown)
	}
	if HasReason(cause, ReasonInternalUnexpected) || HasReason(nil, ReasonStoreFailed) {
		t.Error("HasReason finds a reason where there is none")
	}
}
