package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"acc/schema"
)

// deaf is a stdout that cannot be written.
type deaf struct{ err error }

func (d deaf) Write([]byte) (int, error) { return 0, d.err }

func TestReaderThatWentAwayIsNoFailure(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
		says bool
	}{{syscall.EPIPE, 0, false}, {io.ErrClosedPipe, 0, false}, {syscall.ENOSPC, 1, true}} {
		var stderr bytes.Buffer
		status := Main([]string{"version"}, strings.NewReader(""), deaf{c.err}, &stderr, func(string) string { return "" })
		if status != c.want || (stderr.Len() > 0) != c.says {
			t.Errorf("%v: status %d, stderr %q", c.err, status, stderr.String())
		}
	}
}

func TestEnvelopes(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{nil, 0, `{"envelope_version":1,"ok":true,"data":{"a":1},"meta":{}}`},
		{waiting(2), 6, `{"envelope_version":1,"ok":true,"data":{"a":1},"meta":{"attention":2}}`},
		{schema.Fail(schema.ReasonClaimConflict, "no").With("x", 1), 5,
			`{"envelope_version":1,"ok":false,"error":{"code":"conflict","reason":"claim_conflict","message":"no","details":{"x":1}},"meta":{}}`},
		{errors.New("secret path"), 4,
			`{"envelope_version":1,"ok":false,"error":{"code":"data","reason":"internal","message":"` + schema.AsError(errors.New("")).Message + `","details":{}},"meta":{}}`},
	} {
		var out, stderr bytes.Buffer
		a := &App{Out: &out, Err: &stderr, Env: func(string) string { return "" }, json: true}
		a.answer(map[string]int{"a": 1}, c.err, nil)
		var compact bytes.Buffer
		if err := json.Compact(&compact, out.Bytes()); err != nil {
			t.Fatal(err)
		}
		if compact.String() != c.want || a.status != c.status || stderr.Len() > 0 {
			t.Errorf("%v: status %d, stderr %q\n got %s\nwant %s", c.err, a.status, stderr.String(), compact.String(), c.want)
		}
	}
}

func TestTextFailuresSayCommands(t *testing.T) {
	var out, stderr bytes.Buffer
	a := &App{Out: &out, Err: &stderr, Env: func(string) string { return "" }}
	a.fail(schema.Fail(schema.ReasonClaimUnknown, "acc_status lists the live claims; acc_unknown is no tool."))
	if got, want := stderr.String(), "acc: acc status lists the live claims; acc_unknown is no tool.\n"; got != want || out.Len() > 0 || a.status != 4 {
		t.Errorf("stderr %q, stdout %q, status %d", got, out.String(), a.status)
	}
}

func TestWantsJSON(t *testing.T) {
	for line, want := range map[string]bool{
		"status --json": true, "--json=true x": true, "--json=false": false, "claim -- --json": false, "": false,
	} {
		if got := wantsJSON(strings.Fields(line)); got != want {
			t.Errorf("wantsJSON(%s) = %v", line, got)
		}
	}
}
