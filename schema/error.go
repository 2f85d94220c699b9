package schema

import (
	"errors"
	"fmt"
)

// Code is the class of a failure. It is what a caller acts on: the command
// line turns it into an exit code, an MCP client shows it beside the reason.
type Code string

// The closed set of codes (contract §3).
const (
	CodeUsage     Code = "usage"     // arguments, names, resources, selectors
	CodeTimeout   Code = "timeout"   // a lock that was not had in time
	CodeData      Code = "data"      // unknown ids, damaged records, I/O, formats
	CodeConflict  Code = "conflict"  // claims, ownership, refused acks, reused keys
	CodeAttention Code = "attention" // the answer is there and asks for action
)

// ExitCode is the process exit status of c: 2 to 6, and 1 for a code that is
// not in the vocabulary.
func (c Code) ExitCode() int {
	switch c {
	case CodeUsage:
		return 2
	case CodeTimeout:
		return 3
	case CodeData:
		return 4
	case CodeConflict:
		return 5
	case CodeAttention:
		return 6
	}
	return 1
}

// Error is the one failure type that reaches a caller. Message is a full
// sentence that says what to do next; it and Details are safe to show: they
// hold no path outside the workspace, no generation token and no Go error
// chain. The cause, for logs only, is in Err.
type Error struct {
	Code    Code
	Reason  Reason
	Message string
	Details map[string]any
	Err     error
}

// Error is the message; the cause stays out of it on purpose.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause, which must not be shown to a caller.
func (e *Error) Unwrap() error { return e.Err }

// Fail makes an Error whose code follows from its reason.
func Fail(reason Reason, format string, args ...any) *Error {
	entry, ok := reasons[reason]
	if !ok {
		panic("schema: reason without a code: " + string(reason))
	}
	return &Error{Code: entry.code, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// With adds one detail and returns e.
func (e *Error) With(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// Because records the cause and returns e.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// AsError finds the Error in err's chain. Anything else becomes reason
// "internal" with a message that gives nothing away.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Fail(ReasonInternalUnexpected, "the operation failed unexpectedly and changed nothing it did not report; "+
		"see the server's stderr, then try again").Because(err)
}

// HasReason reports whether err is an Error of that reason.
func HasReason(err error, reason Reason) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == reason
}
