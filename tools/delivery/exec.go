package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"time"

	"acc/schema"
	"acc/tools/coordination"
)

// busyStatus is the exit status with which a command asks to be called again
// later: EX_TEMPFAIL of sysexits.h.
const busyStatus = 75

// drainTime is how long the pipes of a command may outlive it.
const drainTime = time.Second

// Exec is a transport that runs a command for each message.
//
// The command is run by the shell of the system as the person wrote it, in a
// process group of its own, which is killed when its time is over. It reads the
// message as one line of JSON from stdin: message, receipt, trust. No text of a
// message is ever part of the command line or of a variable; ACC_MESSAGE_ID,
// ACC_FROM and ACC_KIND hold an id, an id, and a word of a closed vocabulary.
type Exec struct {
	Command string
	Output  io.Writer // takes what the command writes to stdout and stderr; nil for nowhere
}

// Name is exec.
func (Exec) Name() string { return "exec" }

// Label is the command.
func (e Exec) Label() string { return schema.Visible(e.Command, 200) }

// Offer runs the command. Status 0 is accepted, 75 busy, any other rejected; a
// command that did not start, was killed or took too long is an error.
func (e Exec) Offer(ctx context.Context, l coordination.Letter) schema.DeliveryError {
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return schema.TransportError
	}
	cmd := shell(ctx, e.Command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, e.Output, e.Output
	cmd.Env = append(os.Environ(),
		"ACC_MESSAGE_ID="+l.Message.MessageID, "ACC_FROM="+l.Message.FromParticipantID, "ACC_KIND="+string(l.Message.Kind))
	return run(ctx, cmd)
}

// run runs a command and says what its end means.
func run(ctx context.Context, cmd *exec.Cmd) schema.DeliveryError {
	separate(cmd)
	cmd.WaitDelay = drainTime
	_ = cmd.Run() // what counts is how the process ended
	state := cmd.ProcessState
	switch {
	case state == nil: // it did not start
		return schema.TransportError
	case state.Success():
		return ""
	case state.ExitCode() < 0 || ctx.Err() != nil:
		return schema.TransportError
	case state.ExitCode() == busyStatus:
		return schema.RecipientBusy
	}
	return schema.TransportRejected
}
