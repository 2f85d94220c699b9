package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestArgumentsAsTheyArrive holds what real clients send: JSON in strings,
// null for what is not given.
func TestArgumentsAsTheyArrive(t *testing.T) {
	root := repository(t)
	bob := join(t, "bob", root)
	bob.call("acc_status", nil)
	s := join(t, "alice", root)
	tests := []struct {
		tool, arguments string
		path            []any
		want            any
	}{
		{"acc_message", `{"to":"[\"bob\"]","subject":"s","body":"b"}`, []any{"message", "toParticipantIds", 0}, "bob"},
		{"acc_message", `{"to":"[]","subject":"s","body":"null","kind":null,"supersedes":["null"]}`, []any{"message", "body"}, "null"},
		{"acc_message", `{"to":[],"subject":"s","body":"b","clientMessageId":""}`, []any{"message", "kind"}, "note"},
		{"acc_inbox", `{"limit":"20","cursor":null,"messageId":""}`, []any{"nextCursor"}, nil},
		{"acc_inbox", `{"cursor":"null","messageId":null,"limit":null}`, []any{"nextCursor"}, nil},
		{"acc_sync", `{"cursor":"","scope":null,"limit":"1"}`, []any{"scope"}, "delta"},
		{"acc_sync", `{"scope":"history","kind":"decision","current":"true"}`, []any{"view"}, "summary"},
		{"acc_claim", `{"action":"acquire","resources":"[\"file:a\"]","leaseSeconds":"60"}`, []any{"claims", 0, "resource"}, "file:a"},
		{"acc_release", `{"all":"true","claimId":null,"resources":null}`, []any{"released", 1}, nil},
		{"acc_work", `{"summary":"s","mode":"edit","resourceHints":"[\"file:a\"]","clear":"false"}`, []any{"resourceHints", 0}, "file:a"},
		{"acc_status", `null`, []any{"participantId"}, "alice"},
	}
	for _, test := range tests {
		t.Run(test.tool+" "+test.arguments, func(t *testing.T) {
			a := s.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, test.tool, test.arguments))
			if a.Error != nil {
				t.Fatalf("%+v", a.Error)
			}
			r := s.result(a)
			var value object
			s.decode([]byte(r.Content[0].Text), &value)
			if r.IsError {
				t.Fatal(r.Content[0].Text)
			}
			if test.want == nil && len(test.path) > 1 {
				return // that it was understood is the point
			}
			if got := at(t, value, test.path...); got != test.want {
				t.Errorf("%v is %v, want %v", test.path, got, test.want)
			}
		})
	}
}

// A line of 5 MB is read; what it asks for may still be too long.
func TestLineOf5MB(t *testing.T) {
	root := repository(t)
	s := join(t, "alice", root)
	e := s.refused("invalid_field", "acc_message", args{"to": []string{}, "subject": "s", "body": strings.Repeat("é", 5<<19)})
	if !strings.Contains(text(t, e, "message"), "body") {
		t.Errorf("the error does not name the field: %v", e)
	}
	s.note([]string{}, "next")
}

// One frame over many writes, and many frames in one.
func TestFramesAndWrites(t *testing.T) {
	s := join(t, "alice", repository(t))
	for _, b := range []byte(callLine("1", "acc_status", args{}) + "\n") {
		s.raw(string(b))
	}
	if a := s.answer(); string(a.ID) != "1" || a.Error != nil {
		t.Errorf("%+v", a)
	}
}

// Writes of one connection happen in the order in which they were sent.
func TestOrderOfWrites(t *testing.T) {
	root := repository(t)
	s := join(t, "alice", root)
	var lines, want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("letter %d", i))
		lines = append(lines, callLine(fmt.Sprint(i+1), "acc_message", args{"to": []string{}, "subject": want[i], "body": "b"}))
	}
	s.send(lines...)
	var ids []string
	for i := range lines {
		a := s.answer()
		if string(a.ID) != fmt.Sprint(i+1) {
			t.Fatalf("answer %d has id %s", i+1, a.ID)
		}
		var value object
		s.decode([]byte(s.result(a).Content[0].Text), &value)
		ids = append(ids, text(t, value, "message", "messageId"))
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != len(lines) {
		t.Errorf("ids do not increase: %v", ids)
	}
	page := s.call("acc_sync", args{"scope": "history", "limit": 500})
	for i, item := range list(t, page, "items") {
		if got, want := text(t, item, "subject"), want[len(want)-1-i]; got != want {
			t.Fatalf("item %d is %q, want %q", i, got, want)
		}
	}
}
