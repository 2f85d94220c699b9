package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"syscall"

	"acc/schema"
)

// envelope is the one form of a --json answer: data when ok, else error.
type envelope struct {
	Version int            `json:"envelope_version"`
	OK      bool           `json:"ok"`
	Data    any            `json:"data,omitempty"`
	Error   *failure       `json:"error,omitempty"`
	Meta    map[string]any `json:"meta"`
}

// failure is what an envelope says of an error, as tools do over MCP.
type failure struct {
	Code    schema.Code    `json:"code"`
	Reason  schema.Reason  `json:"reason"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// waiting comes beside an answer in which so many things ask for action. It
// is no failure and ends in exit status 6.
type waiting int

// Error says how many.
func (w waiting) Error() string { return fmt.Sprintf("%d things wait for you", int(w)) }

// answer reports how a command ended: its value, a failure, or both where
// something waits.
func (a *App) answer(value any, err error, text func(*printer)) {
	meta := map[string]any{}
	var attention waiting
	switch {
	case errors.As(err, &attention):
		a.status = schema.CodeAttention.ExitCode()
		meta["attention"] = int(attention)
	case err != nil:
		a.fail(err)
		return
	}
	if a.json {
		a.write(envelope{Version: 1, OK: true, Data: value, Meta: meta})
		return
	}
	p := a.printer()
	text(p)
	a.emit(p.buf.Bytes())
}

// fail reports a failure and settles the exit status: text on stderr, or an
// envelope that is the whole of stdout.
func (a *App) fail(err error) {
	e := schema.AsError(err)
	a.status = e.Code.ExitCode()
	if a.json {
		a.write(envelope{Version: 1, Error: failureOf(e), Meta: map[string]any{}})
		return
	}
	fmt.Fprintf(a.Err, "acc: %s\n", inCommands(e.Message))
	if aboutArguments(e.Reason) && a.current != nil {
		fmt.Fprintf(a.Err, "See %s --help.\n", a.current.CommandPath())
	}
}

func failureOf(e *schema.Error) *failure {
	f := &failure{Code: e.Code, Reason: e.Reason, Message: e.Message, Details: e.Details}
	if f.Details == nil {
		f.Details = map[string]any{}
	}
	return f
}

// aboutArguments reports whether the help of the command would help.
func aboutArguments(r schema.Reason) bool {
	switch r {
	case schema.ReasonInvalidArguments, schema.ReasonUnknownField, schema.ReasonMissingField, schema.ReasonInvalidField,
		schema.ReasonConflictingFields, schema.ReasonResourceInvalid:
		return true
	}
	return false
}

func (a *App) write(e envelope) {
	data, err := schema.Format(e)
	if err != nil {
		fmt.Fprintln(a.Err, "acc: the answer could not be written as JSON.")
		a.status = 1
		return
	}
	a.emit(data)
}

// emit writes an answer. A reader that went away, as head does, wanted no
// more: that is no failure.
func (a *App) emit(data []byte) {
	if _, err := a.Out.Write(data); err != nil && !readerGone(err) {
		fmt.Fprintln(a.Err, "acc: the answer could not be written; what the command did stands.")
		if a.status == 0 {
			a.status = 1
		}
	}
}

func readerGone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed)
}

var toolName = regexp.MustCompile(`\bacc_(status|sync|work|claim|release|message|request|inbox|reply|ack|finish)\b`)

// inCommands names commands where a text names the tools that they mirror.
func inCommands(text string) string { return toolName.ReplaceAllString(text, "acc $1") }
